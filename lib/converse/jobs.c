#include "converse/jobs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/buf.h"
#include "core/clock.h"
#include "core/crash.h"
#include "core/err.h"
#include "core/log.h"
#include "core/mem.h"
#include "ext/json.h"
#include "record/error.h"
#include "store/base.h"
#include "store/inbox.h"
#include "store/recovery.h"
#include "store/runner.h"
#include "store/settings.h"

enum {
	TRIES_MAX = 7,
	FIRST_WAIT_MS = 1000, /* doubled with each try */
};

struct job *
jobs_find(const struct jobs *js, const char *task)
{
	struct job *j = js->first;

	while (j && strcmp(j->client.task, task) != 0 &&
	       (!j->turn.task || strcmp(j->turn.task, task) != 0))
		j = j->next;
	return j;
}

static bool
runs(const struct jobs *js, const char *turn)
{
	const struct job *j = js->first;

	while (j && strcmp(j->turn.id, turn) != 0)
		j = j->next;
	return j != NULL;
}

static int
settle(struct store *s, const char *turn, struct err *e)
{
	CRASH_POINT("inbox.settle");
	if (store_begin(s, e) == 0 && inbox_settle(s, turn, e) == 0)
		return store_commit(s, e);
	store_rollback(s);
	return -1;
}

/* A turn that has no other outcome than why it can't be. */
static int
give_up(struct store *s, const struct turn *asked, const struct err *why,
    const struct settings *settings, struct err *e)
{
	struct turn turn = *asked;
	struct runner r = {0};
	struct buf record = {0};
	char claim[ID_LEN + 8];
	int rc;

	turn.task = NULL; /* that one may not be touched */
	snprintf(claim, sizeof(claim), "turn:%s", turn.id);
	error_write_err(&record, NULL, why);
	rc = runner_start(&r, s, &turn, claim,
	    settings_text(settings, "profile"), e);
	if (rc > 0)
		rc = runner_finish(&r,
		    &(struct ending){.verdict = DONE_FAILED,
			.reason = err_word(why->kind),
			.text = why->text,
			.record = buf_text(&record)},
		    e);
	runner_release(&r);
	buf_release(&record);
	return rc < 0 ? -1 : settle(s, turn.id, e);
}

/* May the same be tried again, or would it fail again? */
static bool
is_passing(const struct job *j)
{
	switch (j->client.error.kind) {
	case ERR_INPUT:
	case ERR_REFUSED:
	case ERR_DENIED:
	case ERR_CONFIG: return false;
	default: return j->tries < TRIES_MAX;
	}
}

static void
free_job(struct job *gone)
{
	client_release(&gone->client);
	json_free(gone->record);
	free(gone);
}

static void
drop(struct jobs *js, struct job *gone)
{
	struct job **at = &js->first;

	while (*at != gone)
		at = &(*at)->next;
	*at = gone->next;
	js->count--;
	free_job(gone);
}

static void
on_heard(void *ctx, const struct client_event *x)
{
	struct job *j = ctx;
	struct err e = {0};

	if (x->kind == CLIENT_TASK && !j->begun) {
		j->begun = true;
		if (settle(j->owner->tasks, j->turn.id, &e) < 0)
			log_complain(&e); /* the next start sweeps it */
	}
	j->owner->heard(j->owner->ctx, j, x);
}

static int
on_ended(struct jobs *js, struct job *j, const struct settings *s,
    struct err *e)
{
	const struct err *why = &j->client.error;
	struct recovered found;
	int rc = 0;

	js->over(js->ctx, j);
	if (!j->client.done) /* it died: what it left is paused now */
		rc = recovery_run(js->tasks, &found, e);
	if (rc == 0 && !j->begun && !is_passing(j))
		rc = give_up(js->tasks, &j->turn, why, s, e);
	else if (rc == 0 && !j->begun)
		log_warn("turn %s: %s; it is tried again", j->turn.id,
		    why->text);
	drop(js, j);
	js->stale = true;
	return rc;
}

/* The record of the row becomes a job's turn, but nothing runs yet. */
static struct job *
job_of(struct jobs *js, const struct inbox_row *row, struct err *e)
{
	struct job *j = mem_new(sizeof(*j));

	if (json_object(&j->record, row->record, strlen(row->record), e) < 0 ||
	    turn_read(&j->turn, j->record, e) < 0) {
		json_free(j->record);
		free(j);
		return NULL;
	}
	j->owner = js;
	j->tries = row->tries + 1;
	j->client = (struct client){.heard = on_heard, .ctx = j};
	return j;
}

/* That it is tried is on the disk first: a crash in it counts as a try. */
static int
note_try(struct jobs *js, const struct job *j, struct err *e)
{
	const int64_t times = j->tries < TRIES_MAX ? j->tries : TRIES_MAX;
	const int64_t due_ms = clock_now_ms() +
			       ((int64_t)FIRST_WAIT_MS << times);

	CRASH_POINT("inbox.try");
	if (store_begin(js->tasks, e) == 0 &&
	    inbox_tried(js->tasks, j->turn.id, due_ms, e) == 0)
		return store_commit(js->tasks, e);
	store_rollback(js->tasks);
	return -1;
}

static int
begin(struct jobs *js, struct job *j, struct err *e)
{
	int noted = note_try(js, j, e);

	CRASH_POINT("inbox.try.done");
	if (noted < 0 || client_start(&j->client, js->poll, &j->turn, e) < 0) {
		json_free(j->record);
		free(j);
		return -1;
	}
	j->next = js->first;
	js->first = j;
	js->count++;
	return 0;
}

/* Whoever asked was let in then, but is not now. */
static int
let_go(struct jobs *js, struct job *j, struct err *e)
{
	int rc = settle(js->tasks, j->turn.id, e);

	json_free(j->record);
	free(j);
	return rc;
}

/* May the row begin now? If it may later, *due_ms is made no later. */
static bool
is_ready(const struct jobs *js, const struct inbox_row *row, int64_t *due_ms)
{
	if ((js->hold && row->late) || runs(js, row->turn) ||
	    (row->task && jobs_find(js, row->task)))
		return false;
	if (row->due_ms <= clock_now_ms())
		return true;
	if (row->due_ms < *due_ms)
		*due_ms = row->due_ms;
	return false;
}

static void
on_due(void *ctx)
{
	struct jobs *js = ctx;

	js->stale = true;
}

static int
fill(struct jobs *js, struct err *e)
{
	struct stmt scan = {0};
	struct inbox_row row = {0};
	int64_t due_ms = INT64_MAX;
	int got = 0;

	js->stale = false;
	js->due.fire = on_due;
	js->due.ctx = js;
	while (js->count < js->limit &&
	       (got = inbox_next(&scan, js->tasks, row.id, &row, e)) > 0) {
		struct job *j;

		if (!is_ready(js, &row, &due_ms))
			continue;
		j = job_of(js, &row, e);
		stmt_reset(&scan);
		if (j && !js->welcome(js->ctx, &j->turn))
			got = let_go(js, j, e);
		else
			got = j ? begin(js, j, e) : -1;
		if (got < 0)
			break;
	}
	stmt_end(&scan);
	if (due_ms < INT64_MAX)
		poll_set_timer(js->poll, &js->due,
		    clock_boot_ms() + due_ms - clock_now_ms());
	return got < 0 ? -1 : 0;
}

int
jobs_tend(struct jobs *js, const struct settings *s, struct err *e)
{
	struct job *j = js->first, *next;
	int rc = 0;

	for (; j && rc == 0; j = next) {
		next = j->next;
		if (j->client.ended)
			rc = on_ended(js, j, s, e);
	}
	return rc == 0 && js->stale && !js->shut ? fill(js, e) : rc;
}

int
jobs_waiting(const struct jobs *js, struct err *e)
{
	struct stmt scan = {0};
	struct inbox_row row = {0};
	int n = 0, got;

	while ((got = inbox_next(&scan, js->tasks, row.id, &row, e)) > 0)
		n += !runs(js, row.turn);
	stmt_end(&scan);
	return got < 0 ? -1 : n;
}

void
jobs_cancel(struct jobs *js, const char *turn)
{
	for (struct job *j = js->first; j; j = j->next)
		if (!j->begun && strcmp(j->turn.id, turn) == 0)
			client_kill(&j->client);
}

void
jobs_kill(struct jobs *js)
{
	for (struct job *j = js->first; j; j = j->next)
		client_kill(&j->client);
}

void
jobs_release(struct jobs *js)
{
	struct job *j;

	while ((j = js->first) != NULL) {
		js->first = j->next;
		js->over(js->ctx, j);
		free_job(j);
	}
	js->count = 0;
	poll_stop_timer(&js->due);
}
