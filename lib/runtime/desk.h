#ifndef RUNTIME_DESK_H
#define RUNTIME_DESK_H
/*
 * desk - answers requests to models, one at a time: profile, key, slot, ledger.
 *
 * Each HTTP attempt takes a slot and is written to the ledger before it leaves
 * the machine, and is settled when it ends. The built-in profile needs neither,
 * nor a network.
 *
 * Order    desk_start() while not busy; then desk_step() until done(). told()
 *          gets records as they come, the last one being the verdict, and then
 *          done() is called, with why set if that was an error. done() may
 *          start the next request.
 * Memory   {0} with the first members set. It must not move while it is open.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/buf.h"
#include "core/poll.h"
#include "model/inquiry.h"
#include "model/profile.h"
#include "model/slot.h"
#include "record/any.h"
#include "record/request.h"
#include "store/base.h"

struct desk {
	const char *profile_name; /* in place of the request's; or NULL */
	struct poll *poll;
	void (*told)(void *ctx, struct buf *records);
	void (*done)(void *ctx, const struct err *why);
	void *ctx;

	bool busy; /* to be read */

	struct http *http; /* private from here */
	struct any line;
	struct request request;
	struct profile profile;
	struct buf key;
	struct inquiry inquiry;
	struct slot slot;
	struct store store;
	int slots;
	bool keyless; /* the key it needs is not there */
	int64_t attempt;
};

/* Begin with a request line. What is wrong with it is told, as all else is. */
void desk_start(struct desk *d, const char *line, size_t len);

/*
 * Tell that a line can't be taken, while another is perhaps under way. The code
 * is a word for a program, or NULL.
 */
void desk_refuse(struct desk *d, const char *line, size_t len, const char *code,
    const struct err *why);

/* Give the request of that id up; NULL is whichever runs. */
void desk_cancel(struct desk *d, const char *id);

/* Wait for something, at most until until_ms; serve it. */
int desk_step(struct desk *d, int64_t until_ms, struct err *e);

void desk_close(struct desk *d); /* harmless on {0}, or twice */

#endif
