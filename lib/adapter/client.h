#ifndef ADAPTER_CLIENT_H
#define ADAPTER_CLIENT_H
/*
 * client - one turn through a sophia-loop of its own: what every adapter does.
 *
 * Order    client_start(), then poll until ended; heard() gets each record of
 *          the loop, in order. After the end verdict and error are set.
 * Memory   {0} with heard and ctx set. The turn must live as long, and neither
 *          may move while it runs. What is heard is borrowed for the call.
 *          client_release() ends a loop that still runs: its task is left
 *          paused(interrupted), and can be resumed.
 */

#include <stdbool.h>

#include "core/buf.h"
#include "core/child.h"
#include "core/err.h"
#include "core/id.h"
#include "record/context.h"
#include "record/done.h"
#include "tool/environ.h"

struct poll;
struct turn;

enum client_kind {
	CLIENT_OTHER,
	CLIENT_TASK,     /* text: the id of the task */
	CLIENT_PROGRESS, /* text: what is being done */
	CLIENT_CALL,     /* text: the tool that is called */
	CLIENT_DELTA,    /* text: the next piece of what the model says */
	CLIENT_ANSWER,   /* text: the whole answer */
	CLIENT_APPROVAL, /* text: its id; a person must be asked */
	CLIENT_DECISION, /* text: the id of the approval that it is about */
};

struct client_event {
	enum client_kind kind;
	const char *text; /* never NULL */
	const char *line; /* the record, with no newline */
	size_t len;
};

struct client {
	void (*heard)(void *ctx, const struct client_event *x);
	void *ctx;

	bool ended; /* to be read */
	bool done;  /* the loop gave its verdict */
	enum done_verdict verdict;
	bool none;        /* the answer is that nothing was found */
	struct err error; /* the last error record, or how the loop died */
	char reason[64];  /* of a pause */

	struct child child; /* private */
	struct context who; /* as in the turn, whose strings outlive it */
	char task[ID_LEN + 1];
	struct environ env;
};

int client_start(struct client *c, struct poll *p, const struct turn *t,
    struct err *e);

/*
 * Leave word for the loop to stop: it settles what it does, then ends. Fails
 * while it has no task yet.
 */
int client_stop(struct client *c, struct err *e);

/* The loop looks at once at what was left for it; else it does a little later. */
void client_hint(struct client *c);

/* End the loop at once: its task is left paused(interrupted). */
void client_kill(struct client *c);

/*
 * What the turn comes to for a command: 1 answered; 0 answered, but nothing was
 * found; or -1 and *e, whose kind is the exit code: ERR_APPROVAL or ERR_UNKNOWN for those pauses, ERR_AGAIN for
 * the others and a cancelled turn, else the kind of what failed.
 */
int client_verdict(const struct client *c, struct err *e);

void client_release(struct client *c); /* harmless on {0}, or twice */

#endif
