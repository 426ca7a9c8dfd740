#ifndef HISTORY_PAGE_H
#define HISTORY_PAGE_H
/*
 * page - put a page of a channel's messages, as Discord's "Get Channel
 * Messages" gives it: newest first, at most `limit` before an id.
 *
 * A page is a fact about a stretch of history: from its oldest message (from
 * the very beginning, if it holds fewer than were asked for) up to where it was
 * asked for, or up to its newest one. So
 * - that stretch is covered, in the same turn;
 * - a message that is indexed there, and isn't on the page, was deleted;
 * - the newest page of a channel whose events come live joins both.
 * It is a fact of the moment it was asked for: what events told since is newer.
 *
 * An empty page may mean that history can't be read: ask access/reach before.
 * Within the turn of an ingest.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct ingest;
struct json;

struct page_ask {
	uint64_t guild, channel;
	uint64_t before; /* 0 for the newest */
	size_t limit;
	int64_t asked_ms; /* when the request was made */
};

struct page_sum {
	int64_t messages; /* on the page */
	int64_t added, changed, deleted;
	uint64_t low, high; /* what it covers; COVERAGE_TOP never */
	bool beginning;     /* it reaches to the channel's first message */
};

/* list is the answer's array. ERR_INPUT if it is none. */
int page_put(struct ingest *in, const struct page_ask *ask,
    const struct json *list, struct page_sum *sum, struct err *e);

#endif
