#ifndef RUNTIME_BATCH_H
#define RUNTIME_BATCH_H
/*
 * batch - the calls that a model asked for together, made.
 *
 * Order    Calls that only read run side by side, BATCH_AT_ONCE at most. Any
 *          other waits for all before it, and those after it wait for it.
 * Errors   Whatever is wrong with a call becomes its answer, for the model to
 *          read: an unknown tool, bad arguments, a tool that failed.
 * Changes  What can change something is made by runtime/executor, those in a
 *          row together.
 * Memory   A batch copies what it needs of the calls. It must not move while it
 *          runs; batch_release() gives up what still does.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/buf.h"
#include "record/context.h"
#include "record/request.h"
#include "runtime/crew.h"
#include "runtime/handing.h"

enum { BATCH_AT_ONCE = 8, BATCH_OUTPUT_MAX = 1 << 20 };

struct err;
struct executor;
struct guard;
struct json;
struct kit;
struct manifest;
struct poll;
struct store;

struct batch_call {
	char id[64];                 /* TASK.N */
	char *provider_id;           /* to be read; as the model named it */
	char *name;                  /* of the tool the model asked for */
	char *arguments;             /* as the model wrote them */
	const struct manifest *tool; /* NULL: there is none of that name */
	struct json *input;          /* the arguments, if they are an object */
	enum batch_state { BATCH_WAITS, BATCH_RUNS, BATCH_ENDED } state;
	bool ok, skipped, repeated;
	bool stored;       /* its end is on the disk already */
	struct buf output; /* once ended: the result or error record, a line,
			      which begins with its type and our id */
	char summary[512];

	struct crew_job job; /* private from here */
	struct handing handing;
	struct batch *batch;
};

struct batch {
	struct kit *kit;
	struct crew *crew;
	struct guard *guard;
	struct store *store;       /* of tasks */
	struct executor *executor; /* whose callbacks are its owner's */
	struct context context;    /* of the turn, for the tools */
	void (*progress)(void *ctx, const char *text);
	void *ctx;

	struct batch_call *calls; /* to be read */
	size_t count, left;       /* left: not ended yet */
	bool warn, pause;         /* what the guard says of the model */
};

/* Take the calls of a reply, numbered from first. Nothing starts yet. */
void batch_take(struct batch *r, const struct request_call *calls, size_t count,
    int64_t first);

/* Start what may start now. Call it again whenever left has changed. */
void batch_go(struct batch *r);

/* Calls that have not started never will; those that run go on. */
void batch_skip(struct batch *r, const char *why);

/* Calls that only read are given up, too; those that change go on. */
void batch_stop(struct batch *r, const char *why);

void batch_release(struct batch *r);

/* ---- for the executor: a call of its own ---- */

/* Refuse, in words for the model, what can't be made: -1 with *e. */
int batch_check(struct batch_call *c, struct err *e);

/* Its answer: an error, the code being a word for a program or NULL; or the
 * record of its tool, which is a result or an error. */
void batch_write_error(struct batch_call *c, const struct err *why,
    const char *code);
void batch_write_record(struct batch_call *c, const struct json *record,
    bool result);
void batch_end(struct batch_call *c); /* it has its answer */

#endif
