#ifndef ADAPTER_ASKER_H
#define ADAPTER_ASKER_H
/*
 * asker - let the person at the terminal decide what a loop asks for.
 *
 * Prompts are on /dev/tty, since stdin and stdout may be pipes. What was typed
 * before a prompt stood there decides nothing. Where there is no terminal, or
 * it is another job's, nobody can be asked: that is stored, and the loop pauses
 * the task.
 *
 * Order    asker_start() with the client's turn, asker_heard() for all that the
 *          loop says, asker_close() after it has ended.
 * Memory   {0} with the first members set; it must not move while it is open.
 */

#include <stdbool.h>

#include "adapter/consent.h"
#include "core/reader.h"
#include "record/any.h"
#include "record/approval.h"

struct client;
struct client_event;
struct err;
struct poll;

struct asker {
	bool deny;  /* say no to everything, and ask nobody */
	bool quiet; /* where nobody can be asked, don't say for what */
	void (*ready)(void *ctx); /* something is about to be shown */
	void *ctx;

	bool asking; /* to be read: a prompt stands there */

	struct client *client; /* private from here */
	struct poll *poll;
	int tty; /* 0 when closed */
	struct reader reader;
	struct any record;
	struct approval x;
	struct consent consent;
};

void asker_start(struct asker *a, struct client *client, struct poll *poll);

void asker_heard(struct asker *a, const struct client_event *x);

/* ^C at a prompt stops the task: true if there was one, and that is stored. */
bool asker_stop(struct asker *a);

void asker_close(struct asker *a); /* harmless on {0}, or twice */

#endif
