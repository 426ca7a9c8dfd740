#ifndef HISTORY_CRAWL_INSIDE_H
#define HISTORY_CRAWL_INSIDE_H
/*
 * crawl_inside - what the files of history/crawl share. Nobody else needs it.
 *
 * A job is a row of requests, one after the other: the structure of a guild, or
 * a channel (its archived threads first, then its messages). ask() writes the
 * path of the next request; take() puts the answer into the index, in the turn
 * that the caller began; refused() is told of a request that was refused for
 * good.
 */

#include <stdbool.h>
#include <stdint.h>

#include "core/buf.h"
#include "discord/rest.h"
#include "history/crawl.h"
#include "store/wanted.h"

struct json;

enum job_step {
	JOB_ME, /* who Sophia is */
	JOB_GUILD,
	JOB_MEMBER, /* Sophia's own roles there */
	JOB_CHANNELS,
	JOB_ACTIVE, /* threads */
	JOB_LOOK,   /* a channel that is not known */
	JOB_LIST,   /* archived threads */
	JOB_PAGES,
	JOB_OVER
};

/* That an empty page means that there is nothing more. */
enum job_proof {
	PROOF_NONE,
	PROOF_ASKED, /* the newest message is */
	PROOF_SHOWN, /* and was shown */
};

struct crawl_job {
	struct crawl *crawl;
	struct crawl_job *next;
	enum job_step step;
	uint64_t guild, channel;
	int64_t kind;    /* of the channel */
	int64_t list_ms; /* when the channels of the guild were asked for */
	struct rest_call call;
	char path[320];
	int64_t asked_ms;
	bool locked, wish; /* it was queued */
	bool threads;      /* those of the channel are wanted, too */
	char name[101];

	uint64_t floor;     /* no message before it */
	uint64_t below;     /* nothing above it is to be asked for */
	uint64_t before;    /* of the request */
	uint64_t top, last; /* the newest known, as covered; as Discord says */
	enum job_proof proof;
	int64_t seen; /* messages, in CRAWL_RECENT */
	double share; /* of its time that is done */

	enum listing_kind listing;
	struct buf cursor; /* of the listing */
	bool resumed, listed_before;
};

/* Put a job at the end of those that wait. */
struct crawl_job *crawl_push(struct crawl *c, enum job_step step,
    uint64_t guild, uint64_t channel);

/* Begin with a job; begin with as many as there may be. */
void crawl_start(struct crawl_job *j);
void crawl_fill(struct crawl *c);

/* A turn of the index, about a guild, as of when something was asked. */
int crawl_begin(struct crawl *c, uint64_t guild, int64_t at_ms, struct err *e);
int crawl_commit(struct crawl *c, struct err *e);

/* The guilds: their requests, and what is to be done once all are known. */
void crawl_guild_ask(struct crawl_job *j);
int crawl_guild_take(struct crawl_job *j, const struct json *v, struct err *e);
int crawl_plan(struct crawl *c, struct err *e);

/*
 * A channel: 1 and its path is written, 0 if there is nothing to ask for (any
 * more), -1. Within a turn.
 */
int crawl_channel_start(struct crawl_job *j, struct err *e);
int crawl_pages_ask(struct crawl_job *j, struct err *e);

/*
 * Is the page empty, without a proof that there is nothing? True if so, and then
 * *more: 1 something else is asked for first, 0 there is no telling, or -1.
 */
bool crawl_pages_doubt(struct crawl_job *j, const struct json *v, int *more,
    struct err *e);

int crawl_pages_take(struct crawl_job *j, const struct json *v,
    struct page_sum *sum, struct err *e);
int crawl_list_start(struct crawl_job *j, struct err *e);
int crawl_list_take(struct crawl_job *j, const struct json *v, struct err *e);

#endif
