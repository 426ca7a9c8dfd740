#ifndef UP_UP_H
#define UP_UP_H
/*
 * up - the resident programs of an installation, as one: gateway, index follow,
 * backfill of what was queued and converse; the keeper of a spare container, if
 * the settings sandbox.enabled and sandbox.spare say so; and, when the gateway is connected
 * for the first time, a sweep of the newest messages.
 *
 * Owner    One runs for a state folder, whatever path that is called by: it
 *          holds run/up.lock before anything is started. A second one is
 *          ERR_AGAIN.
 * Secrets  Each program gets those it needs: the token goes to all but index
 *          follow, providers' keys to converse alone, for its loops.
 * Ending   SIGTERM, SIGINT or SIGHUP stop them one after the other, the last
 *          one first, each within its time; a second signal kills them. If this
 *          program dies, the kernel ends them (see spawn).
 * Mending  What failed until a person mends something is tried again when the
 *          settings were changed.
 * Errors   ERR_CONFIG if the gateway or converse can't run until a person mends
 *          something. All other failures are theirs, and end in a restart.
 * Status   run/up.json has the record `up` of how they are; service managers
 *          are told, see up/notify.
 */

#include <stdbool.h>
#include <stddef.h>

#include "core/lock.h"
#include "core/poll.h"
#include "core/signals.h"
#include "record/up_status.h"
#include "store/news.h"
#include "up/notify.h"
#include "up/ward.h"

enum { UP_WARDS = 6 };

struct up {
	/* How they are, whenever that changed. */
	void (*told)(void *ctx, const struct up_status *now);
	/* What one of them says on its stderr. */
	void (*said)(void *ctx, const char *text, size_t len);
	void *ctx;

	struct ward wards[UP_WARDS]; /* private from here */
	struct poll poll;
	struct lock lock;
	struct signals signals;
	struct notify notify;
	struct news news;
	struct poll_timer report, alive;
	int64_t since_ms;
	int signalled;
	bool stopping, done;
	bool mute; /* it was said that run/up.json can't be written */
	struct err fault;
};

/* Until a signal: 0; or -1. */
int up_run(struct up *u, struct err *e);

#endif
