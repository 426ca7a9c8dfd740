#ifndef GATEWAY_STATION_H
#define GATEWAY_STATION_H
/*
 * station - all that sophia-gateway does: a session, its outlet, and what is
 * told about both.
 *
 * Spooled, it resumes the session that the spool has, and leaves one behind
 * that the next process can resume: SIGTERM closes with a code that keeps it.
 * With events going to stdout a session ends with its process.
 *
 * Where there is no room for an event, the connection is closed and the session
 * kept; it is resumed when there is room again. Discord keeps what was missed
 * for some minutes, so stdout's reader may be slow for that long, and a disk may
 * be full; after that events are lost, and READY begins another session.
 *
 * run/gateway.json (gateway.N.json of another shard than 0) says how it is; see
 * the record `gateway` in sophia-records(5). What the next process needs to know
 * is there, too: when the session was last alive, and how many attempts to
 * resume it have failed. One that doesn't spool leaves the file alone while
 * another one does.
 *
 * Memory   {0} with the first members set; it must not move while it runs.
 */

#include <stdbool.h>
#include <stdint.h>

#include "core/poll.h"
#include "core/signals.h"
#include "discord/gateway.h"
#include "gateway/outlet.h"
#include "gateway/recorder.h"
#include "record/gateway_status.h"

enum { STATION_REPORT_MS = 60 * 1000 };

struct station {
	struct gateway gateway; /* its first members, but the callbacks */
	struct outlet outlet;   /* spooled */
	const char *record;     /* a file for what is received, or NULL */
	int report_ms;          /* between two calls of told(); 0: a minute */
	void (*told)(void *ctx, const struct gateway_status *now);
	void *ctx;

	struct gateway_status status; /* private from here */
	char reason[400];
	struct poll poll;
	struct signals signals;
	struct recorder recorder;
	struct poll_timer retry, report;
	enum session_state shown;
	int64_t retry_ms;
	int64_t arrived; /* guilds of READY whose GUILD_CREATE came */
	bool failed_to_tell;
};

/* Until it is told to stop: how many events there were, or -1. */
int64_t station_run(struct station *s, struct err *e);

#endif
