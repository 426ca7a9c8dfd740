#ifndef CONVERSE_EAR_H
#define CONVERSE_EAR_H
/*
 * ear - hears the events of a shard, in order, and gives each to whoever it is
 * for: a message to entry, an interaction to visit, a new session to catchup.
 *
 * The position moves in the same commit as what came of an event; events that
 * nothing comes of don't cost one each. An interaction is taken in when Discord
 * was told that it is, so the position stays before it until then. After a
 * crash what was not committed is heard again.
 *
 * Memory   {0} is closed. It must not move while it is open.
 */

#include <stdbool.h>
#include <stdint.h>

#include "core/poll.h"
#include "store/spool_reader.h"

struct converse;
struct err;
struct json;

struct ear {
	struct converse *owner;
	int shard;
	bool quiet;    /* all there is was heard; to be read, as are these: */
	bool ready;    /* there is more to be heard now, */
	bool due;      /* or a position to be written; set it if one moved */
	int64_t heard; /* the number of the last event heard, */
	int64_t at_ms; /* and when that was received */

	struct spool_reader reader; /* private from here */
	struct poll_fd wake;
	struct poll_timer soon;
	int64_t committed; /* a number */
	bool open, set;
};

/* With owner and shard set. */
int ear_open(struct ear *ear, struct err *e);

/* Hear what there is, but not too much at once. */
int ear_listen(struct ear *ear, struct err *e);

/*
 * A message object that was heard or found: in the caller's transaction, enum
 * entered or -1. REST leaves the guild out; else it is NULL.
 */
int ear_message(struct converse *c, const struct json *v, const char *guild,
    bool late, struct err *e);

void ear_close(struct ear *ear); /* harmless on {0}, or twice */

#endif
