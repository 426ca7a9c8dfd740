#ifndef STORE_CHANNEL_H
#define STORE_CHANNEL_H
/*
 * channel - the guilds and channels of the message index.
 *
 * What a message says of its guild, channel and category is stored when it says
 * something new; what it leaves out stays as it was, and so does what Discord
 * itself told (store/roll). Channels (threads too, and
 * categories) have dense ordinals, which are never used again.
 *
 * Memory   {0} is empty. What was seen last is cached, CHANNEL_SLOTS of them;
 *          channels_forget() empties the cache.
 * Store functions (store/base): the caller holds the transaction.
 */

#include <stdint.h>

#include "ext/db.h"

struct err;
struct message;

enum { CHANNEL_SLOTS = 512, CHANNEL_LANGUAGE = 8 };

struct channel_slot {
	uint64_t id, print; /* of what was stored */
	uint64_t guild;
	uint32_t ord;
	char language[CHANNEL_LANGUAGE]; /* "" while not known */
};

struct channels {
	struct stmt guild, find, insert, update, language;
	struct channel_slot slots[CHANNEL_SLOTS];
};

/* Store what is new, and find the channel: its slot, until the next call. */
int channels_put(struct channels *c, struct db *db, const struct message *m,
    const struct channel_slot **slot, struct err *e);

/* What language its messages are written in; "" for not known, 1 if it is. */
int channels_language(struct channels *c, struct db *db, uint64_t id,
    char language[CHANNEL_LANGUAGE], struct err *e);
int channels_set_language(struct channels *c, struct db *db, uint64_t id,
    const char *language, struct err *e);

void channels_forget(struct channels *c);
void channels_release(struct channels *c); /* harmless on {0}, or twice */

#endif
