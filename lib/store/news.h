#ifndef STORE_NEWS_H
#define STORE_NEWS_H
/*
 * news - a person changed the settings: what could not run may now.
 *
 * The kernel says so, so nobody wakes up to look. Where it can't be asked,
 * there is no news.
 *
 * Memory   {0} with changed and ctx set; it must not move while it listens.
 */

#include "core/poll.h"

struct news {
	void (*changed)(void *ctx);
	void *ctx;

	struct poll_fd watch; /* private */
};

void news_start(struct news *n, struct poll *p);
void news_stop(struct news *n); /* harmless on {0}, or twice */

#endif
