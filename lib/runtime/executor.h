#ifndef RUNTIME_EXECUTOR_H
#define RUNTIME_EXECUTOR_H
/*
 * executor - changes: the only way to a tool that can change something.
 *
 * The changes that a model asks for in a row are taken together. For each, in
 * order: validate, decide whether the person may (access/decide, with roles as
 * Discord gives them now), have the tool look (its check), decide again about
 * what the tool proposes, and whether its text may be read where it goes. What
 * must be asked is asked in one approval. Then, one after the other: take the
 * lock of the server, decide everything once more, commit the intent together
 * with the fact that nobody has said anything new, look once more, let the tool
 * act, commit the outcome.
 *
 * Once      A call is sent to act once, ever: its receipt is made before, and
 *           a second one of the same call can't be.
 * Refused   is an ordinary answer for the model, with the reason. A denial, a
 *           correction and an approval that ran out have words of their own.
 * Skipped   What isn't sent yet when somebody steers, or stops, won't be
 *           (executor_skip). What is sent gets its outcome; of a change of
 *           several requests those that are still to come are left.
 * Doubt     Where it isn't known what came of a change, nothing else is made,
 *           and `doubt` says what is to be checked: the turn must pause without
 *           asking the model again.
 * Store     broken.kind is set when something couldn't be stored. Nothing was
 *           sent after that.
 *
 * Order     executor_take(), then executor_go() whenever something may have
 *           happened, until it is no longer busy.
 * Memory    {0} with the first members set. It must not move while it is busy.
 */

#include <stdbool.h>
#include <stddef.h>

#include "core/buf.h"
#include "core/err.h"
#include "core/id.h"
#include "core/lock.h"
#include "core/poll.h"
#include "record/context.h"
#include "runtime/roles.h"

struct batch_call;
struct crew;
struct deed;
struct kit;
struct runner;

struct executor {
	struct kit *kit;
	struct crew *crew;
	struct poll *poll;
	struct runner *runner;
	struct context context;  /* of the turn */
	bool task_asks;          /* before each change, whatever was granted */
	struct buf *out;         /* records for the adapter, */
	void (*said)(void *ctx); /* which are there now */
	void (*progress)(void *ctx, const char *text);
	void *ctx;

	bool stop;   /* to be read: the person said stop when asked, */
	bool lapsed; /* or nobody could be asked, or in time */
	struct buf correction; /* what the person said instead */
	struct buf doubt;      /* a line for each change that isn't known */
	struct err broken;

	enum executor_step {
		EXECUTOR_IDLE,
		EXECUTOR_LOOK, /* may they, and what would it be */
		EXECUTOR_ASK,  /* a person decides */
		EXECUTOR_LOCK, /* nobody else changes that server */
		EXECUTOR_ACT,  /* the tool acts */
	} step;                /* private from here */
	struct deed *deeds;
	size_t count, at;
	bool looks;  /* the tool of the deed at `at` is at it */
	bool halted; /* no part begins any more */
	struct roles roles;
	struct lock lock;
	struct poll_timer timer;
	char approval[ID_LEN + 1];
	bool decided; /* perhaps */
	bool waited;  /* for the lock, and said so */
};

/* Take the calls, which are changes by their manifests. It must be idle. */
void executor_take(struct executor *x, struct batch_call *calls, size_t count);

/* Do what can be done now. */
void executor_go(struct executor *x);

bool executor_busy(const struct executor *x);

/* A tool acts: its outcome must be waited for. */
bool executor_acts(const struct executor *x);

/* A control row says that something was decided; it counts as seen. */
void executor_decision(struct executor *x);

/* What isn't sent won't be: why, in words for the model. */
void executor_skip(struct executor *x, const char *why);

/* The turn breaks down: what is sent is in doubt, and its tool is left. */
void executor_lose(struct executor *x);

void executor_release(struct executor *x); /* harmless on {0}, or twice */

#endif
