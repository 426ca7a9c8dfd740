#ifndef STORE_DUMP_H
#define STORE_DUMP_H
/*
 * dump - all messages of the index as records, in pages.
 *
 * Order    channels by id, in each the messages by id: so two indexes with the
 *          same messages give the same text, however they were filled.
 * Locks    no query is open between two pages, however long the caller takes to
 *          write one. What is added meanwhile may be missed; nothing is given
 *          twice.
 */

#include <stddef.h>
#include <stdint.h>

#include "ext/db.h"
#include "record/message.h"

struct buf;
struct err;

struct dump {
	struct db *db;
	uint64_t only; /* this channel alone; 0 for all */
	struct stmt channel, message;
	uint64_t at, after; /* channel and message given last */
	struct message m;   /* scratch */
};

/* Append the next page: how many messages it has, 0 at the end, or -1. */
int dump_page(struct dump *d, struct buf *to, struct err *e);
void dump_release(struct dump *d); /* harmless on {0}, or twice */

#endif
