#ifndef CONVERSE_CONVERSE_H
#define CONVERSE_CONVERSE_H
/*
 * converse - Sophia in Discord: hears the spool's events, lets requests in,
 * has each worked on by a sophia-loop, shows how it goes, and delivers what
 * comes of it.
 *
 * One process of it for a state folder; a second one is ERR_AGAIN. It ends by
 * SIGTERM or SIGINT: tasks at work are paused, and their people told.
 *
 * What is on the disk at each moment is enough to go on from: an event's
 * effects and the position in the spool are one commit; a request stays in the
 * inbox until its turn has begun; an answer in the outbox until it is
 * delivered.
 */

#include "converse/cards.h"
#include "converse/catchup.h"
#include "converse/ear.h"
#include "converse/post.h"
#include "converse/queue.h"
#include "converse/jobs.h"
#include "converse/registry.h"
#include "converse/terms.h"
#include "core/lock.h"
#include "core/poll.h"
#include "core/signals.h"
#include "deliver/deliver.h"
#include "store/base.h"

struct err;
struct visit;

struct converse {
	struct poll poll;
	struct store tasks;
	struct terms terms;
	struct posts posts;
	char us[24], application[24]; /* ids of Sophia's own */
	struct jobs jobs;
	struct deliver deliver;
	struct ear *ears; /* one for each shard */
	int shards;
	struct catcher catcher;
	struct queue queue;
	struct registry registry;
	struct cards cards;
	struct visit *visits; /* interactions under way */
	bool ending;

	struct lock lock;
	struct signals signals;
	struct err fault; /* why it can't go on */
};

/* Hear so many shards, from 0, until a signal: 0, or -1. */
int converse_run(int shards, struct err *e);

/* Something failed that can't be lived with: end, and say so. */
void converse_fail(struct converse *c, const struct err *why);

#endif
