#include "core/reader.h"

#include <assert.h>
#include <errno.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { CHUNK = 64 << 10 };

static void
speak(struct reader *r, const char *text, size_t len, const struct err *bad)
{
	r->speaking = true;
	r->line(r->ctx, text, len, bad);
	r->speaking = false;
}

static void
hand_out(struct reader *r)
{
	struct err bad = {0};
	const char *text;
	size_t len;
	int row;

	while ((row = line_next(&r->lines, &text, &len, &bad)) != 0)
		if (row > 0)
			speak(r, text, len, NULL);
		else
			speak(r, NULL, 0, &bad);
}

/* The input is over; a line that it left unfinished is a bad one. */
static void
finish(struct reader *r, const struct err *why)
{
	struct err bad = {0};

	poll_remove(&r->watch);
	if (line_end(&r->lines, &bad) < 0)
		speak(r, NULL, 0, &bad);
	if (r->ended)
		r->ended(r->ctx, why);
}

/* Read once, at most max bytes: how many; 0 at the end; -1 for none yet. */
static ssize_t
read_some(struct reader *r, size_t max)
{
	ssize_t n;

	assert(!r->speaking);
	n = read(r->watch.fd, line_room(&r->lines, max), max);
	if (n > 0) {
		line_wrote(&r->lines, (size_t)n);
		hand_out(r);
	}
	return n;
}

static void
ready(void *ctx, short revents)
{
	struct reader *r = ctx;
	struct err why = {0};
	ssize_t n = read_some(r, CHUNK);

	(void)revents;
	if (n == 0) {
		finish(r, NULL);
	} else if (n < 0 && errno != EAGAIN && errno != EINTR) {
		err_sys(&why, ERR_IO, "reading");
		finish(r, &why);
	}
}

void
reader_start(struct reader *r, struct poll *p, int fd)
{
	r->lines = (struct line){.limit = r->limit};
	r->poll = p;
	r->watch = (struct poll_fd){.fd = fd,
	    .events = POLLIN,
	    .ready = ready,
	    .ctx = r};
	poll_add(p, &r->watch);
}

void
reader_hold(struct reader *r, bool hold)
{
	poll_remove(&r->watch);
	if (!hold)
		poll_add(r->poll, &r->watch);
}

/*
 * A pipe holds all that its dead writer wrote; more can only come from another
 * one that inherited it, perhaps without an end. So the count is taken once.
 */
void
reader_drain(struct reader *r)
{
	int left = 0;

	if (!r->watch.at)
		return;
	if (ioctl(r->watch.fd, FIONREAD, &left) < 0)
		left = 0;
	while (left > 0) {
		ssize_t n = read_some(r, left < CHUNK ? (size_t)left : CHUNK);

		if (n <= 0)
			break;
		left -= (int)n;
	}
	finish(r, NULL);
}

void
reader_stop(struct reader *r)
{
	assert(!r->speaking);
	poll_remove(&r->watch);
	line_release(&r->lines);
}
