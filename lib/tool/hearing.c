#include "tool/hearing.h"

#include <stdlib.h>

#include "core/filter.h"
#include "core/mem.h"

struct hearing_line {
	struct hearing_line *next;
	char *text; /* NULL for a bad one */
	size_t len;
	struct err bad;
};

static void
hold(struct hearing *h, bool held)
{
	if (h->over || h->held == held)
		return;
	h->held = held;
	reader_hold(&h->reader, held);
}

static void
on_line(void *ctx, const char *text, size_t len, const struct err *bad)
{
	struct hearing *h = ctx;
	struct hearing_line *l;

	if (text && h->told && h->told(h->ctx, text, len))
		return;
	l = mem_new(sizeof(*l));
	if (bad)
		l->bad = *bad;
	else
		l->text = mem_dupn(text, len);
	l->len = len;
	*h->end = l;
	h->end = &l->next;
	if (++h->count >= HEARING_MOST)
		hold(h, true);
}

static void
on_ended(void *ctx, const struct err *why)
{
	struct hearing *h = ctx;

	h->over = true;
	if (why)
		h->failed = *why;
}

void
hearing_open(struct hearing *h, int fd)
{
	h->end = &h->first;
	h->reader = (struct reader){.limit = FILTER_LINE_MAX,
	    .line = on_line,
	    .ended = on_ended,
	    .ctx = h};
	reader_start(&h->reader, &h->poll, fd);
}

/* Take the one that *at points to out of the line. */
static struct hearing_line *
take(struct hearing *h, struct hearing_line **at)
{
	struct hearing_line *l = *at;

	*at = l->next;
	if (h->end == &l->next)
		h->end = at;
	h->count--;
	return l;
}

static void
drop(struct hearing_line *l)
{
	free(l->text);
	free(l);
}

int
hearing_next(struct hearing *h, char **text, size_t *len, struct err *e)
{
	struct hearing_line *l;
	int result = 1;

	while (!h->first && !h->over)
		if (poll_step(&h->poll, POLL_NEVER, e) < 0)
			return -1;
	if (!h->first) {
		if (!h->failed.kind)
			return 0;
		*e = h->failed;
		return -1;
	}
	l = take(h, &h->first);
	hold(h, false);
	*text = l->text;
	*len = l->len;
	if (!l->text) {
		*e = l->bad;
		result = -1;
	}
	l->text = NULL;
	drop(l);
	return result;
}

void
hearing_offer(struct hearing *h)
{
	struct hearing_line **at = &h->first;

	while (*at)
		if ((*at)->text && h->told(h->ctx, (*at)->text, (*at)->len))
			drop(take(h, at));
		else
			at = &(*at)->next;
}

void
hearing_close(struct hearing *h)
{
	if (h->end)
		reader_stop(&h->reader);
	while (h->first)
		drop(take(h, &h->first));
	h->end = NULL;
	poll_release(&h->poll);
}
