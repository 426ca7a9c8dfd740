#ifndef HISTORY_HOLD_H
#define HISTORY_HOLD_H
/*
 * hold - keep the first messages of channels back until their language is told.
 *
 * One message is too short to tell a language by, and tokens must be made for
 * the right one. So messages of a channel whose language is not known wait
 * here, as the text they came in, until there are HOLD_MOST of them or
 * HOLD_BYTES.
 *
 * Memory   what is put in is copied.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/buf.h"
#include "history/split.h"

struct err;
struct message;
struct text;

enum {
	HOLD_MOST = 400,
	HOLD_BYTES = 2 << 20,
	HOLD_CLEAR = 200 /* messages of a channel that must be enough */
};

struct held {
	enum split_kind kind;
	uint64_t channel;
	uint64_t begin;        /* of the input */
	size_t at, len;        /* of bytes */
	size_t text, text_len; /* of texts */
};

struct hold {
	struct buf bytes, texts;
	struct held *items;
	size_t count;
};

void hold_add(struct hold *h, const struct split_item *item,
    const struct message *m);
bool hold_full(const struct hold *h);

/*
 * What language the messages of items[i]'s channel are in: "" if they are too
 * few to tell, "und" if they are enough and it is not clear.
 */
int hold_language(const struct hold *h, size_t i, struct text *t,
    const char **language, struct err *e);

/* Whether items[i] is the first of its channel. */
bool hold_first(const struct hold *h, size_t i);

void hold_clear(struct hold *h);
void hold_release(struct hold *h); /* harmless on {0}, or twice */

#endif
