#ifndef DISCORD_BALLOT_H
#define DISCORD_BALLOT_H
/*
 * ballot - the controls under a message that asks for an approval: buttons, and
 * where there are several items, menus to choose among them ("Component
 * Reference" in Discord's documentation).
 *
 * The custom id is "ask.VERB:APPROVAL", or "ask.VERBn:APPROVAL" of page n, and
 * carries nothing else: it names an approval and is no permission. Who used it
 * must be checked, and what it is about is in the store.
 *
 * Memory   Texts are borrowed for the call.
 */

#include <stdbool.h>
#include <stddef.h>

#include "core/id.h"

struct buf;

enum ballot_verb {
	BALLOT_NONE, /* it is no custom id of these */
	BALLOT_APPROVE,
	BALLOT_DENY,
	BALLOT_CORRECT,
	BALLOT_STOP,
	BALLOT_SURE, /* approve, a second time */
	BALLOT_BACK, /* not sure */
	BALLOT_PAGE,
	BALLOT_ITEMS,
	BALLOT_KINDS,
};

enum {
	BALLOT_OPTIONS = 25, /* of a menu; "String Select" */
	BALLOT_LABEL = 100,  /* characters; bytes are no fewer */
	BALLOT_ID = 48,
};

struct ballot_option {
	char label[BALLOT_LABEL]; /* not empty */
	char value[16];
	bool chosen;
};

struct ballot {
	const char *id;     /* of the approval */
	bool sure;          /* ask whether they are sure, and nothing else */
	size_t page, pages; /* of the items: from 0; 1 page has no buttons */
	struct ballot_option items[BALLOT_OPTIONS], kinds[BALLOT_OPTIONS];
	size_t item_count, kind_count; /* fewer than 2 are no choice */
};

void ballot_id(char to[BALLOT_ID], enum ballot_verb verb, size_t page,
    const char *id);

/* What a custom id means. */
enum ballot_verb ballot_read(const char *custom_id, char id[ID_LEN + 1],
    size_t *page);

/* The array of components. */
void ballot_write(struct buf *b, const struct ballot *x);

/* The data of the form for a correction, whose field is called "text". */
void ballot_form(struct buf *b, const char *id, size_t most);

#endif
