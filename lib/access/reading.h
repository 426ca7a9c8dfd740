#ifndef ACCESS_READING_H
#define ACCESS_READING_H
/*
 * reading - may an answer say what is in a channel? See audience for the rule.
 *
 * Errors   ERR_DENIED from reading_place() where the asker isn't seen to be.
 */

#include <stdint.h>

#include "access/realm.h"

struct err;

struct reading {
	uint64_t actor; /* who asks; 0 for the person at the machine */
	uint64_t bot;   /* who reads for them */
	const struct realm_channel *here; /* of a public answer, or NULL */
};

/* The answer will be public in this channel. */
int reading_place(struct reading *w, struct realm *r, uint64_t channel,
    struct err *e);

/* 1 if all of that channel (history is true), or that it is there; else 0. */
int reading_may(const struct reading *w, struct realm *r,
    const struct realm_channel *c, bool history, struct err *e);

#endif
