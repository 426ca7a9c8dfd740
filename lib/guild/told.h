#ifndef GUILD_TOLD_H
#define GUILD_TOLD_H
/*
 * told - what a result says of things in Discord: raw ids for a program, and
 * what shows them in a message for people.
 */

#include <stdint.h>

struct buf;

/* {"id", "name", "mention": "<#id>"}; name may be NULL */
void told_channel(struct buf *b, const char *key, uint64_t id,
    const char *name);

/* {"id", "name", "mention": "<@&id>"}, and with "<@id>" */
void told_role(struct buf *b, const char *key, uint64_t id, const char *name);
void told_member(struct buf *b, const char *key, uint64_t id, const char *name);

/* {"id", "link"}; guild 0 for direct messages */
void told_message(struct buf *b, const char *key, uint64_t guild,
    uint64_t channel, uint64_t id);

#endif
