#include "up/up_health.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/buf.h"
#include "core/clock.h"
#include "core/err.h"
#include "core/file.h"
#include "core/home.h"
#include "core/lock.h"
#include "ext/json.h"
#include "record/gateway_status.h"
#include "record/index_status.h"
#include "record/up_status.h"
#include "store/base.h"
#include "store/settings.h"
#include "store/spool_state.h"
#include "store/survey.h"

enum {
	STATUS_MAX = 256 << 10,
	LONG_MS = 5 * 60 * 1000, /* to be without a session */
};

static const char start_it[] = "start it: sophia up";

/* Does somebody hold the lock? It is not made if it isn't there. */
static bool
is_held(const char *name)
{
	char path[PATH_MAX];
	struct lock l = {0};
	struct err why = {0};
	bool held;

	if (home_path(path, name, &why) < 0 || access(path, F_OK) < 0)
		return false;
	held = lock_take(&l, path, LOCK_SHARED, 0, &why) < 0 &&
	       why.kind == ERR_AGAIN;
	lock_drop(&l);
	return held;
}

/* The record in a file of run/: NULL if there is none. */
static struct json *
read_status(const char *name)
{
	struct buf b = {.limit = STATUS_MAX};
	struct json *root = NULL;
	char path[PATH_MAX];
	struct err why = {0};

	if (home_path(path, name, &why) == 0 && access(path, F_OK) == 0 &&
	    file_read(&b, path, &why) == 0 &&
	    json_object(&root, b.data, b.len, &why) < 0)
		root = NULL;
	buf_release(&b);
	return root;
}

/* A program that isn't as it should be is a finding of its own. */
static bool
check_child(const struct up_child *c, health_fn *put, void *ctx)
{
	const bool failed = strcmp(c->state, "failed") == 0;
	struct buf text = {0};

	if (!failed && strcmp(c->state, "waiting") != 0)
		return true;
	buf_fmt(&text, "%s: %s", c->name,
	    c->error ? c->error : "it does not run");
	health_find(put, ctx, failed ? HEALTH_FAIL : HEALTH_WARN, "programs",
	    buf_text(&text),
	    failed ? "mend that, then restart sophia up"
		   : "it is started again by itself; see what it says");
	buf_release(&text);
	return false;
}

static void
check_living(const struct up_status *up, health_fn *put, void *ctx)
{
	struct buf text = {0};
	bool well = true;

	for (int i = 0; i < up->count; i++) {
		const struct up_child *c = &up->children[i];

		well &= check_child(c, put, ctx);
		buf_fmt(&text, "%s%s %s", i ? ", " : "", c->name, c->state);
		if (c->restarts)
			buf_fmt(&text, " (restarts: %" PRId64 ")", c->restarts);
	}
	if (well)
		health_find(put, ctx, HEALTH_OK, "programs", buf_text(&text),
		    NULL);
	buf_release(&text);
}

static void
check_dead(const struct up_status *up, health_fn *put, void *ctx)
{
	char at[CLOCK_TEXT], text[96];

	for (int i = 0; i < up->count; i++)
		if (strcmp(up->children[i].state, "failed") == 0)
			check_child(&up->children[i], put, ctx);
	clock_text(at, up->at_ms);
	snprintf(text, sizeof(text), "sophia up %s %s",
	    strcmp(up->state, "stopped") == 0 ? "was stopped at"
					      : "died some time after",
	    at);
	health_find(put, ctx,
	    strcmp(up->state, "stopped") == 0 ? HEALTH_OK : HEALTH_WARN,
	    "programs", text, start_it);
}

void
up_health_programs(health_fn *put, void *ctx)
{
	struct json *root = read_status("run/up.json");
	struct up_status up;
	struct err why = {0};

	if (!root)
		health_find(put, ctx, HEALTH_OK, "programs",
		    "none for Discord were ever started", NULL);
	else if (up_status_read(&up, root, &why) < 0)
		health_find(put, ctx, HEALTH_WARN, "programs", why.text,
		    start_it);
	else if (is_held("run/up.lock"))
		check_living(&up, put, ctx);
	else
		check_dead(&up, put, ctx);
	json_free(root);
}

static void
judge_gateway(const struct gateway_status *g, bool lives, health_fn *put,
    void *ctx)
{
	const bool up = strcmp(g->state, "up") == 0;
	const bool held = strcmp(g->state, "held") == 0;
	const bool late = clock_now_ms() - g->since_ms > LONG_MS;
	char since[CLOCK_TEXT];
	struct buf text = {0};

	clock_text(since, g->since_ms);
	buf_fmt(&text, "shard %d: ", g->shard);
	if (lives)
		buf_fmt(&text, "%s since %s", g->state, since);
	else
		buf_str(&text, "it does not run");
	if (g->reason)
		buf_fmt(&text, ": %s", g->reason);
	if (lives && held)
		health_find(put, ctx, HEALTH_FAIL, "gateway", buf_text(&text),
		    "make room for the spool, then it goes on by itself");
	else if (lives && !up && late)
		health_find(put, ctx, HEALTH_WARN, "gateway", buf_text(&text),
		    "see that Discord can be reached from this machine");
	else
		health_find(put, ctx, HEALTH_OK, "gateway", buf_text(&text),
		    NULL);
	buf_release(&text);
}

static void
check_gateway(int shard, health_fn *put, void *ctx)
{
	struct gateway_status g = {0};
	struct json *root;
	struct err why = {0};
	char name[40], lock[40];

	snprintf(name, sizeof(name), "run/gateway.%d.json", shard);
	snprintf(lock, sizeof(lock), "spool/%d/lock", shard);
	root = read_status(shard ? name : "run/gateway.json");
	if (root && gateway_status_read(&g, root, &why) == 0)
		judge_gateway(&g, is_held(lock), put, ctx);
	json_free(root);
}

void
up_health_gateways(health_fn *put, void *ctx)
{
	struct err why = {0};
	int *shards, n = spool_shards(&shards, &why);

	for (int i = 0; i < n; i++)
		check_gateway(shards[i], put, ctx);
	free(shards);
}

/* A reader that has missed something, or keeps the spool from being emptied. */
static void
check_reader(const struct spool_state *s, const struct spool_position *r,
    bool nearly_full, health_fn *put, void *ctx)
{
	struct buf text = {0}, fix = {0};

	if (r->passed < s->first - 1) {
		buf_fmt(&text,
		    "shard %d: events %" PRId64 " to %" PRId64
		    " are gone, and %s had not read them",
		    s->shard, r->passed + 1, s->first - 1, r->name);
		buf_str(&fix, "start it, and consider a larger spool.max");
	} else if (nearly_full && r->passed < s->last) {
		buf_fmt(&text,
		    "shard %d: nearly full, for %s has %" PRId64
		    " events to read",
		    s->shard, r->name, s->last - r->passed);
		buf_fmt(&fix,
		    "start it; or, if there is no such reader any more, "
		    "remove spool/%d/reader.%s",
		    s->shard, r->name);
	}
	if (text.len)
		health_find(put, ctx, HEALTH_WARN, "spool", buf_text(&text),
		    buf_text(&fix));
	buf_release(&text);
	buf_release(&fix);
}

static void
check_spool(const struct spool_state *s, int64_t max_bytes, health_fn *put,
    void *ctx)
{
	struct buf text = {0};

	buf_fmt(&text, "shard %d: %" PRId64 " MiB, events up to %" PRId64,
	    s->shard, s->bytes >> 20, s->last);
	for (int i = 0; i < s->readers; i++) {
		const struct spool_position *r = &s->reader[i];

		check_reader(s, r, s->bytes > max_bytes / 10 * 8, put, ctx);
		if (r->passed < s->last)
			buf_fmt(&text, ", %s has %" PRId64 " to read", r->name,
			    s->last - r->passed);
		else
			buf_fmt(&text, ", %s has read all", r->name);
	}
	health_find(put, ctx, HEALTH_OK, "spool", buf_text(&text), NULL);
	buf_release(&text);
}

void
up_health_spool(health_fn *put, void *ctx)
{
	struct settings settings = {0};
	struct err why = {0};
	int64_t max_bytes = INT64_MAX;
	int *shards, n = spool_shards(&shards, &why);

	/* Of settings that are not valid another finding speaks. */
	if (settings_open(&settings, &why) == 0)
		max_bytes = settings_int(&settings, "spool.max");
	settings_close(&settings);
	for (int i = 0; i < n; i++) {
		struct spool_state s = {0};

		if (spool_state_read(&s, shards[i], &why) == 0)
			check_spool(&s, max_bytes, put, ctx);
		else
			health_find(put, ctx, HEALTH_FAIL, "spool", why.text,
			    "see that the folder can be read");
		spool_state_release(&s);
	}
	free(shards);
}

static void
count_history(struct store *base, health_fn *put, void *ctx)
{
	struct survey survey = {0};
	struct index_channel c;
	struct err why = {0};
	int64_t whole = 0, part = 0, forbidden = 0;
	char text[160];
	int got;

	while ((got = survey_channel(&survey, &base->db, &c, &why)) > 0) {
		forbidden += c.forbidden != NULL;
		part += !c.forbidden && c.gaps;
		whole += !c.forbidden && !c.gaps;
	}
	survey_release(&survey);
	if (got < 0)
		return; /* the store is at fault, and was named */
	snprintf(text, sizeof(text),
	    "%" PRId64 " channels are known from their beginning, %" PRId64
	    " in part; %" PRId64 " may not be read",
	    whole, part, forbidden);
	health_find(put, ctx, HEALTH_OK, "history", text, NULL);
}

void
up_health_history(health_fn *put, void *ctx)
{
	struct store base = {0};
	struct err why = {0};

	/* One of another version is not touched, and was named. */
	if (store_look("messages", &why) == STORE_CURRENT &&
	    store_open(&base, "messages", STORE_READ, &why) == 0)
		count_history(&base, put, ctx);
	store_close(&base);
}
