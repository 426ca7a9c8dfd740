#ifndef RETRIEVE_PARTY_H
#define RETRIEVE_PARTY_H
/*
 * party - those who talk: what they are called, and whether a text names them.
 *
 * Memory   party_release() frees it; names are read once each.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ext/db.h"

struct err;

enum { PARTY_SLOTS = 256 };

struct person {
	uint32_t author; /* ordinal */
	uint64_t id;
	char *name, *nickname; /* nickname may be "" */
};

struct party {
	struct db *db;
	struct stmt find;
	struct person *at;
	size_t count, room;
	uint32_t slots[PARTY_SLOTS]; /* who was asked for last, plus 1 */
};

/* The person, until the next call; NULL and *e if it can't be read. */
const struct person *party_get(struct party *p, uint32_t author, struct err *e);

/* Whether text mentions the person by id, or by a name of 3 letters or more. */
bool party_names(const struct person *who, const char *text);

void party_release(struct party *p); /* harmless on {0}, or twice */

#endif
