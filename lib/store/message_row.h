#ifndef STORE_MESSAGE_ROW_H
#define STORE_MESSAGE_ROW_H
/*
 * message_row - the row of a message in the index. To be changed by
 * store/message alone, which keeps tokens and chunk in step with it.
 *
 * Store functions (store/base): the caller holds the transaction.
 */

#include <stdint.h>

#include "ext/db.h"

struct err;
struct message;

enum {
	MESSAGE_PINNED = 1,
	MESSAGE_HAS_FILES = 2,
	MESSAGE_HAS_EMBEDS = 4,
	MESSAGE_EDITED = 8
};

/* What it holds, besides the message itself. */
struct message_row {
	int64_t ord;
	uint32_t channel, author;
	int flags;
	const char *language; /* "" for none */
};

struct message_rows {
	struct stmt insert, find, update, drop;
};

int message_flags(const struct message *m);

/* 1 if it was inserted, 0 if there is one with this id. */
int message_row_insert(struct message_rows *s, struct db *db,
    const struct message *m, const struct message_row *r, struct err *e);
int message_row_update(struct message_rows *s, struct db *db,
    const struct message *m, const struct message_row *r, struct err *e);
int message_row_drop(struct message_rows *s, struct db *db, int64_t ord,
    struct err *e);

/*
 * The message as it is stored: 1, 0 or -1. What is found is borrowed until
 * message_row_done(), but for old->more, which is the caller's to release.
 */
int message_row_find(struct message_rows *s, struct db *db, uint64_t id,
    struct message *old, struct message_row *r, struct err *e);
void message_row_done(struct message_rows *s);

void message_rows_release(struct message_rows *s); /* harmless twice */

#endif
