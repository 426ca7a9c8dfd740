#ifndef GUILD_LINK_H
#define GUILD_LINK_H
/*
 * link - how people name a message: by its link,
 * https://discord.com/channels/GUILD/CHANNEL/MESSAGE, or by its bare id.
 */

#include <stdint.h>

struct buf;

struct link {
	uint64_t channel; /* 0 if the text doesn't say */
	uint64_t message; /* 0 if it is no link and no id */
};

void link_read(struct link *l, const char *text); /* NULL is no link */

/* Add the link of a message; guild 0 for direct messages. */
void link_write(struct buf *b, uint64_t guild, uint64_t channel,
    uint64_t message);

#endif
