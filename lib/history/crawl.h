#ifndef HISTORY_CRAWL_H
#define HISTORY_CRAWL_H
/*
 * crawl - fetch the history of channels from Discord into the message index.
 *
 * Coverage is the checkpoint: what is asked for next is the newest stretch that
 * isn't known, and a page, what it covers and the end of a job commit together.
 * So a crawl can be killed at any moment, goes on where it was, and asks for
 * nothing that is known. One process at a time crawls a channel (a kernel lock
 * in run/crawl); as many channels as the rate limits bear are under way at once.
 *
 * First the structure of each guild is fetched, and from that on it is known
 * what Sophia may read there: a history she may not read would look empty. What
 * is refused marks its channel as forbidden, and the crawl goes on without it.
 *
 * Order    crawl_open(), set what is wanted, crawl_run(), crawl_close().
 * Errors   ERR_CONFIG: no token, or it is refused. ERR_AGAIN at the end, if
 *          something failed that may work later, or channels were left since
 *          events were missed meanwhile; all else was done.
 * Memory   A page of 100 messages for each request under way, and some hundred
 *          bytes for each channel.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/err.h"
#include "core/poll.h"
#include "core/ranges.h"
#include "core/signals.h"
#include "history/ingest.h"
#include "history/page.h"
#include "store/base.h"

struct buf;
struct crawl;
struct crawl_job;
struct rest;

enum { CRAWL_FLIGHTS = 96, CRAWL_PAGE = 100 };

/* What is wanted, besides channels that are named. */
enum crawl_scope {
	CRAWL_NAMED,  /* nothing */
	CRAWL_RECENT, /* the newest messages of each channel, up to `sweep` */
	CRAWL_QUEUE,  /* what was queued */
	CRAWL_ALL,    /* every channel and thread of the enabled guilds */
};

struct crawl_news {
	uint64_t channel;
	const char *name; /* of the channel */
	struct page_sum sum;
	bool more; /* the channel goes on */
};

struct crawl {
	enum crawl_scope scope;
	uint64_t since; /* no message before this id; 0 for all */
	int64_t sweep;  /* messages of a channel, in CRAWL_RECENT */
	/* Called when a page is stored; and now and then, with NULL. */
	int (*told)(void *ctx, const struct crawl_news *news, struct err *e);
	void *ctx;

	int64_t requests, pages, messages, added; /* to be read */
	int64_t channels, finished, forbidden, failed, busy;
	int64_t left; /* channels, for the next crawl: events were missed */
	double done_share; /* of the time that is to be fetched, 0 to 1 */
	int64_t started_ms;
	bool told_to_stop; /* by a signal */

	struct store base; /* private from here */
	struct ingest in;
	struct ranges locks;
	struct poll poll;
	struct signals signals;
	struct rest *rest;
	struct crawl_job *jobs, **last, *waits; /* all; the first not begun */
	uint64_t *named;
	size_t named_count;
	int flights;
	bool live; /* somebody follows the events */
	bool stop;
	struct err why,
	    failure; /* ends it; the last thing that may work later */
};

int crawl_open(struct crawl *c, struct err *e);
void crawl_close(struct crawl *c); /* harmless on {0}, or twice */

/* A channel, thread or forum, with its threads. */
void crawl_add(struct crawl *c, uint64_t channel);

/* Until all is done; ERR_AGAIN if a signal stopped it before. */
int crawl_run(struct crawl *c, struct err *e);

/*
 * Wait until there is something to do, and at least least_ms: CRAWL_RECENT if
 * events were missed, CRAWL_QUEUE if something was queued, CRAWL_NAMED if a
 * signal came; or -1.
 */
int crawl_wait(int64_t least_ms, struct err *e);

#endif
