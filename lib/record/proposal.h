#ifndef RECORD_PROPOSAL_H
#define RECORD_PROPOSAL_H
/*
 * proposal - what a call would change, in concrete: a tool to the loop, in
 * answer to a call with PHASE_CHECK. The tool has looked, and changed nothing.
 * Memory and errors as in record/any.
 */

#include <stdint.h>

#include "record/value.h"

struct buf;
struct err;
struct json;

/* A destination: the direct messages of whoever asks, who alone reads it. */
#define PROPOSAL_ASKER "@me"

struct proposal {
	const char *id;    /* of the call; NULL from a program for one job */
	const char *text;  /* the operation and its target: words, names, ids */
	const char *guild; /* where it is made; NULL if in none */
	struct value targets; /* array: what is changed */
	/* channel where text becomes visible, or PROPOSAL_ASKER, or NULL */
	const char *destination;
	/* array of {n, category, text}: at least two, each of which can be
	 * done without the others; or none */
	struct value items;
	/* object, given back to the tool when it acts, and kept with the
	 * receipt: just what was proposed is done, and can be looked for */
	struct value plan;
};

/* What a target is. */
enum proposal_kind {
	PROPOSAL_CHANNEL,
	PROPOSAL_ROLE,
	PROPOSAL_MEMBER,
	PROPOSAL_MESSAGE,
	PROPOSAL_TASK,
};

struct proposal_target {
	enum proposal_kind kind;
	const char *id;
	const char *name; /* or NULL */
	/* Of a channel or message, arrays of ids: the channels that it is in
	 * (its own, a thread's parent, the category), [] for none, and those
	 * that are in it. Without above they aren't known, and whatever is
	 * protected may be one of them. */
	struct value above, below;
};

struct proposal_item {
	int64_t n; /* from 1 */
	const char *category, *text;
};

/* Each looks at all of it: what a reader took holds together. */
int proposal_read(struct proposal *x, const struct json *root, struct err *e);
void proposal_write(struct buf *b, const struct proposal *x);

/* One of the array; it was looked at by proposal_read(). */
int proposal_target_read(struct proposal_target *t, const struct json *v,
    struct err *e);
void proposal_target_write(struct buf *b, const struct proposal_target *t);
int proposal_item_read(struct proposal_item *x, const struct json *v,
    struct err *e);
void proposal_item_write(struct buf *b, const struct proposal_item *x);

#endif
