#ifndef UP_WARD_H
#define UP_WARD_H
/*
 * ward - a program that is to run all the time: started, and started again when
 * it ends, but later each time.
 *
 * Ends     by exit 78 or 2 it has failed: nothing works until a person mends
 *          something, so only ward_start() starts it again. By anything else it is, after
 *          a second, then two, up to five minutes, less up to a half by chance;
 *          a minute's life makes that a second again. One that is to run once
 *          has ended when it did so well (exit 0 or 1).
 * Memory   {0} with the first members set. It must not move; release it.
 */

#include <stdbool.h>
#include <stdint.h>

#include "core/child.h"
#include "core/err.h"
#include "core/poll.h"
#include "tool/environ.h"

enum {
	WARD_FIRST_MS = 1000,
	WARD_LONGEST_MS = 300 * 1000,
	WARD_GOOD_MS = 60 * 1000, /* a life this long was a good one */
	WARD_DETAIL_MAX = 160,
	WARD_ARGS_MAX = 8,
};

enum ward_state {
	WARD_IDLE = 0, /* not started yet */
	WARD_UP,
	WARD_WAITING, /* to be started again */
	WARD_STOPPING,
	WARD_ENDED,
	WARD_FAILED,
};

struct ward {
	const char *name;                /* "gateway" */
	const char *args[WARD_ARGS_MAX]; /* "sophia-gateway", ... */
	void (*changed)(void *ctx, struct ward *w);
	void (*line)(void *ctx, struct ward *w, const char *text, size_t len);
	void (*said)(void *ctx, const char *text, size_t len); /* on stderr */
	void *ctx;
	unsigned needs; /* secrets, as in tool/environ */
	int grace_ms;   /* from SIGTERM to SIGKILL */
	bool once;      /* it ends by itself */
	bool vital;     /* without it, all is in vain */

	enum ward_state state; /* to be read, from here */
	int64_t since_ms;      /* wall time */
	int64_t next_ms;       /* of waiting */
	int64_t restarts;
	struct err fault; /* how it ended last, if not well */
	char detail[WARD_DETAIL_MAX];

	unsigned bad_ends; /* private from here: in a row */
	int64_t started_ms;
	struct poll *poll;
	struct child child;
	struct poll_timer again;
	struct environ env;
};

void ward_start(struct ward *w, struct poll *p);

/* Ask it to end; changed() is called when it has, maybe at once. */
void ward_stop(struct ward *w);
bool ward_runs(const struct ward *w);

const char *ward_word(enum ward_state state); /* "up" */

void ward_release(struct ward *w); /* kills it; harmless on {0}, or twice */

#endif
