#ifndef TOOL_SERVE_H
#define TOOL_SERVE_H
/*
 * serve - the side of a tool's program that answers: calls in, a line each;
 * for each of them one result or error out, with the call's id.
 *
 * It does one call at a time. A line that is no call is answered by an error
 * without an id.
 *
 * Waiting   A call that may take long waits in the poll loop of its serve_talk.
 *           There it hears that it is given up, by a `cancel` of its id or by a
 *           signal, and ends as soon as it can. To the others a cancel comes
 *           too late to mean anything: who wants to give one up kills the
 *           program. The end of the input is no cancel.
 * Changes   A tool that can change something has two functions. check() only
 *           reads: it fails if the change would certainly fail, and else says
 *           in concrete what it would do. act() does it. Between the two the
 *           loop decides, asks a person, and commits the intent; so act() looks
 *           again at whatever must still hold.
 * Requests  An act() of one request just makes it. One of several takes each
 *           between serve_part_begin() and serve_part_end(), so that what was
 *           done is known whenever it is cut off.
 * Outcome   act() fails with ERR_UNKNOWN if a request was sent and what came of
 *           it isn't known; with any other kind only if certainly nothing was
 *           done, except for the parts that succeeded. The program ignores
 *           SIGPIPE (start_without_sigpipe()): what was begun is ended.
 */

#include <stdbool.h>
#include <stdint.h>

#include "core/buf.h"
#include "record/part.h"
#include "record/proposal.h"

struct call;
struct err;
struct hearing;
struct poll;

/* What a result carries, each empty for none; all but two are JSON text. A
 * failure has its candidates, if one of them was meant. */
struct answer_parts {
	struct buf summary, cursor;
	struct buf data, sources, coverage, reveal;
	struct buf artifacts, media, more; /* see record/result */
	struct buf candidates; /* of a failure: an array, if it is ambiguous */
	bool partly;           /* not all of it was done; summary says why */
};

/* Fill in the parts and return 0, or return -1. */
typedef int serve_fn(void *ctx, const struct call *call, struct answer_parts *a,
    struct err *e);

struct serve {
	const char *capability; /* NULL ends the table */
	serve_fn *answer;
};

/* A call that may take long. */
struct serve_talk {
	const struct call *call;
	struct poll *poll;
	/* Set by the tool: called once, in poll_step(), if it is given up. */
	void (*cancelled)(void *ctx);
	void *ctx;

	bool given_up; /* to be read */
	bool stopped;  /* private */
};

typedef int serve_long_fn(void *ctx, struct serve_talk *t,
    struct answer_parts *a, struct err *e);

struct serve_long {
	const char *capability; /* NULL ends the table */
	serve_long_fn *answer;
};

/* Tell the person who waits how far it is. */
void serve_progress(const struct serve_talk *t, const char *text);

/* What a check proposes: the fields of record/proposal, "" for none. */
struct proposal_parts {
	struct buf text, guild, destination;
	struct buf targets, items; /* by the functions below */
	int64_t count;             /* of items; a lone one is left out */
	struct buf plan; /* an object that is open: jsonw_id(&p->plan, ...);
			    act() finds it as call->plan */
};

void serve_target(struct proposal_parts *p, const struct proposal_target *t);

/* One of several things that may be done or left. They are numbered from 1. */
void serve_item(struct proposal_parts *p, const char *category,
    const char *text);

/* A call that is being acted on. */
struct serve_act {
	const struct call *call;
	struct hearing *hearing; /* private from here */
	int64_t parts;
};

/* May the item n that was proposed be done? A person may have left it out. */
bool serve_may(const struct serve_act *w, int64_t n);

/*
 * Announce the next request, in words, and wait until that is on disk. Returns
 * the number of the part. ERR_REFUSED if it may not be made: then make no other
 * one either, and say in a result what was done before, if anything was.
 */
int64_t serve_part_begin(struct serve_act *w, const char *text, struct err *e);

/* How it ended; data is JSON text, or NULL. */
int serve_part_end(struct serve_act *w, enum part_state state, const char *data,
    struct err *e);

typedef int serve_check_fn(void *ctx, const struct call *call,
    struct proposal_parts *p, struct err *e);
typedef int serve_act_fn(void *ctx, struct serve_act *w, struct answer_parts *a,
    struct err *e);

struct serve_change {
	const char *capability; /* NULL ends the table */
	serve_check_fn *check;
	serve_act_fn *act;
};

/* What a program serves; any of them may be NULL. */
struct serve_tables {
	const struct serve *plain;
	const struct serve_long *longs;
	const struct serve_change *changes;
};

/*
 * Answer what comes through the descriptor until its end. Returns 1, or -1 if
 * it can't go on, also since a signal came while a call ran.
 */
int serve_run_all(int in, const struct serve_tables *tables, void *ctx,
    struct err *e);
int serve_run_changes(int in, const struct serve *table,
    const struct serve_change *changes, void *ctx, struct err *e);
int serve_run(int in, const struct serve *table, void *ctx, struct err *e);

#endif
