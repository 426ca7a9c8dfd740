#ifndef DELIVER_COURIER_H
#define DELIVER_COURIER_H
/*
 * courier - carries one parcel, letter by letter; for deliver alone.
 *
 * Memory   a courier is made by courier_new() and must not move; it is over
 *          when `over` is set, and then courier_free() it.
 */

#include <stdbool.h>
#include <stdint.h>

#include "core/buf.h"
#include "core/poll.h"
#include "deliver/plan.h"
#include "deliver/trace.h"
#include "deliver/wording.h"
#include "discord/rest.h"
#include "store/letter.h"
#include "store/parcel.h"

struct deliver;

enum {
	/* Discord minds a nonce for "the last few minutes" (Create Message):
	 * so long we take that for granted. */
	COURIER_NONCE_MS = 60000,
	/* By so much its clock may differ from ours. */
	COURIER_SKEW_MS = 600000,
	/* So long it may be unknown who would read it. */
	COURIER_UNSURE_MS = 600000,
	/* A token is of use for 15 minutes; not begun with in its last ones. */
	COURIER_TOKEN_MS = 15000,
};

enum courier_way {
	WAY_CHANNEL,  /* a message there, with a nonce */
	WAY_ORIGINAL, /* the reply to the interaction: it can be put there any
		       * number of times */
	WAY_FOLLOWUP, /* another reply, where the channel takes no message of
		       * ours: it has no nonce */
};

struct courier {
	struct parcel parcel; /* its texts are copies, and owned */
	bool over, waits, planned;

	struct deliver *owner; /* private from here */
	struct courier *next;
	struct wording wording;
	struct letter letter; /* at work; copies, too */
	int64_t count;        /* of letters */
	char original[24];    /* the reply to the interaction, once known */
	enum courier_way way;
	bool doubt;    /* the letter may be there from an earlier time */
	bool no_reply; /* it may not be sent as a reply */
	bool no_files; /* nor with a file */
	bool hooks;    /* the channel takes no message of ours */
	struct rest_call call;
	struct buf path, body;
	struct rest_file file;
	struct trace trace;
	struct poll_timer again;
	int64_t wait_ms;
	int64_t asked_ms; /* who may read it, for the first time */
};

struct courier *courier_new(struct deliver *d, const struct parcel *p);
void courier_go(struct courier *c);
void courier_free(struct courier *c); /* NULL is allowed */

#endif
