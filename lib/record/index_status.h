#ifndef RECORD_INDEX_STATUS_H
#define RECORD_INDEX_STATUS_H
/* index_status - what the message index holds, as sophia-index says it. */

#include <stdbool.h>
#include <stdint.h>

struct buf;

struct index_status {
	const char *path;
	int64_t bytes; /* of the database and its journal */
	int64_t guilds, channels, authors, messages, tokens, tombstones;
	uint64_t oldest, newest; /* ids; 0 if there is no message */
	bool stale; /* made by another analyzer: it is rebuilt before a write */
};

struct index_channel {
	uint64_t id, guild;
	const char *name, *type, *language;
	int64_t messages;
	uint64_t oldest, newest;
	int64_t ranges;        /* of coverage */
	int64_t gaps;          /* unknown stretches before the newest range */
	bool live;             /* what is said comes by itself */
	const char *forbidden; /* why it can't be read; NULL if it can */
};

void index_status_write(struct buf *to, const struct index_status *s);
void index_channel_write(struct buf *to, const struct index_channel *c);

#endif
