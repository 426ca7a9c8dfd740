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
#include "core/crash.h"
#include "core/err.h"
#include "core/id.h"
#include "core/log.h"
#include "discord/rest.h"
#include "ext/json.h"
#include "store/heard.h"
#include "store/inbox.h"
#include "store/settings.h"
#include "store/tombstone.h"

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
	struct ear *ear = ctx;

	(void)revents;
	ear->ready = true;
}

static void
on_soon(void *ctx)
{
	struct ear *ear = ctx;

	ear->due = true;
	ear->set = false;
}

/*
 * From the first time on, somebody listens: what is said since then is looked
 * for, even if whoever heard it first died before it was on the disk.
 */
static int
since_when(struct ear *ear, struct err *e)
{
	struct store *tasks = &ear->owner->tasks;
	int64_t now_ms = clock_now_ms();

	if (heard_get(tasks, ear->shard, &ear->heard, &ear->at_ms, e) < 0)
		return -1;
	if (ear->at_ms)
		return 0;
	CRASH_POINT("ear.first");
	if (store_begin(tasks, e) < 0)
		return -1;
	if (heard_set(tasks, ear->shard, ear->heard, now_ms, e) == 0 &&
	    store_commit(tasks, e) == 0) {
		ear->at_ms = now_ms;
		return 0;
	}
	store_rollback(tasks);
	return -1;
}

int
ear_open(struct ear *ear, struct err *e)
{
	struct converse *c = ear->owner;

	ear->soon = (struct poll_timer){.fire = on_soon, .ctx = ear};
	if (since_when(ear, e) < 0 ||
	    spool_reader_open(&ear->reader, ear->shard, "converse", ear->heard,
		e) < 0)
		return -1;
	ear->open = true;
	ear->committed = ear->heard;
	ear->ready = true;
	ear->wake = (struct poll_fd){.fd = ear->reader.wake,
	    .events = POLLIN,
	    .ready = on_wake,
	    .ctx = ear};
	poll_add(&c->poll, &ear->wake);
	return 0;
}

void
ear_close(struct ear *ear)
{
	poll_remove(&ear->wake);
	poll_stop_timer(&ear->soon);
	if (ear->open)
		spool_reader_close(&ear->reader);
	ear->open = false;
}

/* The last event that is taken in, with all before it. */
static int64_t
position(const struct ear *ear)
{
	const int64_t open = visit_first(ear);

	return open && open <= ear->heard ? open - 1 : ear->heard;
}

static int
put_position(struct ear *ear, struct err *e)
{
	return heard_set(&ear->owner->tasks, ear->shard, position(ear),
	    ear->at_ms, e);
}

/* It was committed: the writer may let go what is before it. */
static int
passed(struct ear *ear, struct err *e)
{
	CRASH_POINT("ear.passed");
	ear->committed = position(ear);
	ear->due = false;
	return spool_reader_passed(&ear->reader, ear->committed, e);
}

/* Commit the position alone, if it moved. */
static int
note(struct ear *ear, struct err *e)
{
	struct store *tasks = &ear->owner->tasks;

	if (position(ear) == ear->committed) {
		ear->due = false;
		return 0;
	}
	CRASH_POINT("ear.position");
	if (store_begin(tasks, e) == 0 && put_position(ear, e) == 0 &&
	    store_commit(tasks, e) == 0)
		return passed(ear, e);
	store_rollback(tasks);
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
take_message(struct ear *ear, const struct json *v, bool late, struct err *e)
{
	struct store *tasks = &ear->owner->tasks;
	int got = -1;

	if (store_begin(tasks, e) == 0)
		got = ear_message(ear->owner, v, NULL, late, e);
	CRASH_POINT("ear.message");
	if (got > 0 && (put_position(ear, e) < 0 ||
			   store_commit(tasks, e) < 0 || passed(ear, e) < 0))
		got = -1;
	store_rollback(tasks);
	return got;
}

static int
hear_message(struct ear *ear, const struct event *x, struct err *e)
{
	const bool late = clock_now_ms() - x->at_ms > LATE_MS;
	struct json *v = NULL;
	struct err bad = {0};
	int got;

	if (!may_address(ear->owner, x) ||
	    json_object(&v, x->data, x->data_len, &bad) < 0)
		return 0;
	got = take_message(ear, v, late, e);
	CRASH_POINT("ear.message.done");
	if (got == ENTERED_STEER)
		nod(ear->owner, v);
	json_free(v);
	return got < 0 ? -1 : 0;
}

/* Messages are gone: what they asked for and was not begun goes, too. */
static int
withdraw(struct ear *ear, const struct json *v, struct err *e)
{
	struct store *tasks = &ear->owner->tasks;
	const char *one = json_string(v, "id");
	int got = 0;

	if (one)
		got = inbox_withdraw(tasks, one, e);
	for (v = json_first(json_get(v, "ids")); v && got >= 0;
	     v = json_next(v)) {
		int rc = json_text(v) ? inbox_withdraw(tasks, json_text(v), e)
				      : 0;

		got = rc < 0 ? -1 : got + rc;
	}
	return got;
}

/* In direct messages nobody else notes it: the index has none of them. */
static int
note_direct(const struct event *x, struct err *e)
{
	struct graves g = {0};
	struct grave one = {.kind = GRAVE_MESSAGE, .at_ms = x->at_ms};
	struct json *v = NULL;
	struct err bad = {0};
	int rc = 0;

	if (json_object(&v, x->data, x->data_len, &bad) == 0 &&
	    json_string(v, "id") &&
	    snowflake_read(&one.id, json_string(v, "id")) == 0) {
		graves_add(&g, &one);
		rc = tombstones_note(&g, false, e);
	}
	json_free(v);
	graves_release(&g);
	return rc;
}

static int
hear_delete(struct ear *ear, const struct event *x, struct err *e)
{
	struct store *tasks = &ear->owner->tasks;
	struct json *v = NULL;
	struct err bad = {0};
	int got;

	if (!holds(x, "\"guild_id\"") && note_direct(x, e) < 0)
		return -1;
	got = jobs_waiting(&ear->owner->jobs, e);
	if (got <= 0 || json_object(&v, x->data, x->data_len, &bad) < 0)
		return got < 0 ? -1 : 0;
	got = store_begin(tasks, e) < 0 ? -1 : withdraw(ear, v, e);
	CRASH_POINT("ear.withdraw");
	if (got > 0 && (put_position(ear, e) < 0 ||
			   store_commit(tasks, e) < 0 || passed(ear, e) < 0))
		got = -1;
	store_rollback(tasks);
	json_free(v);
	return got < 0 ? -1 : 0;
}

static int
hear_gap(struct ear *ear, int64_t since_ms, struct err *e)
{
	struct store *tasks = &ear->owner->tasks;
	int rc = -1;

	CRASH_POINT("ear.gap");
	if (store_begin(tasks, e) == 0 &&
	    catchup_note(ear->owner, since_ms, e) == 0 &&
	    put_position(ear, e) == 0 && store_commit(tasks, e) == 0)
		rc = passed(ear, e);
	store_rollback(tasks);
	return rc;
}

static int
hear_event(struct ear *ear, const struct event *x, int64_t before_ms,
    struct err *e)
{
	if (strcmp(x->name, "MESSAGE_CREATE") == 0)
		return hear_message(ear, x, e);
	if (strncmp(x->name, "MESSAGE_DELETE", 14) == 0) /* _BULK, too */
		return hear_delete(ear, x, e);
	if (strcmp(x->name, "INTERACTION_CREATE") == 0)
		visit_begin(ear, x);
	if (strcmp(x->name, "READY") == 0 && before_ms)
		return hear_gap(ear, before_ms, e);
	if (strcmp(x->name, "RESUMED") == 0)
		return hear_gap(ear, x->at_ms - RESUME_MS, e);
	return 0;
}

static int
hear(struct ear *ear, int item, struct err *e)
{
	const int64_t before_ms = ear->at_ms;

	ear->heard = ear->reader.position;
	if (item == SPOOL_GAP) {
		if (ear->reader.gap_to < ear->reader.gap_from)
			log_warn("the spool was begun anew; what was said "
				 "meanwhile is asked of Discord");
		else
			log_warn("events %" PRId64 " to %" PRId64
				 " are gone from the spool; what was said is "
				 "asked of Discord",
			    ear->reader.gap_from, ear->reader.gap_to);
		return before_ms ? hear_gap(ear, before_ms, e) : 0;
	}
	ear->at_ms = ear->reader.event.at_ms;
	return hear_event(ear, &ear->reader.event, before_ms, e);
}

int
ear_listen(struct ear *ear, struct err *e)
{
	int item = SPOOL_NONE, left = AT_ONCE;

	if (ear->due && note(ear, e) < 0)
		return -1;
	if (!ear->ready)
		return 0;
	while (left-- > 0 && (item = spool_reader_next(&ear->reader, e)) > 0)
		if (hear(ear, item, e) < 0)
			return -1;
	ear->ready = item > 0; /* the rest in the next step */
	ear->quiet = !ear->ready;
	if (position(ear) != ear->committed && !ear->set) {
		ear->set = true;
		poll_set_timer(&ear->owner->poll, &ear->soon,
		    clock_boot_ms() + NOTE_MS);
	}
	return item < 0 ? -1 : 0;
}
