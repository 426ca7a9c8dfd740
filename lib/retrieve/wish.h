#ifndef RETRIEVE_WISH_H
#define RETRIEVE_WISH_H
/*
 * wish - what somebody wants to read, before any name in it is resolved.
 *
 * It is filled from options, from a line of JSON, or from a tool call; the
 * members of the JSON object have the names of the fields here.
 *
 * Memory   Texts are borrowed from argv or from the JSON tree.
 */

#include <stdbool.h>
#include <stddef.h>

struct err;
struct json;

enum { WISH_TEXTS = 64, WISH_LIMIT = 100, WISH_CONTEXT = 10 };

struct texts {
	const char *at[WISH_TEXTS];
	size_t count;
};

enum wish_match {    /* what the words of a query must do */
	MATCH_BEST,  /* count for the rank */
	MATCH_ALL,   /* be in the message, every one */
	MATCH_ANY,   /* be in the message, one of them */
	MATCH_PHRASE /* be in the message one after the other */
};

enum wish_lane { LANE_EITHER, LANE_CHRONOLOGICAL, LANE_RELEVANCE };

enum wish_order { ORDER_NEWEST, ORDER_OLDEST };

enum wish_has { /* the bits of message.flags in the index */
	HAS_PIN = 1,
	HAS_ATTACHMENT = 2,
	HAS_EMBED = 4,
	HAS_EDIT = 8
};

struct wish {
	const char *query;
	enum wish_match match;
	enum wish_lane lane;
	enum wish_order order;
	struct texts channels; /* categories and threads, too */
	struct texts threads;
	struct texts authors;
	const char *after, *before; /* a time, or a message id; exclusive */
	const char *around;         /* a message id, or its link */
	const char *reply_chain;    /* likewise */
	const char *cursor;
	unsigned has, lacks; /* bits of enum wish_has */
	int limit;           /* rows a page; 0 for the usual number */
	int context; /* neighbours on each side; -1 for the usual number */
};

void wish_start(struct wish *r); /* nothing is asked for */

/* Words for --has, --order, --lane; -1 if the text is none of them. */
int wish_has(const char *text);
int wish_order(const char *text);
int wish_lane(const char *text);

/* ERR_INPUT if there are too many. */
int wish_add(struct texts *t, const char *text, struct err *e);

/*
 * Take what the object has; what it hasn't stays as it was. The tools call two
 * of the members by other names: text is query, mode is match; and they have
 * has_attachment, true or false.
 */
int wish_read(struct wish *r, const struct json *object, struct err *e);

#endif
