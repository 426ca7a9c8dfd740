#ifndef HISTORY_SPLIT_H
#define HISTORY_SPLIT_H
/*
 * split - cut a chat archive of any size into its message objects.
 *
 * It matches brackets and reads no more JSON than that, so that memory is
 * bounded by one message. Fed bytes, it hands back slices; whoever takes them
 * parses each. It knows three shapes by their first bytes:
 *
 *	{ ... "messages": [ M, M, ... ] ... }	an export: head, then messages
 *	[ M, M, ... ]				a page of messages
 *	M M M ...				one a line (or not), NDJSON
 *
 * Order    split_room() and split_wrote(), then split_next() until it says 0,
 *          and so on; at the end of the input split_end().
 * Memory   a slice is borrowed until the next split_room().
 * Limits   an object of more than SPLIT_LONGEST bytes is passed over and
 *          reported as SPLIT_TOO_LONG; nesting is limited to 64 levels.
 * Errors   ERR_INPUT with line and byte. After one, it stays in error. What it
 *          handed back before is good.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/buf.h"

struct err;

enum { SPLIT_LONGEST = 8 << 20 };

enum split_kind {
	SPLIT_HEAD,    /* of an export: its object so far, with no messages */
	SPLIT_MESSAGE, /* of an export or a page */
	SPLIT_LINE,    /* an object on its own */
	SPLIT_TOO_LONG /* no slice */
};

struct split_item {
	enum split_kind kind;
	const char *text;
	size_t len;
	size_t line;   /* where it begins, from 1 */
	uint64_t byte; /* the same, from 0 */
	uint64_t end;  /* the byte after it */
};

/* All of it is private. */
struct split {
	struct buf hold;    /* bytes not yet done with */
	size_t at;          /* of hold: the next byte to look at */
	size_t from;        /* of hold: where the open item begins */
	size_t key;         /* of hold: where the last string begins */
	uint64_t base;      /* of the input: where hold begins */
	size_t line;        /* breaks before at */
	size_t from_line;   /* breaks before from */
	uint64_t from_byte; /* of the input: the same */
	struct buf head;    /* an export's object without its messages */
	uint64_t brackets;  /* a bit a level: it is a '[' */
	int depth;          /* how many are open */
	int item_depth;     /* depth around the open item */
	int list_depth;     /* depth inside the list of messages; 0 none */
	int key_state;
	bool export; /* inside an export, its list was met */
	bool open, string, escape, too_long, failed;
};

/* Where to put up to len bytes more, and that some were put there. */
char *split_room(struct split *s, size_t len);
void split_wrote(struct split *s, size_t len);

/* 1 an item, 0 it needs more bytes, -1 an error. */
int split_next(struct split *s, struct split_item *item, struct err *e);

/* There are no more bytes: 0, or ERR_INPUT if something was left open. */
int split_end(const struct split *s, struct err *e);

void split_release(struct split *s); /* harmless on {0}, or twice */

#endif
