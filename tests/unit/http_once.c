/* Requests with a method, a form and headers; and what an old connection does. */
#define _POSIX_C_SOURCE 200809L
#include "ext/http.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/clock.h"
#include "tap.h"

enum { CONNECTIONS = 8, GIVE_UP_MS = 20000 };

/* A server that answers the first request of a connection, no other. */
static struct peer {
	int fd;
	char url[64];
	struct poll_fd watch, talk[CONNECTIONS];
	int connections, posts, answered[CONNECTIONS];
	char last[8192]; /* request */
} peer;

static struct poll loop;
static char header[128];

static void
on_request(void *ctx, short revents)
{
	static const char says[] = "HTTP/1.1 100 Continue\r\nX-Seen: no\r\n\r\n"
				   "HTTP/1.1 200 Fine\r\nX-Seen:  yes \r\n"
				   "Content-Length: 0\r\n\r\n";
	struct poll_fd *talk = ctx;
	int n = (int)(talk - peer.talk);
	ssize_t len = read(talk->fd, peer.last, sizeof(peer.last) - 1);

	(void)revents;
	if (len > 0) {
		peer.last[len] = '\0';
		peer.posts += strncmp(peer.last, "POST", 4) == 0;
		if (!peer.answered[n]++) {
			(void)!write(talk->fd, says, strlen(says));
			return;
		}
	}
	close(talk->fd);
	poll_remove(talk);
}

static void
on_connection(void *ctx, short revents)
{
	struct poll_fd *talk = &peer.talk[peer.connections++];

	(void)ctx;
	(void)revents;
	*talk = (struct poll_fd){
	    .fd = accept(peer.fd, NULL, NULL),
	    .events = POLLIN,
	    .ready = on_request,
	    .ctx = talk,
	};
	poll_add(&loop, talk);
}

static void
on_header(void *ctx, const char *name, const char *value)
{
	(void)ctx;
	if (strcmp(name, "x-seen") == 0)
		snprintf(header, sizeof(header), "%s", value);
}

static int
take(void *ctx, const char *bytes, size_t len, struct err *e)
{
	(void)ctx;
	(void)bytes;
	(void)len;
	(void)e;
	return 0;
}

static void
on_ended(void *ctx)
{
	bool *ended = ctx;

	*ended = true;
}

static enum http_end
send_one(struct http *h, struct http_call *c)
{
	static const char *const none[] = {NULL};
	int64_t until_ms = clock_boot_ms() + GIVE_UP_MS;
	struct err e = {0};
	bool ended = false;

	c->url = peer.url;
	c->headers = none;
	c->limit = 1000;
	c->connect_s = c->idle_s = 10;
	c->header = on_header;
	c->take = take;
	c->ended = on_ended;
	c->ctx = &ended;
	if (http_start(h, c, &e) < 0)
		return HTTP_RUNS;
	while (!ended && clock_boot_ms() < until_ms)
		(void)http_step(h, until_ms, &e);
	http_stop(c);
	return c->end;
}

static void
peer_open(void)
{
	struct sockaddr_in at = {.sin_family = AF_INET,
	    .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t len = sizeof(at);

	peer.fd = socket(AF_INET, SOCK_STREAM, 0);
	(void)bind(peer.fd, (struct sockaddr *)&at, len);
	(void)listen(peer.fd, 4);
	(void)getsockname(peer.fd, (struct sockaddr *)&at, &len);
	snprintf(peer.url, sizeof(peer.url), "http://127.0.0.1:%d/",
	    ntohs(at.sin_port));
	peer.watch = (struct poll_fd){
	    .fd = peer.fd,
	    .events = POLLIN,
	    .ready = on_connection,
	};
	poll_add(&loop, &peer.watch);
}

static void
is_sent_once(struct http *h)
{
	struct http_call get = {0};
	struct http_call post = {.body = "{}", .body_len = 2};

	ok(send_one(h, &get) == HTTP_DONE && peer.connections == 1,
	    "a connection is made");
	same(header, "yes", "the headers of the answer are told, no others");
	ok(send_one(h, &post) == HTTP_DONE && peer.posts == 2,
	    "on an old one that breaks, libcurl sends it again by itself");
	peer.posts = 0;
	post.once = true;
	ok(send_one(h, &post) == HTTP_DONE && peer.posts == 1,
	    "what may be sent once only is sent once");
}

static void
has_its_method(struct http *h)
{
	struct http_call c = {.method = "DELETE", .once = true};
	const struct http_part parts[] = {
	    {.name = "a", .bytes = "{}", .len = 2, .type = "application/json"},
	    {.name = "f", .filename = "x \"y\".txt", .bytes = "abc", .len = 3},
	};
	const struct http_part missing = {.name = "f", .path = "/nonexistent"};
	struct err e = {0};

	ok(send_one(h, &c) == HTTP_DONE &&
		strncmp(peer.last, "DELETE / HTTP/1.1\r\n", 19) == 0,
	    "a request has the method that it was given");
	c = (struct http_call){.parts = parts, .part_count = 2, .once = true};
	ok(send_one(h, &c) == HTTP_DONE &&
		strstr(peer.last, "name=\"a\"\r\nContent-Type: "
				  "application/json\r\n\r\n{}") &&
		strstr(peer.last, "filename=\"x %22y%22.txt\"") &&
		strstr(peer.last, "\r\n\r\nabc\r\n"),
	    "a form has its parts");
	c = (struct http_call){.url = peer.url,
	    .headers = (const char *const[]){NULL},
	    .parts = &missing,
	    .part_count = 1};
	ok(http_start(h, &c, &e) < 0 && e.kind == ERR_CONFIG,
	    "a file that isn't there is an error before anything is sent");
}

int
main(void)
{
	struct http *h = NULL;
	struct err e = {0};

	peer_open();
	(void)http_open(&h, &loop, &e);
	is_sent_once(h);
	has_its_method(h);
	http_close(h);
	for (int i = 0; i < peer.connections; i++)
		if (peer.talk[i].at)
			close(peer.talk[i].fd);
	close(peer.fd);
	poll_release(&loop);
	return tap_done();
}
