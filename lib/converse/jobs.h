#ifndef CONVERSE_JOBS_H
#define CONVERSE_JOBS_H
/*
 * jobs - the turns at work: each a sophia-loop of its own, so many at a time.
 *
 * They are begun from the inbox, the oldest first; a task does one turn at a
 * time. A request leaves the inbox when its turn is on the disk, which the loop
 * says by naming the task. If it can't be begun it is tried again, a little
 * later each time; one that never can is answered with what was in the way,
 * as a turn that failed, so that its outcome is delivered like any other.
 *
 * Memory   {0} with the first members set. It must not move while a turn runs.
 *          jobs_release() ends those that run: their tasks are paused.
 * Errors   jobs_fill(): those of ext/db.
 */

#include <stdbool.h>
#include <stdint.h>

#include "adapter/client.h"
#include "core/poll.h"
#include "record/turn.h"

struct json;
struct settings;
struct store;

struct job {
	struct turn turn; /* to be read, as is client.task once it is known */
	struct client client;
	bool begun;  /* its turn is on the disk */
	void *shown; /* whoever shows how it goes keeps something here */

	struct jobs *owner; /* private from here */
	struct json *record;
	int64_t tries;
	struct job *next;
};

struct jobs {
	struct poll *poll;
	struct store *tasks;
	int limit; /* at one time */
	bool shut; /* nobody can tell who may be answered: all wait */
	bool hold; /* late requests are not begun yet */
	bool (*welcome)(void *ctx, const struct turn *t); /* still, to begin */
	void (*heard)(void *ctx, struct job *j, const struct client_event *x);
	void (*over)(void *ctx, struct job *j); /* it goes after this */
	void *ctx;

	int count; /* at work, to be read */
	bool
	    stale; /* the inbox has to be looked at: set it for a new request */

	struct job *first; /* private from here */
	struct poll_timer due;
};

/*
 * See to those that have ended, and begin what may begin now. To be called
 * after each step of the poll.
 */
int jobs_tend(struct jobs *js, const struct settings *s, struct err *e);

/* The job at work on a task, or NULL. */
struct job *jobs_find(const struct jobs *js, const char *task);

/* What was being begun is called off, unless it has begun. */
void jobs_cancel(struct jobs *js, const char *turn);

/* How many requests wait to be begun; or -1. */
int jobs_waiting(const struct jobs *js, struct err *e);

void jobs_kill(struct jobs *js); /* ask all of them to end */
void jobs_release(struct jobs *js);

#endif
