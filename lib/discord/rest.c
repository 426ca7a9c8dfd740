#define _GNU_SOURCE /* explicit_bzero */
#include "discord/rest.h"

#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/crash.h"
#include "core/hash.h"
#include "core/log.h"
#include "core/mem.h"
#include "discord/api.h"
#include "discord/limits.h"
#include "discord/rest_judge.h"
#include "ext/http.h"

enum { BUSY_MS = 2 }; /* until the limits are looked at again */

enum { ORPHANS = 64 };

struct rest {
	struct api api;
	struct buf auth;
	uint64_t token;
	struct http *http;
	struct poll *poll;
	struct poll_timer next;
	struct rest_call *first, *last;
	size_t count;
	bool warned;    /* of the invalid requests */
	struct orphan { /* sent, then stopped */
		struct limit_ask ask;
		uint64_t flight;
	} orphans[ORPHANS];
	size_t orphan_count;
	struct limits limits;
	uint64_t held[REST_QUEUE]; /* what may not be overtaken */
	size_t held_count;
};

static void
link_last(struct rest *r, struct rest_call *c)
{
	c->owner = r;
	c->before = r->last;
	c->after = NULL;
	*(r->last ? &r->last->after : &r->first) = c;
	r->last = c;
	r->count++;
}

static void
unlink_call(struct rest_call *c)
{
	struct rest *r = c->owner;

	*(c->before ? &c->before->after : &r->first) = c->after;
	*(c->after ? &c->after->before : &r->last) = c->before;
	c->before = c->after = NULL;
	c->owner = NULL;
	c->state = CALL_NONE;
	r->count--;
}

static void
wake(struct rest *r, int64_t at_ms)
{
	poll_set_timer(r->poll, &r->next, at_ms);
}

static struct limit_ask
ask_of(const struct rest_call *c)
{
	bool interaction = c->urgency == REST_URGENT && c->route.open;

	return (struct limit_ask){
	    .route = c->route.key,
	    .major = c->route.major,
	    .token = c->route.open ? 0 : c->owner->token,
	    .exempt = c->route.exempt || interaction,
	    .bulk = c->urgency == REST_BULK,
	};
}

/* Tell the limits what came of those that ended. */
static void
settle(struct rest *r)
{
	for (; r->orphan_count; r->orphan_count--) {
		const struct orphan *o = &r->orphans[r->orphan_count - 1];

		limit_cancel(&r->limits.state, &o->ask, o->flight, true,
		    clock_boot_ms());
	}
	for (struct rest_call *c = r->first; c; c = c->after) {
		const struct attempt *a = &c->attempt;
		struct limit_ask ask = ask_of(c);

		if (c->state != CALL_ANSWERED)
			continue;
		if (a->http.status)
			limit_answer(&r->limits.state, &ask, c->flight,
			    &a->quota, clock_boot_ms());
		else
			limit_cancel(&r->limits.state, &ask, c->flight,
			    a->http.end != HTTP_UNSENT, clock_boot_ms());
		rest_judge(c);
	}
}

static bool
is_held(const struct rest *r, uint64_t what)
{
	for (size_t i = 0; i < r->held_count; i++)
		if (r->held[i] == what)
			return true;
	return false;
}

static void
warn_once(struct rest *r, enum limit_why why)
{
	if (why != LIMIT_INVALIDS || r->warned)
		return;
	r->warned = true;
	log_warn("%s; before Discord bans this address, nothing is sent for "
		 "some minutes",
	    rest_reason(why));
}

/* Choose it, hold it back, or end it. Returns when to look at it again. */
static int64_t
consider(struct rest *r, struct rest_call *c, int64_t now_ms)
{
	struct limit_ask ask = ask_of(c);
	uint64_t key = c->route.key ^ c->route.major;
	int64_t again_ms = c->not_before_ms;
	enum limit_why why = LIMIT_BUCKET;

	if (c->until_ms && now_ms >= c->until_ms) {
		rest_finish(c, REST_UNSENT, ERR_AGAIN,
		    rest_reason((enum limit_why)c->why));
		return POLL_NEVER;
	}
	if (is_held(r, key)) /* it goes with the one before it */
		return c->until_ms ? c->until_ms : POLL_NEVER;
	if (again_ms <= now_ms)
		why = limit_reserve(&r->limits.state, &ask, now_ms, &c->flight,
		    &again_ms);
	if (why == LIMIT_GO) {
		c->state = CALL_CHOSEN;
		return POLL_NEVER;
	}
	warn_once(r, why);
	c->why = (int)why;
	if (why == LIMIT_TOKEN)
		rest_finish(c, REST_UNSENT, ERR_CONFIG, rest_reason(why));
	else
		r->held[r->held_count++] = key;
	return c->until_ms && c->until_ms < again_ms ? c->until_ms : again_ms;
}

/* Reserve for all that may go now; returns when to look again. */
static int64_t
choose(struct rest *r)
{
	static const enum rest_urgency order[] = {REST_URGENT, REST_NORMAL,
	    REST_BULK};
	int64_t now_ms = clock_boot_ms(), next_ms = POLL_NEVER;

	r->held_count = 0;
	for (size_t i = 0; i < REST_URGENCIES; i++)
		for (struct rest_call *c = r->first; c; c = c->after) {
			int64_t again_ms;

			if (c->state != CALL_WAITING || c->urgency != order[i])
				continue;
			again_ms = consider(r, c, now_ms);
			if (again_ms < next_ms)
				next_ms = again_ms;
		}
	return next_ms;
}

static void
on_attempt_ended(struct rest_call *c)
{
	CRASH_POINT("rest.answered");
	c->state = CALL_ANSWERED;
	c->took_ms = clock_boot_ms() - c->sent_ms;
	wake(c->owner, clock_boot_ms());
}

/* Send those that were chosen. */
static void
send_chosen(struct rest *r)
{
	for (struct rest_call *c = r->first; c; c = c->after) {
		struct http_call *h = &c->attempt.http;
		const char *auth = c->route.open ? NULL : buf_text(&r->auth);

		if (c->state != CALL_CHOSEN)
			continue;
		c->tries++;
		c->state = CALL_RUNNING;
		c->sent_ms = clock_boot_ms();
		c->waited_ms = c->sent_ms - c->began_ms;
		CRASH_POINT("rest.send");
		if (attempt_start(c, r->http, r->api.base, auth,
			!rest_may_repeat(c), on_attempt_ended, &h->why) == 0)
			continue;
		h->end = HTTP_UNSENT;
		on_attempt_ended(c);
	}
}

/* Tell the makers of those that are over; they may do anything then. */
static void
tell(struct rest *r)
{
	struct rest_call *c = r->first;

	while (c) {
		if (c->state != CALL_OVER) {
			c = c->after;
			continue;
		}
		unlink_call(c);
		c->ended(c->ctx);
		c = r->first;
	}
}

/* The limits can't be kept: then nothing may be sent at all. */
static void
fail_all(struct rest *r, const struct err *why)
{
	for (struct rest_call *c = r->first; c; c = c->after) {
		if (c->state == CALL_ANSWERED)
			rest_judge(c);
		if (c->state == CALL_WAITING || c->state == CALL_CHOSEN)
			rest_finish(c, REST_UNSENT, why->kind, why->text);
	}
}

static bool
has_work(const struct rest *r)
{
	if (r->orphan_count)
		return true;
	for (const struct rest_call *c = r->first; c; c = c->after)
		if (c->state == CALL_WAITING || c->state == CALL_ANSWERED)
			return true;
	return false;
}

/* Another program has the limits: whose time is over needn't wait for them. */
static int64_t
wait_for_limits(struct rest *r)
{
	int64_t now_ms = clock_boot_ms();

	for (struct rest_call *c = r->first; c; c = c->after)
		if (c->state == CALL_WAITING && c->until_ms &&
		    now_ms >= c->until_ms)
			rest_finish(c, REST_UNSENT, ERR_AGAIN,
			    rest_reason((enum limit_why)c->why));
	return now_ms + BUSY_MS;
}

static void
on_turn(void *ctx)
{
	struct rest *r = ctx;
	struct err e = {0};
	int64_t next_ms = POLL_NEVER;
	int got = has_work(r) ? limits_take(&r->limits, &e) : 0;

	if (got > 0) {
		settle(r);
		next_ms = choose(r);
		got = limits_give(&r->limits, &e);
	} else if (got == 0 && has_work(r)) {
		next_ms = wait_for_limits(r);
	}
	if (got < 0)
		fail_all(r, &e);
	if (next_ms != POLL_NEVER)
		wake(r, next_ms);
	send_chosen(r);
	tell(r);
}

int
rest_open(struct rest **r, struct poll *p, struct err *e)
{
	struct rest *new = mem_new(sizeof(*new));

	*r = NULL;
	new->poll = p;
	new->next = (struct poll_timer){.fire = on_turn, .ctx = new};
	if (api_open(&new->api, e) == 0 && limits_open(&new->limits, e) == 0 &&
	    http_open(&new->http, p, e) == 0) {
		new->token = hash_text(HASH_START, buf_text(&new->api.token)) |
			     1;
		buf_fmt(&new->auth, "Authorization: Bot %s",
		    buf_text(&new->api.token));
		*r = new;
		return 0;
	}
	rest_close(new);
	return -1;
}

void
rest_close(struct rest *r)
{
	if (!r)
		return;
	on_turn(r); /* what was stopped */
	poll_stop_timer(&r->next);
	http_close(r->http);
	api_close(&r->api);
	if (r->auth.data)
		explicit_bzero(r->auth.data, r->auth.room);
	buf_release(&r->auth);
	free(r);
}

int
rest_start(struct rest *r, struct rest_call *c, struct err *e)
{
	if (route_read(&c->route, c->method, c->path, e) < 0)
		return -1;
	if (c->file_count > REST_FILES)
		return err_set(e, ERR_INPUT, "more than %d files", REST_FILES);
	if (r->count >= REST_QUEUE)
		return err_set(e, ERR_AGAIN, "%d requests to Discord wait",
		    REST_QUEUE);
	c->end = REST_RUNS;
	c->status = c->tries = c->why = 0;
	c->doubtful = false;
	c->verdict = (struct verdict){0};
	c->waited_ms = c->took_ms = 0;
	buf_clear(&c->reply);
	c->began_ms = clock_boot_ms();
	rest_line_up(c, 0);
	link_last(r, c);
	wake(r, c->began_ms);
	return 0;
}

void
rest_stop(struct rest_call *c)
{
	struct rest *r = c->owner;

	if (!r)
		return;
	if ((c->state == CALL_RUNNING || c->state == CALL_ANSWERED) &&
	    r->orphan_count < ORPHANS) {
		r->orphans[r->orphan_count++] = (struct orphan){
		    .ask = ask_of(c),
		    .flight = c->flight,
		};
		wake(r, clock_boot_ms());
	}
	http_stop(&c->attempt.http);
	unlink_call(c);
}

bool
rest_drop(struct rest_call *c)
{
	if (!c->owner || c->state != CALL_WAITING || c->doubtful)
		return false;
	rest_stop(c);
	return true;
}

void
rest_release(struct rest_call *c)
{
	rest_stop(c);
	attempt_release(&c->attempt);
	buf_release(&c->reply);
}

struct http *
rest_http(struct rest *r, const char **base)
{
	*base = r->api.base;
	return r->http;
}

int
rest_step(struct rest *r, int64_t until_ms, struct err *e)
{
	return http_step(r->http, until_ms, e);
}
