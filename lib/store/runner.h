#ifndef STORE_RUNNER_H
#define STORE_RUNNER_H
/*
 * runner - the durable side of one turn, for the process that runs it.
 *
 * In this order, each of them one commit (one sync of the disk) or none:
 *
 *	runner_start()      claim + turn + task + first event; takes the task's
 *	                    lock run/task.ID, which its death releases
 *	per step:
 *	  runner_poll()     no disk access if nobody committed; then
 *	  runner_told()     steer, stop, decision, invalidate, in order
 *	  runner_calls()    what the model said + its calls, unless a control
 *	                    row came first
 *	  runner_results()  their results + sources + evidence
 *	runner_finish()     outcome + outbox + last event; drops the lock
 *	runner_release()
 *
 * These begin and commit themselves; no transaction may be open. Nothing else
 * may finish a task: without the lock there is no runner.
 *
 * Memory   Texts of a struct told are borrowed until the next runner call.
 * Errors   ERR_AGAIN locked by others; ERR_INPUT and ERR_REFUSED as said
 *          below; else those of ext/db. After an error of runner_calls() or
 *          runner_results() nothing of it is stored, and it may be repeated.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/id.h"
#include "core/lock.h"
#include "ext/db.h"
#include "record/done.h"
#include "record/paused.h"
#include "record/turn.h"
#include "store/tombstone.h"

struct buf;
struct call;
struct err;
struct json;
struct store;

struct runner {
	struct store *store;
	char task[ID_LEN + 1], turn[ID_LEN + 1];
	bool resumed;          /* it goes on with a task that was there */
	bool asks;             /* before each change, as it was begun */
	int64_t calls, rounds; /* numbered so far, over all turns */
	int64_t started_ms;

	struct lock lock; /* private from here */
	struct stmt told;
	struct tombstones stones;
	int64_t seen, stops, version;
	bool dirty;
};

/*
 * Begin a turn: of a new task, or of the one that t->task names, which then
 * must be the actor's, in its location, and not running (a completed one is
 * reopened). `claim` is what may start one turn only: "message:ID",
 * "interaction:ID", "turn:ID"; profile is the one that holds where the turn
 * names none. Returns 1; or 0 if the claim was taken before: then there is
 * nothing to do. ERR_INPUT there is no such task; ERR_DENIED it is another's,
 * which only an operator is told; ERR_AGAIN another process runs it;
 * ERR_REFUSED a receipt is unknown or an approval pending.
 */
int runner_start(struct runner *r, struct store *s, const struct turn *t,
    const char *claim, const char *profile, struct err *e);

/* May there be something new to be told: 1, 0 or -1. Cheap: ask often. */
int runner_poll(struct runner *r, struct err *e);

enum told_kind { TOLD_STEER, TOLD_STOP, TOLD_DECISION, TOLD_INVALIDATE };

struct told {
	int64_t id;
	enum told_kind kind;
	const char *actor, *actor_name; /* who decided it */
	const char *text;               /* NULL if there is none */
	const char *data;               /* JSON, or NULL */
	int64_t at_ms;
};

/* The next control row that wasn't seen yet: 1, 0 or -1. */
int runner_told(struct runner *r, struct told *t, struct err *e);

/*
 * Store what the model said (message: JSON of the assistant's message in a
 * request record) and the n calls it asked for, whose capability, arguments
 * and tier are read; they get the numbers r->calls + 1 and on, in order.
 * Returns 1; or 0, with nothing stored, if there is a control row unseen:
 * the decision is stale.
 */
int runner_calls(struct runner *r, const char *message,
    const struct call *calls, size_t n, struct err *e);

enum call_state {
	CALL_OPEN, /* not to be given: it is how each begins */
	CALL_OK,
	CALL_ERROR,
	CALL_SKIPPED, /* it was not started, and won't be */
	CALL_UNKNOWN, /* it was sent, its outcome is not known */
};

struct outcome {
	int64_t n; /* of the call */
	enum call_state state;
	const char *summary; /* or NULL */
	const char *output;  /* the result or error record as a line, or NULL */
	const struct json *sources; /* of the result, or NULL */
};

/*
 * Returns 1 if less of one was stored, since a source is gone that it shows, or
 * that had been shown before it was asked for (store/late); else 0.
 */
int runner_results(struct runner *r, const struct outcome *outcomes, size_t n,
    struct err *e);

/* Add the turn's record as it is stored: it may have lost a gone source. */
int runner_turn(struct runner *r, struct buf *b, struct err *e);

/* Add what is stored of a call's output, if there is some. */
int runner_output(struct runner *r, int64_t n, struct buf *b, struct err *e);

struct ending {
	enum done_verdict verdict;
	const char *reason; /* why it paused or failed: a word; else NULL */
	const char *text;   /* what the person is told */
	const char
	    *record; /* JSON of the record to deliver, or NULL for none */
};

/*
 * End the turn. Calls still open become `skipped`. An answered turn completes
 * its task, unless goals are open: then it is paused, reason "goals".
 * Returns the task's state (enum task_state) and drops the lock. TASK_RUNNING
 * means that nothing is stored: a control row is unseen, so that the answer is
 * stale. ERR_REFUSED if the turn was ended before.
 */
int runner_finish(struct runner *r, const struct ending *end, struct err *e);

/* Begin a transaction that is to write, for another module of the store. */
int runner_write(struct runner *r, struct err *e);

/* Let go without an ending: the task is found interrupted. Harmless on {0}. */
void runner_release(struct runner *r);

#endif
