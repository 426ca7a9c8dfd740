#ifndef STORE_TRANSCRIPT_H
#define STORE_TRANSCRIPT_H
/*
 * transcript - what was said and done in a task, in order, to build a context
 * from: per turn its request, then per round the model's message and its calls
 * with their outputs, then what the person was told.
 *
 * Memory   Texts are borrowed until the next call. {0} is an empty one. It
 *          holds a read transaction: read it through, then end it; don't wait
 *          within.
 */

#include <stdint.h>

#include "ext/db.h"

struct store;

enum entry_kind {
	/* text; record: the turn as JSON; name: the actor's id */
	ENTRY_REQUEST,
	ENTRY_ROUND, /* record: the assistant's message as JSON */
	/* n; name: capability; text: summary; record: output or "" */
	ENTRY_CALL,
	ENTRY_ANSWER, /* text */
};

struct entry {
	enum entry_kind kind;
	const char *turn;  /* id */
	const char *name;  /* "" where there is none */
	const char *state; /* of the turn or call, as a word */
	const char *text;
	const char *record;
	int64_t n; /* of the call or round */
	int64_t at_ms;
};

struct transcript {
	struct stmt rows;
};

void transcript_start(struct transcript *t, struct store *s, const char *task);
int transcript_next(struct transcript *t, struct entry *x, struct err *e);
void transcript_end(struct transcript *t);

#endif
