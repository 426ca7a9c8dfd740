#ifndef RETRIEVE_CHRONO_H
#define RETRIEVE_CHRONO_H
/*
 * chrono - the messages of a scope in the order of time, a stretch at a time.
 *
 * Time is the message id's. A stretch is read from one end: the newest below
 * `before`, or the oldest above `after`; whoever goes on from its last id
 * neither misses nor repeats a message, whatever was added meanwhile.
 *
 * Memory   chrono_release(). At most `limit` rows.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct scope;

struct chrono_row {
	uint64_t id;
	uint32_t ord;
};

struct chrono {
	struct chrono_row *at; /* in the order they were asked for */
	size_t count;
	bool more;      /* there are others after these */
	int64_t inside; /* messages of the whole scope; -1 if not known */
};

struct chrono_stretch {
	uint64_t after, before; /* ids, exclusive; 0 and UINT64_MAX for none */
	bool newest;            /* from the newest backwards */
	size_t limit;
};

int chrono_find(struct chrono *c, struct scope *s,
    const struct chrono_stretch *stretch, struct err *e);
void chrono_release(struct chrono *c); /* harmless on {0}, or twice */

#endif
