/* A websocket in a poll loop: the poll's timers come in time. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/clock.h"
#include "ext/ws.h"
#include "tap.h"

static int fired;

static void
on_fire(void *ctx)
{
	(void)ctx;
	fired++;
}

static void
on_opened(void *ctx, unsigned number)
{
	(void)ctx;
	(void)number;
}

static void
on_received(void *ctx, unsigned number, const char *bytes, size_t len,
    bool last)
{
	(void)ctx;
	(void)number;
	(void)bytes;
	(void)len;
	(void)last;
}

static void
on_closed(void *ctx, unsigned number, int code, const char *why)
{
	(void)ctx;
	(void)number;
	(void)code;
	(void)why;
}

/* A server that takes connections, and never says a word; its port. */
static int
listen_silently(int *fd)
{
	struct sockaddr_in at = {.sin_family = AF_INET,
	    .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t len = sizeof(at);

	*fd = socket(AF_INET, SOCK_STREAM, 0);
	if (*fd < 0 || bind(*fd, (struct sockaddr *)&at, sizeof(at)) < 0 ||
	    listen(*fd, 1) < 0 ||
	    getsockname(*fd, (struct sockaddr *)&at, &len) < 0)
		return -1;
	return ntohs(at.sin_port);
}

/* Steps until the timer that is due in wait_ms fired; how long that took. */
static int64_t
step_through(struct ws *w, struct poll *p, int64_t wait_ms)
{
	const int64_t from_ms = clock_boot_ms(), until_ms = from_ms + 5000;
	struct poll_timer t = {.fire = on_fire};
	struct err e = {0};

	fired = 0;
	poll_set_timer(p, &t, from_ms + wait_ms);
	while (!fired && clock_boot_ms() < until_ms)
		if (ws_step(w, until_ms, &e) < 0)
			break;
	poll_stop_timer(&t);
	return clock_boot_ms() - from_ms;
}

int
main(void)
{
	const struct ws_handlers handlers = {.opened = on_opened,
	    .received = on_received,
	    .closed = on_closed};
	struct poll p = {0};
	struct ws *w = ws_open(&p, &handlers);
	struct err e = {0};
	char url[64];
	int fd, port = listen_silently(&fd);

	snprintf(url, sizeof(url), "ws://127.0.0.1:%d/", port);
	ok(port > 0 && ws_connect(w, url, 1, &e) == 0, "it connects");
	ok(step_through(w, &p, 50) < 4000, "a timer is served in time");
	ok(step_through(w, &p, 0) < 4000,
	    "one that is due already is, though the peer says nothing");
	ws_release(w);
	poll_release(&p);
	close(fd);
	return tap_done();
}
