#ifndef RUNTIME_EXECUTOR_INSIDE_H
#define RUNTIME_EXECUTOR_INSIDE_H
/* executor_inside - what the parts of the executor share. */

#include <stdbool.h>
#include <stdint.h>

#include "record/nonce.h"
#include "record/proposal.h"
#include "runtime/crew.h"
#include "runtime/executor.h"
#include "runtime/outcome.h"

struct access_decision;
struct json;
struct receipt;

/* One change on its way. */
struct deed {
	struct executor *executor;
	struct batch_call *call;
	int64_t n; /* of the call in its task */
	char nonce[NONCE_LEN + 1];
	bool valid, ended;

	struct json *record; /* what the tool proposed, if it did */
	struct proposal proposal;

	bool asks,
	    confirm; /* by the decision; confirm: it takes saying twice */
	bool approved, confirmed;
	char approval[ID_LEN + 1]; /* in which it was */
	struct buf items;          /* those that may be done; empty: all */

	struct crew_job job;
	struct outcome_parts parts; /* as it acts */
	bool lost;                  /* what was done can't be told any more */
};

/* Is it one that goes on: proposed, and not refused meanwhile? */
bool deed_goes(const struct deed *f);

/* It ends without having been sent. */
void deed_refuse(struct deed *f, const struct err *why, const char *code);
void deed_skip(struct deed *f, const char *why);

/*
 * May it be made, as everything is now: 1 and *d, to be released; 0 while roles
 * are asked for; -1 and *e if the settings can't be read. early: nothing is
 * proposed yet.
 */
int executor_decide(struct executor *x, const struct deed *f, bool early,
    struct access_decision *d, struct err *e);

/* 0, or why its text may not be read at its destination. */
int executor_publication(struct executor *x, const struct deed *f,
    struct err *e);

/* EXECUTOR_LOOK: true if there is more to do at once. */
bool executor_look(struct executor *x);

/* EXECUTOR_ASK: begin to ask for all that must be; read what was decided. */
void executor_ask(struct executor *x);
void executor_heard(struct executor *x);
void executor_unask(struct executor *x);

/* EXECUTOR_LOCK: true if there is more to do at once. */
bool executor_dispatch(struct executor *x);

/* To the next one, whatever became of this one. */
bool executor_next(struct executor *x);

/* EXECUTOR_ACT: what its tool says, or that it is gone; see runtime/crew. */
bool deed_heard(void *ctx, const struct json *record);
void deed_died(void *ctx, const struct err *why);

/* The tool is done with it: judge, store, go on. record is its last word. */
void deed_finish(struct deed *f, enum outcome_end end,
    const struct json *record, const struct err *why);

#endif
