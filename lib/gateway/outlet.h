#ifndef GATEWAY_OUTLET_H
#define GATEWAY_OUTLET_H
/*
 * outlet - where the events of a session go: the spool, or stdout as records.
 *
 * It never waits. What stdout doesn't take is queued, up to OUTLET_QUEUE bytes;
 * past that, or where the disk is full, an event is refused, and outlet_room()
 * tells when it is worth trying again.
 *
 * Memory   {0} with the first members set is a closed one; it must not move
 *          while it is open.
 * Errors   ERR_AGAIN: no room; ERR_IO: the disk; ERR_REFUSED: nobody reads.
 */

#include <stdbool.h>
#include <stdint.h>

#include "core/buf.h"
#include "core/poll.h"
#include "core/writer.h"
#include "store/spool.h"

struct payload;

enum { OUTLET_QUEUE = 64 << 20 };

struct outlet {
	int shard;
	bool spooled; /* to the spool, else to stdout */
	/* The spool could not be synced: it is as it was before. */
	void (*failed)(void *ctx, const struct err *e);
	void *ctx;

	struct spool spool; /* number, sequence, session, url: to be read */

	struct poll *poll; /* private from here */
	struct writer out;
	struct buf line;
	struct poll_timer sync, trim;
};

int outlet_open(struct outlet *o, struct poll *p, struct err *e);
int outlet_put(struct outlet *o, const struct payload *p, struct err *e);

/* The session that began with the event put last; NULL twice if it is gone. */
void outlet_session(struct outlet *o, const char *id, const char *url);

bool outlet_room(const struct outlet *o);
bool outlet_busy(const struct outlet *o); /* something waits to be written */
bool outlet_gone(const struct outlet *o); /* nobody reads stdout any more */

/* Sync what is not; then close. Harmless on {0}, or twice. */
int outlet_close(struct outlet *o, struct err *e);

#endif
