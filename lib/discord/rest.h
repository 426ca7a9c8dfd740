#ifndef DISCORD_REST_H
#define DISCORD_REST_H
/*
 * rest - requests to Discord, in a poll loop.
 *
 * A call waits in line until the rate limits of the whole installation let it
 * go (see limits), is sent, and is done again where that is safe. A 429 was not
 * done: it waits its time and is sent again, however often. Of those that wait,
 * answers to interactions go first and bulk work last; of one kind to one
 * channel, the older one goes first.
 *
 * Again    What did not leave this machine is tried again. So is what broke, or
 *          got a 5xx, if it is GET, PUT or DELETE, unless it is to be sent but
 *          `once`; or if the caller says that it may be (`repeatable`: a
 *          message with nonce and enforce_nonce, an edit). Up to REST_TRIES
 *          times, after 0.5 s, doubled each time.
 * End      REST_ANSWERED with status and reply, whatever the status; verdict
 *          says what is wrong if it is not 2xx. REST_UNSENT: nothing was sent,
 *          nothing was done. REST_UNKNOWN: it was sent, and may be done: look
 *          before it is done again.
 * Order    rest_step() serves it and all members of the poll, as http_step()
 *          does. ended() is called once, from inside a step; it may start and
 *          stop any call.
 * Memory   A struct rest_call lives with whoever made it, and must not move
 *          before ended() or rest_stop(); what it points at is borrowed until
 *          then. Release it after that. It can be started again.
 * Secrets  The token goes in a header, to the address of api alone, and not
 *          with a path that has a token of its own. It is shown nowhere.
 * Errors   In call->verdict: ERR_CONFIG the token (which stops all that send
 *          it) or the address, ERR_AGAIN, ERR_REFUSED, ERR_UNKNOWN.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/buf.h"
#include "core/poll.h"
#include "discord/attempt.h"
#include "discord/route.h"
#include "discord/verdict.h"

struct http;
struct rest;

enum {
	REST_TRIES = 6,
	REST_QUEUE = 1024, /* calls that may wait or run */
};

enum rest_end { REST_RUNS = 0, REST_ANSWERED, REST_UNSENT, REST_UNKNOWN };

enum rest_urgency {
	REST_NORMAL = 0,
	REST_URGENT, /* of an interaction: Discord waits 3 s */
	REST_BULK,   /* nobody waits: history, registration */
	REST_URGENCIES
};

struct rest_call {
	const char *method; /* "GET", "POST", "PUT", "PATCH", "DELETE" */
	const char *path;   /* "/channels/1/messages?limit=100" */
	const char *body;   /* JSON; NULL for none */
	size_t body_len;
	const struct rest_file *files; /* go with it, as files[0], files[1] */
	size_t file_count;             /* up to REST_FILES */
	const char *reason;            /* for the audit log; NULL for none */
	enum rest_urgency urgency;
	bool repeatable;  /* to do it twice is as good as once */
	bool once;        /* it isn't, whatever its method */
	int64_t until_ms; /* of clock_boot_ms(): not sent by then, it ends
			   * unsent; 0 for no end */
	void (*ended)(void *ctx);
	void *ctx;

	enum rest_end end; /* to be read from here */
	int status;
	struct buf reply; /* the body of the answer */
	struct verdict verdict;
	bool doubtful; /* an attempt before the last may have been done */
	struct route route;
	int64_t waited_ms, took_ms; /* in line; the last attempt */

	struct rest *owner; /* private from here */
	struct rest_call *before, *after;
	int state, tries, why; /* it waits */
	uint64_t flight;
	int64_t began_ms, sent_ms, not_before_ms;
	struct attempt attempt;
};

/* For errors, see api and limits. */
int rest_open(struct rest **r, struct poll *p, struct err *e);
void rest_close(struct rest *r); /* NULL is allowed; no call may run */

/* ERR_INPUT: it is no request. ERR_AGAIN: too many wait. */
int rest_start(struct rest *r, struct rest_call *c, struct err *e);

/* Forget it; what was sent may be done. Harmless on one that doesn't run. */
void rest_stop(struct rest_call *c);

/* The same if nothing of it was sent yet, not even once; else false. */
bool rest_drop(struct rest_call *c);

void rest_release(struct rest_call *c); /* harmless on {0}, or twice */

/* For discord/download, which the same steps serve: what carries requests, and
 * the address of the interface, borrowed from r. */
struct http *rest_http(struct rest *r, const char **base);

/* Wait for something, at most until until_ms; serve it. */
int rest_step(struct rest *r, int64_t until_ms, struct err *e);

/*
 * Start it and wait for its end: 0 if the answer is a 2xx, else -1 and *e. For
 * a program that does nothing else meanwhile.
 */
int rest_ask(struct rest *r, struct rest_call *c, struct err *e);

#endif
