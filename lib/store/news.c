#define _GNU_SOURCE /* NAME_MAX */
#include "store/news.h"

#include <limits.h>
#include <stdbool.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "core/home.h"

enum { ROOM = 16 * (sizeof(struct inotify_event) + NAME_MAX + 1) };

static const char file[] = "settings.json";

/* Is the file among what changed in the folder? */
static bool
is_among(const char *events, size_t len)
{
	while (len >= sizeof(struct inotify_event)) {
		struct inotify_event x;

		memcpy(&x, events, sizeof(x));
		if (x.len && strcmp(events + sizeof(x), file) == 0)
			return true;
		events += sizeof(x) + x.len;
		len -= sizeof(x) + x.len;
	}
	return false;
}

static void
on_ready(void *ctx, short revents)
{
	struct news *n = ctx;
	char events[ROOM];
	bool changed = false;
	ssize_t len;

	(void)revents;
	while ((len = read(n->watch.fd, events, sizeof(events))) > 0)
		changed |= is_among(events, (size_t)len);
	if (changed)
		n->changed(n->ctx);
}

void
news_start(struct news *n, struct poll *p)
{
	struct err why;
	const char *home = home_state(&why);
	int fd = home ? inotify_init1(IN_CLOEXEC | IN_NONBLOCK) : -1;

	if (fd < 0)
		return;
	n->watch = (struct poll_fd){.fd = fd,
	    .events = POLLIN,
	    .ready = on_ready,
	    .ctx = n};
	if (inotify_add_watch(fd, home, IN_MOVED_TO | IN_CLOSE_WRITE) < 0)
		news_stop(n);
	else
		poll_add(p, &n->watch);
}

void
news_stop(struct news *n)
{
	poll_remove(&n->watch);
	if (n->watch.fd)
		close(n->watch.fd);
	n->watch.fd = 0;
}
