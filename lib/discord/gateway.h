#ifndef DISCORD_GATEWAY_H
#define DISCORD_GATEWAY_H
/*
 * gateway - a session with Discord that is alive: discord/session, with a
 * socket, a clock and requests.
 *
 * Before a session begins it asks GET /gateway/bot where, and GET
 * /applications/@me which privileged intents are switched on: one that is
 * wanted and is not ends it with a diagnosis, before Discord would.
 *
 * Order    gateway_open(), then gateway_step() until gateway_over(). Events are
 *          handed out in order, inside a step. event() must not wait: where
 *          there is no room it returns -1, the connection is closed so that the
 *          session stays, and gateway_go_on() continues with that event.
 * Memory   It must not move while it is open. What event() is given is borrowed
 *          for the call; one payload of GATEWAY_PAYLOAD bytes is held at most,
 *          and after a big one the memory goes back.
 * Errors   Those of gateway_step() are ours. Why Discord let us go is in
 *          session.why.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/buf.h"
#include "core/poll.h"
#include "discord/api.h"
#include "discord/rest.h"
#include "discord/session.h"
#include "ext/inflate.h"
#include "ext/ws.h"

enum { GATEWAY_PAYLOAD = (32 << 20) + 4096 };

struct gateway {
	uint64_t intents;  /* 0: what Sophia lives on, and members if allowed */
	int shard, shards; /* of --shard; shards is 0 for none */
	bool plain;        /* without compression */
	int (*event)(void *ctx, const struct payload *p, struct err *e);
	void (*frame)(void *ctx, const char *text, size_t len); /* or NULL */
	void (*changed)(void *ctx); /* session: its state, or what is kept */
	void *ctx;

	struct session session; /* to be read from here */
	struct err held;        /* what event() said last */
	char lost[256];         /* why the socket closed, "" if nobody said */

	struct poll *poll; /* private from here */
	struct api api;
	struct rest *rest;
	struct rest_call where, who;
	int asked; /* answers that are still to come */
	struct ws *ws;
	struct ws_handlers on;
	struct inflate inflate;
	struct buf payload;
	struct poll_timer tick, patience;
	enum session_state shown;
	bool cut; /* the close frame had its time */
};

int gateway_open(struct gateway *g, struct poll *p, struct err *e);

/*
 * Begin; with kept, resume that session, unless it is of no more use. age_ms is
 * how long ago the process before this one was alive, or negative.
 */
void gateway_start(struct gateway *g, const struct session_kept *kept,
    int64_t age_ms);

void gateway_go_on(struct gateway *g);

/* Events after that sequence were lost, because of why: as if just refused. */
void gateway_lost(struct gateway *g, int64_t sequence, const struct err *why);

void gateway_stop(struct gateway *g, bool keep);

int gateway_step(struct gateway *g, int64_t until_ms, struct err *e);
bool gateway_over(const struct gateway *g); /* and the socket is closed */

void gateway_close(struct gateway *g); /* harmless on {0}, or twice */

#endif
