#ifndef RECORD_GATEWAY_STATUS_H
#define RECORD_GATEWAY_STATUS_H
/*
 * gateway_status - how a session with Discord is, as sophia-gateway says it and
 * run/gateway.json keeps it. Memory and errors as in record/any.
 */

#include <stdint.h>

struct buf;
struct err;
struct json;

struct gateway_status {
	int shard, pid;
	const char *state;           /* a word of discord/session */
	const char *reason;          /* why it is not up; NULL for none */
	const char *user;            /* the bot's name; NULL before READY */
	int64_t at_ms, since_ms;     /* said; in this state: wall time */
	int64_t until_ms;            /* of waiting: wall time; 0 for none */
	int64_t latency_ms;          /* of the last heartbeat; -1 for none */
	int64_t guilds, events;      /* of this process */
	int64_t identified, resumed; /* sessions, by this process */
	int64_t failed;              /* resumes since the last that worked */
	int64_t number, sequence;    /* of the last event; 0 for none */
};

int gateway_status_read(struct gateway_status *x, const struct json *root,
    struct err *e);
void gateway_status_write(struct buf *b, const struct gateway_status *x);

#endif
