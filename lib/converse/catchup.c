#include "converse/catchup.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "access/reach.h"
#include "converse/converse.h"
#include "core/clock.h"
#include "core/crash.h"
#include "core/err.h"
#include "core/id.h"
#include "core/log.h"
#include "core/mem.h"
#include "deliver/setback.h"
#include "discord/rest.h"
#include "ext/json.h"
#include "store/heard.h"
#include "store/settings.h"

enum {
	SLACK_MS = 60 * 1000, /* between Discord's clock and ours */
	HOUR_MS = 3600 * 1000,
	PAGE = 100,
	PAGES_MAX = 100,  /* of one channel */
	AGAIN_MS = 30000, /* after a fault that may pass */
	FAULTS_MAX = 10,  /* of one place, until it is given up */
};

/* The newest id that is surely known, or too old to matter. */
static void
after_text(char out[24], int64_t since_ms, const struct settings *s)
{
	const int64_t hours = settings_int(s, "discord.recover_hours");
	const int64_t oldest_ms = clock_now_ms() - hours * HOUR_MS;

	since_ms -= SLACK_MS;
	if (since_ms < oldest_ms)
		since_ms = oldest_ms;
	snprintf(out, 24, "%" PRIu64, snowflake_first(since_ms));
}

int
catchup_note(struct converse *c, int64_t since_ms, struct err *e)
{
	const struct settings *s = terms_now(&c->terms);
	char after[24];
	const char *guild;

	after_text(after, since_ms, s);
	for (int i = 0; (guild = settings_id(s, "discord.guilds", i)); i++)
		if (catchup_add(&c->tasks,
			&(struct catchup){.whole = true,
			    .id = guild,
			    .after = after},
			e) < 0)
			return -1;
	if (strcmp(settings_text(s, "discord.dms"), "on") == 0 &&
	    catchup_direct(&c->tasks, after, e) < 0)
		return -1;
	c->catcher.idle = false;
	c->catcher.threads = false;
	c->catcher.old = c->catcher.busy;
	return 0;
}

static struct catchup
place(const struct catcher *k)
{
	return (struct catchup){.whole = k->whole,
	    .id = k->id,
	    .guild = *k->guild ? k->guild : NULL,
	    .after = k->after};
}

static bool
is_after(const char *id, const char *after)
{
	uint64_t a, b;

	return id && snowflake_read(&a, id) == 0 &&
	       snowflake_read(&b, after) == 0 && a > b;
}

/* May Sophia read it, for all that the index knows? */
static bool
is_open(struct converse *c, struct store *index, const char *id)
{
	uint64_t us, channel;
	struct err e = {0};
	int reach;

	if (snowflake_read(&us, c->us) < 0 || snowflake_read(&channel, id) < 0)
		return true;
	reach = reach_channel(&index->db, us, channel, clock_now_ms(), &e);
	return reach != REACH_NOTHING && reach != REACH_LIVE;
}

/*
 * Which items of a list have a message since. Discord names the channels of a
 * guild that are closed to Sophia as well, and each refusal counts: those are
 * left out, as far as there is an index that knows. Free it.
 */
static bool *
choose(struct converse *c, const struct json *list)
{
	bool *chosen = mem_array(json_count(list) + 1, sizeof(bool));
	struct store index = {0};
	struct err none = {0};
	const bool known = store_open_index(&index, STORE_READ, &none) == 0;
	size_t i = 0;

	for (list = json_first(list); list; list = json_next(list), i++) {
		const char *id = json_string(list, "id");

		chosen[i] = id &&
			    is_after(json_string(list, "last_message_id"),
				c->catcher.after) &&
			    (!known || is_open(c, &index, id));
	}
	store_close(&index);
	return chosen;
}

static int
take_channels(struct converse *c, const struct json *v, const bool *chosen,
    struct err *e)
{
	const struct catcher *k = &c->catcher;

	for (v = json_first(v); v; v = json_next(v), chosen++) {
		const struct catchup channel = {
		    .id = json_string(v, "id"),
		    .guild = k->id,
		    .after = k->after,
		};

		if (*chosen && catchup_add(&c->tasks, &channel, e) < 0)
			return -1;
	}
	return 0;
}

/* A page, newest first, is taken in from its end; returns how many. */
static int
take_messages(struct converse *c, const struct json *v, struct err *e)
{
	struct catcher *k = &c->catcher;
	const struct json *list[PAGE];
	const char *id;
	int n = 0;

	for (v = json_first(v); v && n < PAGE; v = json_next(v))
		list[n++] = v;
	for (int i = n - 1; i >= 0; i--) {
		if (ear_message(c, list[i], *k->guild ? k->guild : NULL, true,
			e) < 0)
			return -1;
		id = json_string(list[i], "id");
		if (is_after(id, k->after))
			snprintf(k->after, sizeof(k->after), "%s", id);
	}
	return n;
}

/* What a guild or channel gave, and how it goes on, as one commit. */
static int
take(struct converse *c, const struct json *v, const bool *chosen,
    struct err *e)
{
	struct catcher *k = &c->catcher;
	const struct catchup here = place(k);
	int got;

	if (chosen && !k->threads) {
		k->threads = true; /* they come next */
		return take_channels(c, v, chosen, e);
	}
	if (chosen) {
		k->threads = false;
		if (take_channels(c, v, chosen, e) < 0)
			return -1;
		return catchup_move(&c->tasks, &here, NULL, e);
	}
	got = take_messages(c, v, e);
	if (got < 0)
		return -1;
	if (got < PAGE)
		return catchup_move(&c->tasks, &here, NULL, e);
	if (++k->pages < PAGES_MAX)
		return catchup_move(&c->tasks, &here, k->after, e);
	log_warn("channel %s: what was said after message %s while Sophia was "
		 "away is not looked through",
	    k->id, k->after);
	return catchup_move(&c->tasks, &here, NULL, e);
}

static int
settle(struct converse *c, const struct json *v, struct err *e)
{
	const struct catchup here = place(&c->catcher);
	bool *chosen = NULL;
	int rc = -1;

	if (c->catcher.whole && c->catcher.threads)
		v = v ? json_get(v, "threads") : NULL;
	if (c->catcher.whole) /* before the transaction: it takes a while */
		chosen = choose(c, v);
	if (store_begin(&c->tasks, e) == 0)
		rc = v ? take(c, v, chosen, e)
		       : catchup_move(&c->tasks, &here, NULL, e);
	CRASH_POINT("catchup.page");
	if (rc == 0)
		rc = store_commit(&c->tasks, e);
	store_rollback(&c->tasks);
	CRASH_POINT("catchup.page.done");
	free(chosen);
	return rc;
}

static void
on_again(void *ctx)
{
	struct converse *c = ctx;

	c->catcher.wait = false;
}

/* Once more, later; or, when there is no hope, not at all. */
static int
put_off(struct converse *c, const struct rest_call *call, struct err *e)
{
	struct catcher *k = &c->catcher;
	char why[200];

	if (call->verdict.kind == ERR_REFUSED || ++k->faults > FAULTS_MAX) {
		setback_reason(why, sizeof(why), call);
		log_warn("%s %s can't be caught up with: %s",
		    k->whole ? "guild" : "channel", k->id, why);
		k->faults = 0;
		k->threads = false;
		return settle(c, NULL, e);
	}
	k->wait = true;
	k->again = (struct poll_timer){.fire = on_again, .ctx = c};
	poll_set_timer(&c->poll, &k->again, clock_boot_ms() + AGAIN_MS);
	return 0;
}

static void
on_answer(void *ctx, const struct rest_call *call)
{
	struct converse *c = ctx;
	struct json *v = NULL;
	struct err e = {0}, bad = {0};
	int rc;

	c->catcher.busy = false;
	if (c->catcher.old) /* it can't know what the new gap hides */
		return;
	if (call->end == REST_ANSWERED && call->status == 200 &&
	    json_read(&v, buf_text(&call->reply), call->reply.len, &bad) == 0) {
		c->catcher.faults = 0;
		rc = settle(c, v, &e);
	} else {
		rc = put_off(c, call, &e);
	}
	json_free(v);
	if (rc < 0)
		converse_fail(c, &e);
}

static int
ask(struct converse *c, struct err *e)
{
	struct catcher *k = &c->catcher;
	struct post *x = post_new(&c->posts, "GET", REST_BULK);

	x->done = on_answer;
	x->ctx = c;
	if (k->whole)
		buf_fmt(&x->path, "/guilds/%s/%s", k->id,
		    k->threads ? "threads/active" : "channels");
	else
		buf_fmt(&x->path, "/channels/%s/messages?limit=%d&after=%s",
		    k->id, PAGE, k->after);
	k->busy = true;
	k->old = false;
	return post_start(x, e);
}

int
catchup_tend(struct converse *c, struct err *e)
{
	struct catcher *k = &c->catcher;
	struct stmt scan = {0};
	struct catchup next;
	int got;

	if (k->busy || k->wait || k->idle)
		return 0;
	got = catchup_first(&scan, &c->tasks, &next, e);
	if (got > 0) {
		if (k->whole != next.whole || strcmp(k->id, next.id) != 0) {
			k->pages = 0;
			k->threads = false;
		}
		k->whole = next.whole;
		snprintf(k->id, sizeof(k->id), "%s", next.id);
		snprintf(k->guild, sizeof(k->guild), "%s",
		    next.guild ? next.guild : "");
		snprintf(k->after, sizeof(k->after), "%s", next.after);
	}
	stmt_end(&scan);
	k->idle = got == 0;
	return got > 0 ? ask(c, e) : got;
}
