#include "core/poll.h"

#include <errno.h>
#include <stdlib.h>

#include "core/clock.h"
#include "core/mem.h"

void
poll_add(struct poll *p, struct poll_fd *w)
{
	poll_remove(w);
	w->got = 0;
	w->next = p->fds;
	w->at = &p->fds;
	if (w->next)
		w->next->at = &w->next;
	p->fds = w;
}

void
poll_remove(struct poll_fd *w)
{
	if (!w->at)
		return;
	*w->at = w->next;
	if (w->next)
		w->next->at = w->at;
	w->next = NULL;
	w->at = NULL;
}

void
poll_set_timer(struct poll *p, struct poll_timer *t, int64_t at_ms)
{
	poll_stop_timer(t);
	t->at_ms = at_ms;
	t->due = false;
	t->next = p->timers;
	t->at = &p->timers;
	if (t->next)
		t->next->at = &t->next;
	p->timers = t;
}

void
poll_stop_timer(struct poll_timer *t)
{
	if (!t->at)
		return;
	*t->at = t->next;
	if (t->next)
		t->next->at = t->at;
	t->next = NULL;
	t->at = NULL;
}

/* Milliseconds to the first timer, or to until_ms; -1 if neither comes. */
static int
wait_of(const struct poll *p, int64_t until_ms)
{
	for (const struct poll_timer *t = p->timers; t; t = t->next)
		if (t->at_ms < until_ms)
			until_ms = t->at_ms;
	return until_ms == POLL_NEVER ? -1 : clock_left_ms(until_ms);
}

static void
fill(struct poll *p)
{
	size_t n = 0;

	for (const struct poll_fd *w = p->fds; w; w = w->next)
		n++;
	if (n > p->count || !p->array)
		p->array = mem_resize(p->array, n, sizeof(*p->array));
	p->count = n;
	n = 0;
	for (const struct poll_fd *w = p->fds; w; w = w->next)
		p->array[n++] = (struct pollfd){w->fd, w->events, 0};
}

/* Ask the kernel, and note for each member what it got. */
static int
ask(struct poll *p, int wait_ms, struct err *e)
{
	size_t n = 0;

	fill(p);
	if (poll(p->array, p->count, wait_ms) < 0) {
		if (errno != EINTR)
			return err_sys(e, ERR_INTERNAL, "waiting for %zu pipes",
			    p->count);
		return 0;
	}
	for (struct poll_fd *w = p->fds; w; w = w->next)
		w->got = p->array[n++].revents;
	return 0;
}

/*
 * Each callback may change the list, so each time we look from the start; a
 * program has a few dozen members at most.
 */
static void
serve_fds(struct poll *p)
{
	struct poll_fd *w = p->fds;

	while (w) {
		short got = w->got;

		if (!got) {
			w = w->next;
			continue;
		}
		w->got = 0;
		w->ready(w->ctx, got);
		w = p->fds;
	}
}

static struct poll_timer *
first_due(const struct poll *p)
{
	struct poll_timer *first = NULL;

	for (struct poll_timer *t = p->timers; t; t = t->next)
		if (t->due && (!first || t->at_ms < first->at_ms))
			first = t;
	return first;
}

static void
serve_timers(struct poll *p)
{
	const int64_t now_ms = clock_boot_ms();
	struct poll_timer *t;

	for (t = p->timers; t; t = t->next)
		t->due = t->at_ms <= now_ms;
	while ((t = first_due(p))) {
		poll_stop_timer(t);
		t->fire(t->ctx);
	}
}

static int
serve(struct poll *p, int wait_ms, struct err *e)
{
	if (ask(p, wait_ms, e) < 0)
		return -1;
	serve_fds(p);
	serve_timers(p);
	return 0;
}

int
poll_step(struct poll *p, int64_t until_ms, struct err *e)
{
	int wait_ms = wait_of(p, until_ms);

	if (wait_ms < 0 && !p->fds)
		return err_set(e, ERR_INTERNAL, "nothing to wait for");
	return serve(p, wait_ms, e);
}

int
poll_run(struct poll *p, const bool *done, int64_t until_ms, struct err *e)
{
	while (!*done) {
		if (poll_step(p, until_ms, e) < 0)
			return -1;
		if (!*done && clock_boot_ms() >= until_ms)
			return 0;
	}
	return 1;
}

const struct pollfd *
poll_want(struct poll *p, size_t *count, int *wait_ms)
{
	fill(p);
	*count = p->count;
	*wait_ms = wait_of(p, POLL_NEVER);
	return p->array;
}

int
poll_dispatch(struct poll *p, struct err *e)
{
	return serve(p, 0, e);
}

void
poll_release(struct poll *p)
{
	while (p->fds)
		poll_remove(p->fds);
	while (p->timers)
		poll_stop_timer(p->timers);
	free(p->array);
	*p = (struct poll){0};
}
