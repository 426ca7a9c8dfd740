#ifndef MODEL_CATALOGUE_H
#define MODEL_CATALOGUE_H
/*
 * catalogue - what a profile is, and whether it could be used now: for people
 * and for `sophia doctor`.
 */

#include "model/profile.h"

enum catalogue_key {
	KEY_NONE, /* the profile needs none */
	KEY_SET,
	KEY_MISSING,
};

/*
 * Whether its key is there; it is not shown. ERR_CONFIG from the secrets file.
 */
int catalogue_key(const struct profile *p, enum catalogue_key *key,
    struct err *e);
const char *catalogue_key_word(enum catalogue_key key);

/* Add it as a record of the type `profile`. */
void catalogue_write(struct buf *b, const struct profile *p,
    enum catalogue_key key);

#endif
