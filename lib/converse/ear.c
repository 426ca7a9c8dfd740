#define _GNU_SOURCE /* memmem */
#include "converse/ear.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "converse/catchup.h"
#include "converse/converse.h"
#include "converse/entry.h"
#include "converse/hail.h"
#include "converse/visit.h"
#include "core/clock.h"
#include "core/err.h"
#include "core/log.h"
#include "discord/rest.h"
#include "ext/json.h"
#include "store/heard.h"
#include "store/inbox.h"
#include "store/settings.h"

enum {
	AT_ONCE = 256,          /* events, before others get their turn */
	NOTE_MS = 1000,         /* the position is written as often, at least */
	LATE_MS = 60 * 1000,    /* an event that was heard later is late */
	RESUME_MS = 600 * 1000, /* a session that is older is never resumed */
	HOUR_MS = 3600 * 1000,
};

static void
on_wake(void *ctx, short revents)
{
	struct converse *c = ctx;

	(void)revents;
	c->ear.ready = true;
}

static void
on_soon(void *ctx)
{
	struct converse *c = ctx;

	c->ear.due = true;
	c->ear.set = false;
}

int
ear_open(struct converse *c, int shard, struct err *e)
{
	struct ear *ear = &c->ear;

	ear->shard = shard;
	ear->soon = (struct poll_timer){.fire = on_soon, .ctx = c};
	if (heard_get(&c->tasks, shard, &ear->heard, &ear->at_ms, e) < 0 ||
	    spool_reader_open(&ear->reader, shard, "converse", ear->heard, e) <
		0)
		return -1;
	ear->open = true;
	ear->committed = ear->heard;
	ear->ready = true;
	ear->wake = (struct poll_fd){.fd = ear->reader.wake,
	    .events = POLLIN,
	    .ready = on_wake,
	    .ctx = c};
	poll_add(&c->poll, &ear->wake);
	return 0;
}

void
ear_close(struct converse *c)
{
	poll_remove(&c->ear.wake);
	poll_stop_timer(&c->ear.soon);
	if (c->ear.open)
		spool_reader_close(&c->ear.reader);
	c->ear.open = false;
}

/* The last event that is taken in, with all before it. */
static int64_t
position(const struct converse *c)
{
	const int64_t open = visit_first(c);

	return open && open <= c->ear.heard ? open - 1 : c->ear.heard;
}

static int
put_position(struct converse *c, struct err *e)
{
	return heard_set(&c->tasks, c->ear.shard, position(c), c->ear.at_ms, e);
}

static int
passed(struct converse *c, struct err *e)
{
	c->ear.committed = position(c);
	c->ear.due = false;
	return spool_reader_passed(&c->ear.reader, c->ear.committed, e);
}

/* Commit the position alone, if it moved. */
static int
note(struct converse *c, struct err *e)
{
	if (position(c) == c->ear.committed)
		return 0;
	if (store_begin(&c->tasks, e) == 0 && put_position(c, e) == 0 &&
	    store_commit(&c->tasks, e) == 0)
		return passed(c, e);
	store_rollback(&c->tasks);
	return -1;
}

/* Keep the late ones within their bounds. */
static int
trim(struct converse *c, const struct settings *s, struct err *e)
{
	const int64_t hours = settings_int(s, "discord.recover_hours");
	int64_t gone = inbox_trim(&c->tasks,
	    settings_int(s, "discord.recover_messages"),
	    clock_now_ms() - hours * HOUR_MS, e);

	if (gone > 0)
		log_warn("%" PRId64 " late requests are let go: there were "
			 "more than discord.recover_messages",
		    gone);
	return gone < 0 ? -1 : 0;
}

int
ear_message(struct converse *c, const struct json *v, const char *guild,
    bool late, struct err *e)
{
	const struct entry entry = {&c->tasks, terms_now(&c->terms), c->us};
	struct hail h = {0};
	struct err bad = {0};
	int got = 0;

	if (hail_read(&h, v, c->us, guild, &bad) == 0)
		got = entry_message(&entry, &h, late, e);
	hail_release(&h);
	if (got == ENTERED_INBOX)
		c->jobs.stale = true;
	if (got > 0 && late && trim(c, entry.settings, e) < 0)
		return -1;
	return got;
}

static bool
holds(const struct event *x, const char *text)
{
	return memmem(x->data, x->data_len, text, strlen(text)) != NULL;
}

/* Cheaper than to read it: could it address Sophia? */
static bool
may_address(const struct converse *c, const struct event *x)
{
	return holds(x, c->us) || holds(x, "\"message_reference\"") ||
	       !holds(x, "\"guild_id\"");
}

/* A correction is on the disk: its author sees that by an eye on it. */
static void
nod(struct converse *c, const struct json *v)
{
	struct post *x = post_new(&c->posts, "PUT", REST_NORMAL);
	struct err e = {0};

	buf_fmt(&x->path, "/channels/%s/messages/%s/reactions/%s/@me",
	    json_string(v, "channel_id"), json_string(v, "id"), "%F0%9F%91%80");
	if (post_start(x, &e) < 0)
		log_complain(&e);
}

/* One transaction with the position, for whatever comes of the message. */
static int
take_message(struct converse *c, const struct json *v, bool late, struct err *e)
{
	int got = -1;

	if (store_begin(&c->tasks, e) == 0)
		got = ear_message(c, v, NULL, late, e);
	if (got > 0 && (put_position(c, e) < 0 ||
			   store_commit(&c->tasks, e) < 0 || passed(c, e) < 0))
		got = -1;
	store_rollback(&c->tasks);
	return got;
}

static int
hear_message(struct converse *c, const struct event *x, struct err *e)
{
	const bool late = clock_now_ms() - x->at_ms > LATE_MS;
	struct json *v = NULL;
	struct err bad = {0};
	int got;

	if (!may_address(c, x) ||
	    json_object(&v, x->data, x->data_len, &bad) < 0)
		return 0;
	got = take_message(c, v, late, e);
	if (got == ENTERED_STEER)
		nod(c, v);
	json_free(v);
	return got < 0 ? -1 : 0;
}

static int
hear_gap(struct converse *c, int64_t since_ms, struct err *e)
{
	int rc = -1;

	if (store_begin(&c->tasks, e) == 0 &&
	    catchup_note(c, since_ms, e) == 0 && put_position(c, e) == 0 &&
	    store_commit(&c->tasks, e) == 0)
		rc = passed(c, e);
	store_rollback(&c->tasks);
	return rc;
}

static int
hear_event(struct converse *c, const struct event *x, int64_t before_ms,
    struct err *e)
{
	if (strcmp(x->name, "MESSAGE_CREATE") == 0)
		return hear_message(c, x, e);
	if (strcmp(x->name, "INTERACTION_CREATE") == 0)
		visit_begin(c, x);
	if (strcmp(x->name, "READY") == 0 && before_ms)
		return hear_gap(c, before_ms, e);
	if (strcmp(x->name, "RESUMED") == 0)
		return hear_gap(c, x->at_ms - RESUME_MS, e);
	return 0;
}

static int
hear(struct converse *c, int item, struct err *e)
{
	struct ear *ear = &c->ear;
	const int64_t before_ms = ear->at_ms;

	ear->heard = ear->reader.position;
	if (item == SPOOL_GAP) {
		log_warn("the spool misses events %" PRId64 " to %" PRId64,
		    ear->reader.gap_from, ear->reader.gap_to);
		return before_ms ? hear_gap(c, before_ms, e) : 0;
	}
	ear->at_ms = ear->reader.event.at_ms;
	return hear_event(c, &ear->reader.event, before_ms, e);
}

int
ear_listen(struct converse *c, struct err *e)
{
	struct ear *ear = &c->ear;
	int item = SPOOL_NONE, left = AT_ONCE;

	if (ear->due && note(c, e) < 0)
		return -1;
	if (!ear->ready)
		return 0;
	while (left-- > 0 && (item = spool_reader_next(&ear->reader, e)) > 0)
		if (hear(c, item, e) < 0)
			return -1;
	ear->ready = item > 0; /* the rest in the next step */
	ear->quiet = !ear->ready;
	if (position(c) != ear->committed && !ear->set) {
		ear->set = true;
		poll_set_timer(&c->poll, &ear->soon, clock_boot_ms() + NOTE_MS);
	}
	return item < 0 ? -1 : 0;
}
