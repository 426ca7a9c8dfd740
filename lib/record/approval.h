#ifndef RECORD_APPROVAL_H
#define RECORD_APPROVAL_H
/*
 * approval - a person must say yes before these calls are made: one request for
 * all the changes of a reply, item by item.
 *
 * Items    Calls that are one thing each have one item, n 0. A call on several
 *          things has one for each of them, n as its proposal numbered them;
 *          the arguments stand at the first item of a call only.
 * Memory   approval_read() allocates the list of items, approval_release()
 *          frees it; texts are borrowed, as in record/any.
 * Errors   as in record/any.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/tier.h"
#include "record/value.h"

struct buf;
struct err;
struct json;

enum { APPROVAL_ITEMS_MAX = 1000 };

struct approval_item {
	const char *call; /* TASK.N */
	int64_t n;        /* within the call, from 1; 0: all of it */
	const char *capability;
	enum tier tier;
	bool confirm;           /* to approve it takes saying so twice */
	struct value arguments; /* object; none but at a call's first item */
	const char *category;   /* what can be chosen together */
	const char *text;       /* what would be done, in words */
};

struct approval {
	const char *id, *task, *turn;
	const char *text;   /* the whole of it, in words */
	bool confirm;       /* an item needs it */
	int64_t expires_ms; /* nobody can decide it from then on */
	struct approval_item *items;
	size_t count;
};

int approval_read(struct approval *x, const struct json *root, struct err *e);
void approval_write(struct buf *b, const struct approval *x);
void approval_release(struct approval *x); /* harmless on {0}, or twice */

#endif
