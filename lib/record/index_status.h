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
	int64_t ranges; /* of coverage */
};

void index_status_write(struct buf *to, const struct index_status *s);
void index_channel_write(struct buf *to, const struct index_channel *c);

/* What verify finds wrong, a `problem` each, and its count at the end. */
void index_problem_write(struct buf *to, const char *text);
void index_verify_write(struct buf *to, int64_t messages, int64_t tokens,
    int64_t problems);

/* That a job ("rebuild", "reset") is done, and with how many messages. */
void index_done_write(struct buf *to, const char *job, int64_t messages);

#endif
