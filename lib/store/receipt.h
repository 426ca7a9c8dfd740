#ifndef STORE_RECEIPT_H
#define STORE_RECEIPT_H
/*
 * receipt - the durable record of a change: intent, then outcome.
 *
 *	receipt_intend()   before anything is sent; a call has one, ever
 *	receipt_part()     of several requests: each, before and after it is sent
 *	receipt_end()      what came of it
 *	receipt_settle()   somebody looked whether a change happened of which
 *	                   that was not known
 *
 * The first three are the runner's (store/runner commits them), the last one is
 * for whoever was let in to the task.
 *
 * Order    The functions that write are called within a transaction. What a
 *          scan gives is borrowed until the next call on it; whoever starts
 *          one ends it, and {0} is one that has ended.
 * Errors   ERR_REFUSED if it isn't in a state for that: a second intent, an
 *          outcome without an intent, a settlement of what is known.
 * Units    _ms since 1970 UTC.
 */

#include <stdbool.h>
#include <stdint.h>

#include "ext/db.h"

struct buf;
struct err;
struct part;
struct store;

enum receipt_state {
	RECEIPT_INTENT,
	RECEIPT_SUCCEEDED,
	RECEIPT_PARTIAL, /* its parts say what was done, and what wasn't */
	RECEIPT_FAILED,  /* certainly nothing happened */
	RECEIPT_SKIPPED, /* it was superseded before it was sent */
	RECEIPT_UNKNOWN, /* it was sent, and may have happened */
};

enum settled { SETTLED_NOT, SETTLED_VERIFIED, SETTLED_ATTESTED };

struct receipt {
	const char *task;
	int64_t call; /* N of TASK.N */
	const char *capability;
	const char *arguments; /* JSON */
	const char *nonce;
	const char *text;     /* the operation and its target, in words */
	const char *guild;    /* or NULL, as all that follow */
	const char *items;    /* JSON: numbers of those to be done */
	const char *plan;     /* JSON: the tool's own */
	const char *approval; /* that allowed it */
	enum receipt_state state;

	const char *outcome; /* JSON: the result or error record */
	int64_t intent_ms, outcome_ms;
	enum settled settled;
	bool happened;       /* as was found then */
	const char *settler; /* the actor's id */
	const char *finding; /* what was read, or what a person checked */
};

const char *receipt_word(enum receipt_state state); /* "succeeded" */

/* r up to its state, which is INTENT or SKIPPED. The call must be open. */
int receipt_intend(struct store *s, const struct receipt *r, struct err *e);

/* A part begins (PART_INTENT), the next one in order; or the open one ends. */
int receipt_part(struct store *s, const char *task, int64_t call,
    const struct part *part, struct err *e);

/* What came of it; a part that is open still becomes unknown. */
int receipt_end(struct store *s, const char *task, int64_t call,
    enum receipt_state state, const char *outcome, struct err *e);

struct receipt_scan {
	struct stmt rows;
};

/* One: 0 and *r, or ERR_INPUT if there is none. */
int receipt_get(struct receipt_scan *scan, struct store *s, const char *task,
    int64_t call, struct receipt *r, struct err *e);

/* Those of a task in order, or only those that must be settled. */
void receipt_list(struct receipt_scan *scan, struct store *s, const char *task,
    bool unsettled);
int receipt_next(struct receipt_scan *scan, struct receipt *r, struct err *e);
void receipt_stop(struct receipt_scan *scan);

/* Add its parts, a JSON array of {n, state, [text], [outcome]}. */
int receipt_parts(struct buf *b, struct store *s, const char *task,
    int64_t call, struct err *e);

/*
 * Is that what another change has made, for all that is known of it: 1, 0 or
 * -1. It is an id of Discord's, of whatever.
 */
int receipt_names(struct store *s, const struct receipt *r, const char *id,
    struct err *e);

/* Put on record how it was found: r->settled and what follows. */
int receipt_settle(struct store *s, const struct receipt *r, struct err *e);

/*
 * Intents that nobody will bring to an end become unknown, with their parts and
 * calls; returns how many.
 */
int64_t receipt_lose(struct store *s, const char *task, struct err *e);

/*
 * 0, or ERR_REFUSED if the outcome of a change in the task is unknown and
 * nobody has settled it by verification or attestation.
 */
int receipt_settled(struct store *s, const char *task, struct err *e);

#endif
