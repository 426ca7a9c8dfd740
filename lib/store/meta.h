#ifndef STORE_META_H
#define STORE_META_H
/*
 * meta - the facts that the message index keeps about itself.
 *
 *	generation	an id of ours; another one after a reset: what was
 *			remembered of ordinals is void
 *	analyzer	text_version() of the program that made the tokens
 *	next		the ordinal that the next message gets
 *	messages	how many there are
 *	tokens		how many tokens they have together
 *	rebuild		while its tokens are made anew: the next one to do
 *	guilds		fingerprint of the enabled ones, as events were last taken
 *	members		1 if the session tells of each change of a member
 *	bot		the id of Sophia's own user
 *	sweep		when events were last missed: the newest messages of each
 *			channel should be looked through
 *	swept		of which such time that was done
 *	scrub, scrubbed	see store/scrub
 *	tombstones	1 once those of knowledge.sqlite are in this index, too
 *
 * Store functions (store/base): the caller holds the transaction.
 */

#include <stdint.h>

struct buf;
struct db;
struct err;

int meta_int(struct db *db, const char *name, int64_t other, int64_t *n,
    struct err *e);
int meta_text(struct db *db, const char *name, struct buf *to, struct err *e);
int meta_set_int(struct db *db, const char *name, int64_t n, struct err *e);
int meta_set_text(struct db *db, const char *name, const char *text,
    struct err *e);

/* Set it to a time, which is made later than the one before if it isn't. */
int meta_raise(struct db *db, const char *name, int64_t at_ms, struct err *e);
int meta_unset(struct db *db, const char *name, struct err *e);

#endif
