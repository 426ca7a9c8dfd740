#ifndef DELIVER_DELIVER_H
#define DELIVER_DELIVER_H
/*
 * deliver - brings what is in the outbox to the people who asked.
 *
 * Once     Each message's nonce is on the disk before it is sent, and so is
 *          that it is being sent. What is in doubt, after a crash or since no
 *          answer came, is sent again while Discord minds its nonce
 *          (COURIER_NONCE_MS); later the channel is read back first. What can't
 *          be found out stays `unknown`, is not sent again, and is kept.
 * Way      A reply to the request in its channel; for an interaction its own
 *          reply, while its token is good, then the channel. What only one
 *          person may see never goes where others read: if it can't reach them,
 *          it is kept as failed, with the reason.
 * Order    One parcel at a time in each channel, the oldest first; several
 *          channels at a time. One that Discord can't take now waits, longer
 *          each time, and is never given up for that alone.
 * Progress The message that showed how a turn goes (see showing) is taken away
 *          when its outcome has arrived.
 * Use      deliver_open(), then step the poll; deliver_again() when there may be
 *          something new. What other programs have committed it finds by itself
 *          within DELIVER_LOOK_MS.
 * Memory   {0} with the first members set, which outlive it. It must not move
 *          while it is open.
 * Errors   What nothing can go on with (the token is refused, the database is
 *          broken) is handed to failed(), once; then nothing is sent any more.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/err.h"
#include "core/poll.h"

struct courier;
struct rest;
struct showing;
struct store;
struct tidy;

enum { DELIVER_LOOK_MS = 2000, DELIVER_AT_ONCE = 8 };

struct deliver {
	struct store *tasks;
	struct rest *rest;
	struct poll *poll;
	const char *us; /* the id of Sophia's own user */
	void (*failed)(void *ctx, const struct err *why);
	void *ctx;

	bool idle;      /* to be read: nothing can be done now, */
	size_t waiting; /* but so many wait until Discord is well */
	uint64_t moves; /* messages and outcomes that were settled so far */

	bool stopped; /* private from here */
	struct courier *first;
	size_t count;
	struct showing *showings;
	struct tidy *tidy;
	struct poll_timer look;
	int64_t version, expire_ms;
	bool stale;
};

void deliver_open(struct deliver *d);

/* There may be something new: look soon. */
void deliver_again(struct deliver *d);

/* Stop where it is: whoever opens it again goes on. */
void deliver_close(struct deliver *d); /* harmless on {0}, or twice */

/* For couriers and the like alone. */
void deliver_fail(struct deliver *d, const struct err *why);

#endif
