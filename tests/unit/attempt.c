/* What is sent to Discord, byte for byte, and what an answer's head means. */
#define _GNU_SOURCE
#include "discord/attempt.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/err.h"
#include "core/poll.h"
#include "discord/rest.h"
#include "ext/header.h"
#include "scratch.h"
#include "tap.h"

static struct peer {
	int fd;
	char request[8192];
	struct poll_fd watch, talk;
} peer;

static struct poll loop;

static void
on_request(void *ctx, short revents)
{
	static const char says[] = "HTTP/1.1 204 Done\r\n"
				   "X-RateLimit-Bucket: b\r\n\r\n";
	size_t len = strlen(peer.request);
	ssize_t n = read(peer.talk.fd, peer.request + len,
	    sizeof(peer.request) - len - 1);

	(void)ctx;
	(void)revents;
	if (n > 0)
		peer.request[len + (size_t)n] = '\0';
	if (n > 0 && !strstr(peer.request, "\r\n\r\n"))
		return;
	if (n > 0) {
		(void)!write(peer.talk.fd, says, strlen(says));
		return;
	}
	close(peer.talk.fd);
	poll_remove(&peer.talk);
}

static void
on_connection(void *ctx, short revents)
{
	(void)ctx;
	(void)revents;
	peer.talk = (struct poll_fd){
	    .fd = accept(peer.fd, NULL, NULL),
	    .events = POLLIN,
	    .ready = on_request,
	};
	poll_add(&loop, &peer.talk);
}

static void
peer_open(void)
{
	struct sockaddr_in at = {.sin_family = AF_INET,
	    .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t len = sizeof(at);
	char url[64];

	peer.fd = socket(AF_INET, SOCK_STREAM, 0);
	(void)bind(peer.fd, (struct sockaddr *)&at, len);
	(void)listen(peer.fd, 4);
	(void)getsockname(peer.fd, (struct sockaddr *)&at, &len);
	snprintf(url, sizeof(url), "http://127.0.0.1:%d/api",
	    ntohs(at.sin_port));
	setenv("SOPHIA_DISCORD_API", url, 1);
	setenv("DISCORD_TOKEN", "a.b-c_d", 1);
	unsetenv("SOPHIA_SECRETS");
	peer.watch = (struct poll_fd){
	    .fd = peer.fd,
	    .events = POLLIN,
	    .ready = on_connection,
	};
	poll_add(&loop, &peer.watch);
}

static void
on_ended(void *ctx)
{
	bool *over = ctx;

	*over = true;
}

/* What the peer got of a call. */
static const char *
sent(struct rest *r, struct rest_call *c)
{
	static struct err e;
	bool over = false;
	int64_t until_ms = clock_boot_ms() + 20000;

	peer.request[0] = '\0';
	c->ended = on_ended;
	c->ctx = &over;
	if (rest_start(r, c, &e) < 0)
		return e.text;
	while (!over && clock_boot_ms() < until_ms)
		(void)rest_step(r, until_ms, &e);
	rest_release(c);
	return peer.request;
}

static bool
has(const char *request, const char *line)
{
	return strstr(request, line) != NULL;
}

static void
says_what_discord_wants(struct rest *r)
{
	struct rest_call c = {
	    .method = "PATCH",
	    .path = "/channels/1",
	    .body = "{}",
	    .body_len = 2,
	    .reason = "a b/\xc3\xa9\r\nX: y",
	};
	const char *got = sent(r, &c);

	ok(has(got, "PATCH /api/channels/1 HTTP/1.1\r\n"),
	    "the path follows the address of the interface");
	ok(has(got, "\r\nAuthorization: Bot a.b-c_d\r\n"),
	    "the token is in its header");
	ok(has(got, "\r\nUser-Agent: DiscordBot (https://"),
	    "the agent is as Discord wants it");
	ok(has(got, "\r\nX-Audit-Log-Reason: a%20b%2F%C3%A9%0D%0AX%3A%20y\r\n"),
	    "a reason is encoded, and makes no header of its own");
	ok(has(got, "\r\nContent-Type: application/json\r\n") &&
		has(got, "\r\nContent-Length: 2\r\n") && has(got, "\r\n\r\n{}"),
	    "a body is JSON");
	ok(!has(got, "Expect:"), "nothing waits for leave to send it");
}

static void
says_no_more_than_needed(struct rest *r)
{
	struct rest_call put = {.method = "PUT", .path = "/a"};
	struct rest_call hook = {.method = "GET", .path = "/webhooks/1/secret"};
	struct rest_call answer = {.method = "GET",
	    .path = "/interactions/1/secret/callback",
	    .urgency = REST_URGENT};
	const char *got = sent(r, &put);

	ok(has(got, "\r\nContent-Length: 0\r\n") && !has(got, "Content-Type:"),
	    "what has no body says so");
	ok(!has(sent(r, &hook), "Authorization"),
	    "the token isn't sent with a webhook's");
	ok(!has(sent(r, &answer), "Authorization"), "nor an interaction's");
	same(hook.route.name, "GET /webhooks/:id/:token",
	    "and theirs is not in the name of the route");
}

static void
refuses(struct rest *r)
{
	struct rest_call c = {.method = "GET", .path = "/a b"};

	same(sent(r, &c), "/a b is no path", "what is no path is not sent");
	c.path = "//example.org/";
	same(sent(r, &c), "//example.org/ is no path", "nor another host");
	c.path = "/a/../../b";
	same(sent(r, &c), "/a/../../b is no path", "nor out of the interface");
	c.path = "/x";
	c.method = "get";
	same(sent(r, &c), "get is no method of Discord's", "nor any method");
}

static void
names_routes(void)
{
	static const struct {
		const char *path, *name;
	} known[] = {
	    {"/channels/1/messages/2/reactions/%F0%9F%91%8D/@me",
		"GET /channels/:id/messages/:id/reactions/:code/@me"},
	    {"/webhooks/1/aW50/messages/@original",
		"GET /webhooks/:id/:token/messages/@original"},
	    {"/invites/abc?with_counts=true", "GET /invites/:code"},
	    {"/guilds/1/members?limit=1", "GET /guilds/:id/members"},
	    {"/Strange", "GET /:word"},
	};
	struct route r, other;
	struct err e = {0};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		(void)route_read(&r, "GET", known[i].path, &e);
		same(r.name, known[i].name, "a route has a name");
	}
	(void)route_read(&r, "GET", "/channels/1/messages/2", &e);
	(void)route_read(&other, "GET", "/channels/1/messages/3", &e);
	ok(r.key == other.key && r.major == other.major,
	    "two messages of a channel are one to the limits");
	(void)route_read(&other, "GET", "/channels/2/messages/2", &e);
	ok(r.key == other.key && r.major != other.major, "two channels aren't");
	(void)route_read(&r, "POST", "/webhooks/1/a", &e);
	(void)route_read(&other, "POST", "/webhooks/1/b", &e);
	ok(r.major != other.major, "nor two tokens of a webhook");
	ok(route_read(&r, "GET", "/a\xc3\xa9", &e) < 0 &&
		route_read(&r, "GET", "", &e) < 0,
	    "a path is ASCII, and there");
}

static int64_t
waits(const char *header, const char *body)
{
	struct quota q;

	quota_start(&q);
	if (header)
		quota_header(&q, "retry-after", header);
	if (body)
		quota_body(&q, body, strlen(body));
	return quota_wait_ms(&q);
}

static void
reads_limits(void)
{
	struct quota q;

	ok(waits("2", "{\"retry_after\":64.5}") == 2000,
	    "a header goes before the body");
	ok(waits(NULL, "{\"retry_after\":0.3333}") == 334,
	    "without one the body tells, rounded up");
	ok(waits(NULL, "{\"retry_after\":64000000}") == 3600000,
	    "but no body makes us wait for more than an hour");
	ok(waits("1e30", NULL) == 86400000, "nor a header for more than a day");
	ok(waits("-1", NULL) == -1 && waits("soon", NULL) == -1 &&
		waits("nan", NULL) == -1 && waits("", NULL) == -1,
	    "what is no time says nothing");
	ok(waits(NULL, "<html>") == -1 && waits(NULL, "[1]") == -1,
	    "nor what is no object");
	quota_start(&q);
	quota_header(&q, "x-ratelimit-limit", "5");
	quota_header(&q, "x-ratelimit-remaining", "x");
	quota_header(&q, "x-ratelimit-reset-after", "0.2504");
	quota_header(&q, "x-ratelimit-scope", "shared");
	ok(q.limit == 5 && q.left == -1 && q.reset_ms == 251 &&
		q.scope == QUOTA_SHARED && !q.bucket,
	    "headers are read, each for itself");
}

static const char *
verdict(int status, const char *body)
{
	static struct verdict v;

	verdict_read(&v, status, body, strlen(body));
	return v.text;
}

static void
gives_verdicts(void)
{
	same(verdict(204, ""), "", "a success needs no words");
	same(verdict(404, "{\"message\":\"Unknown Channel\",\"code\":10003}"),
	    "10003 Unknown Channel", "a refusal has a code");
	same(verdict(502, "<html>"), "HTTP 502", "a page has none");
	same(verdict(400,
		 "{\"code\":50035,\"message\":\"Invalid Form Body\","
		 "\"errors\":{\"a\":{\"_errors\":[{\"message\":\"x\"}]},"
		 "\"b\":{\"0\":{\"c\":{\"_errors\":[{\"code\":\"C\"}]}"
		 "}}}}"),
	    "50035 Invalid Form Body: b[0].c: C", "the deepest place is told");
	same(verdict(400, "{\"message\":\"a\\u001b[31m\"}"), "HTTP 400: a?[31m",
	    "no control reaches a terminal");
}

static void
splits_headers(void)
{
	static const char line[] = "X-Name \t:  a value \r\n";
	char name[HEADER_NAME], value[HEADER_VALUE], whole[1200];

	for (size_t n = 0; n < sizeof(line); n++)
		(void)header_split(line, n, name, value);
	ok(header_split("Retry-After: 3\r\n", 16, name, value) &&
		strcmp(name, "retry-after") == 0 && strcmp(value, "3") == 0,
	    "a header is a name and a value");
	ok(!header_split("\r\n", 2, name, value) &&
		!header_split(": x", 3, name, value) &&
		!header_split("a: x\0y", 6, name, value),
	    "what is none is none");
	memset(whole, 'x', sizeof(whole));
	whole[3] = ':';
	ok(!header_split(whole, sizeof(whole), name, value),
	    "one that is too long is passed over");
}

int
main(void)
{
	struct rest *r = NULL;
	struct err e = {0};

	scratch_open();
	peer_open();
	if (!ok(rest_open(&r, &loop, &e) == 0, "there is a way to Discord"))
		return tap_done();
	says_what_discord_wants(r);
	says_no_more_than_needed(r);
	refuses(r);
	rest_close(r);
	names_routes();
	reads_limits();
	gives_verdicts();
	splits_headers();
	poll_release(&loop);
	close(peer.fd);
	close(peer.talk.fd);
	scratch_close();
	return tap_done();
}
