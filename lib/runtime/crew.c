#include "runtime/crew.h"

#include <stdlib.h>
#include <string.h>

#include "core/buf.h"
#include "core/child.h"
#include "core/clock.h"
#include "core/err.h"
#include "core/mem.h"
#include "core/poll.h"
#include "ext/json.h"
#include "record/control.h"

enum { STRAYS_MAX = 1000, REPLY_LINE_MAX = 4 << 20 };

/* One program of the crew. */
struct crew_hand {
	const struct crew_post *post;
	struct crew *crew;
	struct child child;
	struct crew_job *job; /* NULL when idle */
	struct poll_timer late;
	bool retiring; /* takes no more jobs */
	bool tidying;
	int strays; /* lines that belong to no job of it */
	struct crew_hand *next;
};

static const char *
name_of(const struct crew_hand *h)
{
	const char *slash = strrchr(h->post->argv[0], '/');

	return slash ? slash + 1 : h->post->argv[0];
}

/* The job is over, for its hand; a hand that doesn't serve goes with it. */
static struct crew_job *
finish_job(struct crew_hand *h)
{
	struct crew_job *job = h->job;

	poll_stop_timer(&h->late);
	h->job = NULL;
	if (job)
		job->hand = NULL;
	if (!h->post->serves && !h->retiring) {
		h->retiring = true;
		child_end(&h->child);
	}
	return job;
}

static void
fail_job(struct crew_hand *h, const struct err *why)
{
	struct crew_job *job = finish_job(h);

	if (job)
		job->failed(job->ctx, why);
}

/* It can't be trusted with another job: let it go, by force if need be. */
static void
dismiss(struct crew_hand *h)
{
	h->retiring = true;
	child_cancel(&h->child);
}

/* Does a record with that id belong to the job? One job needs no id. */
static bool
is_for(const struct crew_hand *h, const char *id)
{
	return id ? strcmp(id, h->job->id) == 0 : !h->post->serves;
}

/* It talks nonsense: the job fails, and nothing more is asked of it. */
static void
give_up(struct crew_hand *h, struct err *e)
{
	err_in(e, "%s", name_of(h));
	e->kind = ERR_INTERNAL;
	dismiss(h);
	fail_job(h, e);
}

static void
on_line(void *ctx, const char *text, size_t len, const struct err *bad)
{
	struct crew_hand *h = ctx;
	struct json *record = NULL;
	struct err e = {0};

	if (bad)
		e = *bad;
	if (bad || json_object(&record, text, len, &e) < 0) {
		give_up(h, &e);
		return;
	}
	if (!h->job || !is_for(h, json_string(record, "id")))
		h->strays++;
	else if (h->job->line(h->job->ctx, record))
		finish_job(h);
	json_free(record);
	if (h->strays > STRAYS_MAX && !h->retiring) {
		err_set(&e, ERR_INTERNAL, "it says what nobody asked for");
		give_up(h, &e);
	}
}

static void
on_ended(void *ctx)
{
	struct crew_hand *h = ctx, **at = &h->crew->hands;
	struct err e = {0};

	if (child_verdict(&h->child, &e) >= 0)
		err_set(&e, ERR_INTERNAL, "%s ended without an answer",
		    name_of(h));
	fail_job(h, &e);
	while (*at && *at != h)
		at = &(*at)->next;
	if (*at)
		*at = h->next;
	child_release(&h->child);
	free(h);
}

static void
on_late(void *ctx)
{
	struct crew_hand *h = ctx;
	struct err e = {0};

	err_set(&e, ERR_AGAIN, "%s did not answer in time", name_of(h));
	dismiss(h);
	fail_job(h, &e);
}

static struct crew_hand *
hire(struct crew *c, const struct crew_post *post, struct err *e)
{
	struct crew_hand *h = mem_new(sizeof(*h));

	h->post = post;
	h->crew = c;
	h->late = (struct poll_timer){.fire = on_late, .ctx = h};
	h->child = (struct child){
	    .what = {.argv = post->argv,
		.envp = post->envp,
		.cwd = post->cwd,
		.capture_error = true},
	    .line_limit = post->line_limit ? REPLY_LINE_MAX : 0,
	    .queue_limit = post->line_limit ? post->line_limit + 4096 : 0,
	    .line = on_line,
	    .ended = on_ended,
	    .ctx = h,
	};
	if (child_start(&h->child, c->poll, e) < 0) {
		free(h);
		return NULL;
	}
	h->next = c->hands;
	c->hands = h;
	return h;
}

static struct crew_hand *
idle(struct crew *c, const struct crew_post *post)
{
	struct crew_hand *h = c->hands;

	while (h && (h->post != post || h->job || h->retiring))
		h = h->next;
	return h;
}

int
crew_warm(struct crew *c, const struct crew_post *post, struct err *e)
{
	return idle(c, post) || hire(c, post, e) ? 0 : -1;
}

/*
 * An idle one that takes the line, else a new one. If that reads nothing its
 * answer or its end will come all the same, and say more than we know now.
 */
static struct crew_hand *
engage(struct crew *c, const struct crew_post *post, const char *line,
    size_t len, struct err *e)
{
	struct crew_hand *h;
	struct err why = {0};

	while (post->serves && (h = idle(c, post)) != NULL) {
		if (child_send(&h->child, line, len, &why) == 0)
			return h;
		dismiss(h); /* it died since its last job */
	}
	h = hire(c, post, e);
	if (!h || child_send(&h->child, line, len, &why) == 0 ||
	    why.kind == ERR_REFUSED)
		return h;
	*e = why;
	dismiss(h);
	return NULL;
}

int
crew_give(struct crew *c, const struct crew_post *post, const char *line,
    size_t len, struct crew_job *job, struct err *e)
{
	struct crew_hand *h = engage(c, post, line, len, e);

	if (!h)
		return -1;
	if (!post->serves && !job->talks)
		child_end(&h->child);
	h->job = job;
	job->hand = h;
	if (job->deadline_ms != POLL_NEVER)
		poll_set_timer(c->poll, &h->late, job->deadline_ms);
	return 0;
}

int
crew_say(struct crew_job *job, const char *line, size_t len, struct err *e)
{
	if (!job->hand)
		return err_set(e, ERR_REFUSED, "nobody does the job any more");
	return child_send(&job->hand->child, line, len, e);
}

void
crew_cancel(struct crew_job *job)
{
	struct crew_hand *h = job->hand;
	struct buf line = {0};
	struct err e = {0};

	if (!h)
		return;
	control_write(&line,
	    &(struct control){.kind = CONTROL_CANCEL, .id = job->id});
	/* It may read no more, but is killed below all the same. */
	child_send(&h->child, line.data, line.len - 1, &e);
	buf_release(&line);
	finish_job(h);
	h->retiring = true;
	h->tidying = h->post->tidies;
	child_end(&h->child);
	h->late.fire = on_late;
	poll_set_timer(h->crew->poll, &h->late,
	    clock_boot_ms() + CHILD_GRACE_MS);
}

static bool
anybody_tidies(const struct crew *c)
{
	const struct crew_hand *h = c->hands;

	while (h && !h->tidying)
		h = h->next;
	return h != NULL;
}

void
crew_release(struct crew *c)
{
	const int64_t until_ms = clock_boot_ms() + CHILD_GRACE_MS;
	struct err e = {0};

	while (anybody_tidies(c) && clock_boot_ms() < until_ms && !e.kind)
		poll_step(c->poll, until_ms, &e);
	while (c->hands) {
		struct crew_hand *h = c->hands;

		c->hands = h->next;
		poll_stop_timer(&h->late);
		child_release(&h->child);
		free(h);
	}
}
