#ifndef DELIVER_TRACE_H
#define DELIVER_TRACE_H
/*
 * trace - reads a channel back, to find out whether a message of ours is there:
 * what was sent in doubt, and too long ago for its nonce to guard it.
 *
 * It is there if one of the messages of that time is Sophia's own, has the
 * nonce, or the same content but for white space (and replies to nothing else),
 * and is none that is accounted for already. It is not if all of them were seen, and at least one
 * message of the channel: where the history may not be read, Discord gives none
 * and no error.
 *
 * Memory   {0} with the first members set, which are borrowed until ended(), is
 *          none under way. It must not move meanwhile; trace_release() at the
 *          end, which is harmless on {0}, or twice.
 */

#include <stdbool.h>
#include <stdint.h>

#include "core/buf.h"
#include "discord/rest.h"

struct err;
struct json;
struct store;

enum trace_end {
	TRACE_RUNS,
	TRACE_FOUND,  /* message is its id */
	TRACE_ABSENT, /* it may be sent */
	TRACE_UNSEEN, /* there is no telling, now or later; why says it */
	TRACE_LATER,  /* Discord is not well */
	TRACE_STOP,   /* the token is refused */
};

struct trace {
	struct rest *rest;
	struct store *tasks;
	const char *us; /* the id of Sophia's own user */
	const char *channel, *nonce, *text;
	const char *reply;  /* what it replies to, or NULL */
	const char *button; /* look for one with this custom id instead */
	/* or for one that this says is it; of our own it is asked */
	bool (*is)(void *ctx, const struct json *message);
	/* Is that message accounted for elsewhere: 1, 0 or -1; NULL for no. */
	int (*known)(void *ctx, const char *message, struct err *e);
	int64_t from_ms, to_ms; /* when it was sent, by Discord's clock */
	void (*ended)(void *ctx);
	void *ctx;

	enum trace_end end; /* to be read from here */
	char message[24];
	char why[512];

	struct rest_call call; /* private */
	struct buf path;
	char after[24];
	int pages;
	bool seen, probe;
};

int trace_start(struct trace *t, struct err *e);
void trace_release(struct trace *t);

#endif
