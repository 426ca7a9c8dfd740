#ifndef ACCESS_VENUE_H
#define ACCESS_VENUE_H
/*
 * venue - a place where something will be read, and from which channels it may
 * come: the rule of audience, asked for one channel at a time, of any guild
 * that is enabled.
 *
 * Place    A channel's id: whoever sees it will read it. NULL, or the direct
 *          messages where it was asked: the requester alone.
 * Memory   {0} is closed. It holds the guilds that it was asked about as they
 *          were then, and must not move while it is open; context and index are
 *          borrowed.
 * Errors   ERR_DENIED from venue_open() where it isn't known who reads there,
 *          or whether the requester does; ERR_AGAIN where that is so only until
 *          Discord has told the server anew.
 */

#include <stdbool.h>
#include <stdint.h>

#include "access/reading.h"

struct context;
struct db;
struct err;
struct venue_guild;

struct venue {
	bool everything; /* at the machine itself: nothing is looked up */

	struct db *index; /* private from here */
	const struct context *context;
	struct reading reader; /* of what will be said */
	uint64_t private_dm;   /* where it was asked, or 0 */
	uint64_t guild;        /* of the place, or 0 */
	struct venue_guild *guilds;
};

/* index may be NULL where there is none: then no guild is known. */
int venue_open(struct venue *v, struct db *index, const struct context *c,
    const char *place, struct err *e);
/* The place is where answers to c are read. */
int venue_open_here(struct venue *v, struct db *index, const struct context *c,
    struct err *e);
void venue_close(struct venue *v); /* harmless on {0}, or twice */

/* May what is in that channel be said there: 1, 0 or -1. */
int venue_takes(struct venue *v, uint64_t channel, struct err *e);

/*
 * May it be said there that there is such a channel: 1, 0 or -1. Of what is no
 * channel in the index, or is one no more, it may.
 */
int venue_tells(struct venue *v, uint64_t channel, struct err *e);

/* It may not: will that stay so, or is too little known just now: 1, 0 or -1. */
int venue_knows(struct venue *v, uint64_t channel, struct err *e);

/* Is its server closed until Discord has told it anew: 1, 0 or -1. */
int venue_closed(struct venue *v, uint64_t channel, struct err *e);

/* May the requester be told that there is such a channel, in answer to c? */
int venue_names(struct venue *v, uint64_t channel, struct err *e);

#endif
