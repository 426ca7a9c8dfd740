#ifndef STORE_WANTED_H
#define STORE_WANTED_H
/*
 * wanted - channels whose history is to be fetched, and how far the lists of
 * their archived threads were read.
 *
 * A wish stays until it was fulfilled, whoever does it and however often it
 * breaks off; to wish for more widens it.
 * Store functions (store/base): the caller holds the transaction.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;
struct db;
struct err;

struct wanted {
	uint64_t channel;
	uint64_t low; /* back to this message id; 0 for all of it */
	bool threads; /* those of the channel, too */
};

int wanted_add(struct db *db, const struct wanted *w, int64_t now_ms,
    struct err *e);

/* The wishes that are not fulfilled, oldest first: how many, or -1. */
int wanted_list(struct db *db, struct wanted *list, size_t most, struct err *e);

/* It is complete as far as it can be. */
int wanted_done(struct db *db, uint64_t channel, int64_t now_ms, struct err *e);

enum listing_kind { LISTING_PUBLIC, LISTING_PRIVATE, LISTING_JOINED };

/* Where to go on ("" for the newest), and whether it was ever finished. */
int listing_get(struct db *db, uint64_t channel, enum listing_kind,
    struct buf *before, bool *done, struct err *e);
int listing_set(struct db *db, uint64_t channel, enum listing_kind,
    const char *before, int64_t done_ms, struct err *e);

#endif
