#define _POSIX_C_SOURCE 200809L
#include "ext/http.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/clock.h"
#include "tap.h"

enum { GIVE_UP_MS = 20000, REPLY_MAX = 1000, TALKS = 8 };

/* A server that takes connections and says, or hangs up, as it is told. */
struct peer {
	int fd;
	char url[64];
	const char *says; /* NULL: it never answers */
	struct poll *poll;
	struct poll_fd watch;
	struct talk {
		struct peer *peer;
		struct poll_fd watch;
	} talks[TALKS]; /* a stranger may come to this port, too */
	size_t count;
};

struct asked {
	struct peer peer;
	struct http_call call;
	bool ended;
};

static const char *const no_headers[] = {NULL};

static void
on_request(void *ctx, short revents)
{
	struct talk *t = ctx;
	const char *says = t->peer->says;
	char request[4096];

	(void)revents;
	if (read(t->watch.fd, request, sizeof(request)) > 0 && *says)
		(void)!write(t->watch.fd, says, strlen(says));
	close(t->watch.fd);
	poll_remove(&t->watch);
}

static void
on_connection(void *ctx, short revents)
{
	struct peer *p = ctx;
	struct talk *t = &p->talks[p->count++];

	(void)revents;
	t->peer = p;
	t->watch = (struct poll_fd){
	    .fd = accept(p->fd, NULL, NULL),
	    .events = POLLIN,
	    .ready = on_request,
	    .ctx = t,
	};
	poll_add(p->poll, &t->watch);
	if (p->count == TALKS)
		poll_remove(&p->watch);
}

static void
on_ended(void *ctx)
{
	struct asked *a = ctx;

	a->ended = true;
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
peer_open(struct peer *p, const char *scheme)
{
	struct sockaddr_in at = {.sin_family = AF_INET,
	    .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t len = sizeof(at);

	p->fd = socket(AF_INET, SOCK_STREAM, 0);
	(void)bind(p->fd, (struct sockaddr *)&at, len);
	(void)listen(p->fd, 4);
	(void)getsockname(p->fd, (struct sockaddr *)&at, &len);
	snprintf(p->url, sizeof(p->url), "%s://127.0.0.1:%d/", scheme,
	    ntohs(at.sin_port));
	if (!p->says)
		return;
	p->watch = (struct poll_fd){
	    .fd = p->fd,
	    .events = POLLIN,
	    .ready = on_connection,
	    .ctx = p,
	};
	poll_add(p->poll, &p->watch);
}

int
main(void)
{
	enum { SILENT_GET, SILENT_POST, SILENT_TLS, RUDE, KIND, GONE, ALL };
	struct asked a[ALL] = {0};
	struct poll poll = {0};
	struct http *h = NULL;
	struct err e = {0};
	int64_t until_ms = clock_boot_ms() + GIVE_UP_MS;
	bool running = true;

	(void)http_open(&h, &poll, &e);
	a[RUDE].peer.says = "";
	a[KIND].peer.says = "HTTP/1.1 204 Fine\r\n\r\n";
	for (int i = 0; i < ALL; i++) {
		a[i].peer.poll = &poll;
		peer_open(&a[i].peer, i == SILENT_TLS ? "https" : "http");
		a[i].call = (struct http_call){
		    .url = a[i].peer.url,
		    .headers = no_headers,
		    .body = i == SILENT_POST ? "{}" : NULL,
		    .body_len = i == SILENT_POST ? 2 : 0,
		    .limit = REPLY_MAX,
		    .connect_s = 10,
		    .idle_s = a[i].peer.says ? 10 : 1,
		    .take = take,
		    .ended = on_ended,
		    .ctx = &a[i],
		};
		if (i == GONE)
			close(a[i].peer.fd);
		(void)http_start(h, &a[i].call, &e);
	}
	while (running && clock_boot_ms() < until_ms) {
		(void)http_step(h, until_ms, &e);
		running = false;
		for (int i = 0; i < ALL; i++)
			running = running || !a[i].ended;
	}
	ok(!running && !e.kind, "each request has its end");
	ok(a[SILENT_GET].call.end == HTTP_BROKEN,
	    "a GET that nobody answers went out all the same");
	ok(a[SILENT_POST].call.end == HTTP_BROKEN, "and so did a POST");
	same(a[SILENT_GET].call.why.text, "no byte came for 1 s",
	    "which the error tells");
	ok(a[SILENT_TLS].call.end == HTTP_UNSENT,
	    "before the handshake is done, nothing went out");
	ok(a[RUDE].call.end == HTTP_BROKEN,
	    "what is hung up on may have been done");
	ok(a[KIND].call.end == HTTP_DONE && a[KIND].call.status == 204,
	    "an answer is one");
	ok(a[GONE].call.end == HTTP_UNSENT,
	    "where nobody listens, nothing went out");
	for (int i = 0; i < ALL; i++) {
		http_stop(&a[i].call);
		poll_remove(&a[i].peer.watch);
		if (i != GONE)
			close(a[i].peer.fd);
	}
	http_close(h);
	poll_release(&poll);
	return tap_done();
}
