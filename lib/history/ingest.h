#ifndef HISTORY_INGEST_H
#define HISTORY_INGEST_H
/*
 * ingest - what Discord tells becomes rows of the message index: the only
 * reader of gateway events (ingest_event) and of pages of messages
 * (history/page), for whoever has them.
 *
 * Guilds   only those of the setting discord.guilds, read at each begin. What
 *          comes of any other, or in direct messages, leaves nothing behind. If
 *          they change, what came live from one that is out ends, and a sweep
 *          is wished for.
 * Order    An event may come twice, late, or never. A deleted message stays
 *          deleted, an older edit never replaces a newer one, what an update
 *          leaves out keeps its value, and a structure told earlier never
 *          replaces one told later.
 * Turns    store_begin(), ingest_begin(), any number of events or pages,
 *          ingest_end(), store_commit(). After a rollback: ingest_close().
 * Errors   ERR_INPUT for an event that is not as Discord's are: nothing of it
 *          was stored, and the turn may go on. Any other ends the turn.
 * Memory   the caches of store/message, and the largest event as a tree.
 */

#include <stdbool.h>
#include <stdint.h>

#include "discord/community.h"
#include "record/message.h"
#include "store/live.h"
#include "store/message.h"
#include "store/roll.h"

struct err;
struct event;
struct json;
struct json_reader;
struct store;

enum { INGEST_GUILDS = 1000 };

struct ingest {
	struct store *base;
	struct db *db;
	struct messages messages;
	struct roll roll;
	struct community_lists lists;
	struct message message;
	struct json_reader *reader;
	uint64_t *guilds; /* enabled, INGEST_GUILDS of them */
	size_t guild_count;
	uint64_t bot; /* who Sophia is; 0 while not known */

	/* Of the event at hand; a page has no shard. */
	struct live live;
	int64_t at_ms;
};

/* Returns 1 if the index must be rebuilt first, see messages_open(). */
int ingest_open(struct ingest *in, struct store *base, struct err *e);
void ingest_close(struct ingest *in); /* harmless on {0}, or twice */

int ingest_begin(struct ingest *in, struct err *e);
int ingest_end(struct ingest *in, struct err *e);

/* Outside a turn: were guilds enabled or disabled since the last one: 1 or 0. */
int ingest_guilds_changed(struct ingest *in, struct err *e);

bool ingest_wants(const struct ingest *in, uint64_t guild);

/*
 * The events of one shard: from where on, then each in its order. One that was
 * taken before changes nothing. Returns 1 if it told something, else 0. What was
 * missed before it is left in meta as a wish for a sweep.
 */
int ingest_shard(struct ingest *in, int shard, struct err *e);
int ingest_event(struct ingest *in, const struct event *x, struct err *e);

/* Events are lost: the next one of the shard comes after this number. */
int ingest_gap(struct ingest *in, int64_t number, int64_t now_ms,
    struct err *e);

#endif
