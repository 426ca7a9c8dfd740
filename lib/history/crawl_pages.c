/* The messages of a channel, a page after the other: history/crawl. */
#include <inttypes.h>
#include <stdio.h>

#include "access/reach.h"
#include "core/clock.h"
#include "core/err.h"
#include "core/id.h"
#include "ext/json.h"
#include "history/crawl_inside.h"
#include "history/watch.h"
#include "record/community.h"
#include "store/coverage.h"

/* What is known of it: 1, 0 if nothing is, or -1. */
static int
describe(struct crawl_job *j, struct err *e)
{
	struct stmt s = {0};
	int row;

	stmt_start(&s, j->crawl->in.db,
	    "SELECT c.guild, c.kind, c.name, coalesce(c.last, 0),"
	    " coalesce((SELECT max(high) FROM covered WHERE channel = c.ord),"
	    "  0), c.live_low IS NOT NULL, coalesce(c.archived_ms, 0)"
	    " FROM channel c WHERE c.id = ?1 AND c.as_of_ms IS NOT NULL");
	stmt_int(&s, 1, (int64_t)j->channel);
	row = stmt_next(&s, e);
	if (row > 0) {
		j->guild = (uint64_t)row_int(&s, 0);
		j->kind = row_int(&s, 1);
		snprintf(j->name, sizeof(j->name), "%s", row_text(&s, 2));
		j->last = (uint64_t)row_int(&s, 3);
		j->top = (uint64_t)row_int(&s, 4);
		j->below = COVERAGE_TOP;
		/* What comes by itself need not be asked for. */
		if (j->crawl->live && row_int(&s, 5))
			j->below = j->top;
	}
	stmt_end(&s);
	return row;
}

/* Say why its history can't be read: 0, or -1. */
static int
forbid(struct crawl_job *j, const char *why, struct err *e)
{
	j->step = JOB_OVER;
	j->crawl->forbidden++;
	return coverage_forbid(j->crawl->in.db, j->channel, why, j->asked_ms,
	    e);
}

/*
 * Nothing is known of what Sophia may do. If that is so since events were
 * missed, after her roles were asked for, it is soon known again: the channel is
 * left for the next crawl.
 */
static int
leave_unknown(struct crawl_job *j, struct err *e)
{
	struct stmt s = {0};
	int closed;

	stmt_start(&s, j->crawl->in.db,
	    "SELECT 1 FROM member m JOIN author a ON a.ord = m.author"
	    " JOIN guild g ON g.id = m.guild WHERE a.id = ?1 AND g.id = ?2"
	    " AND m.roles_ms < g.people_ms AND m.left_ms IS NULL");
	stmt_int(&s, 1, (int64_t)j->crawl->in.bot);
	stmt_int(&s, 2, (int64_t)j->guild);
	closed = stmt_next(&s, e);
	stmt_end(&s);
	if (closed <= 0)
		return closed < 0
			   ? -1
			   : forbid(j, "what Sophia may do there is not known",
				 e);
	j->step = JOB_OVER;
	j->crawl->left++;
	return 0;
}

static int
check_reach(struct crawl_job *j, struct err *e)
{
	struct ingest *in = &j->crawl->in;

	switch (reach_channel(in->db, in->bot, j->channel, clock_now_ms(), e)) {
	case REACH_ALL: return 1;
	case REACH_LIVE: return forbid(j, WATCH_NO_HISTORY, e);
	case REACH_NOTHING: return forbid(j, WATCH_BLIND, e);
	case REACH_UNKNOWN: return leave_unknown(j, e);
	default: return -1;
	}
}

/* A forum has nothing else: its posts are threads. */
static bool
is_forum(int64_t kind)
{
	return kind == CHANNEL_FORUM || kind == CHANNEL_MEDIA;
}

static bool
has_threads(int64_t kind)
{
	return kind == CHANNEL_TEXT || kind == CHANNEL_NEWS || is_forum(kind);
}

int
crawl_channel_start(struct crawl_job *j, struct err *e)
{
	int known = describe(j, e), may;

	if (known < 0)
		return -1;
	if (!known) {
		crawl_guild_ask(j); /* JOB_LOOK */
		return 1;
	}
	if (!ingest_wants(&j->crawl->in, j->guild)) {
		j->step = JOB_OVER;
		return err_set(e, ERR_INPUT,
		    "channel %" PRIu64 " is not in a guild of discord.guilds",
		    j->channel);
	}
	j->crawl->channels++;
	may = check_reach(j, e);
	if (may <= 0)
		return may;
	return j->threads && has_threads(j->kind) ? crawl_list_start(j, e)
						  : crawl_pages_ask(j, e);
}

/* How much of the time that is wanted is done, for an estimate. */
static void
measure(struct crawl_job *j, uint64_t at)
{
	uint64_t low = j->floor > j->channel ? j->floor : j->channel;
	uint64_t now = snowflake_first(clock_now_ms());
	double share = at >= now || now <= low ? 0
		       : at <= low             ? 1
				   : (double)(now - at) / (double)(now - low);

	if (share > j->share) {
		j->crawl->done_share += share - j->share;
		j->share = share;
	}
}

static int
finish(struct crawl_job *j, struct err *e)
{
	struct crawl *c = j->crawl;

	j->step = JOB_OVER;
	measure(j, 0);
	c->finished++;
	return j->wish ? wanted_done(c->in.db, j->channel, clock_now_ms(), e)
		       : 0;
}

/* Nothing newer than what is known: as Discord's list of channels says. */
static bool
top_is_known(const struct crawl_job *j)
{
	return j->crawl->scope != CRAWL_RECENT && j->top && j->top >= j->last;
}

/* In a sweep: it met what was known, or has seen enough. */
static bool
swept(const struct crawl_job *j)
{
	return j->before &&
	       (j->before <= j->top + 1 || j->seen >= j->crawl->sweep);
}

/* What was known before is still further down: that is a gap to be closed. */
static int
wish_for_rest(struct crawl_job *j, struct err *e)
{
	struct coverage_gap gap;
	int open;

	if (!j->top || !j->before || j->before <= j->top + 1)
		return 0;
	open = coverage_gap(j->crawl->in.db, j->channel, j->top, j->before - 1,
	    &gap, e);
	if (open <= 0)
		return open;
	return wanted_add(j->crawl->in.db,
	    &(struct wanted){.channel = j->channel, .low = j->top},
	    clock_now_ms(), e);
}

/* Where the next page ends: 1, 0 if none is needed, or -1. */
static int
choose(struct crawl_job *j, struct err *e)
{
	struct crawl *c = j->crawl;
	struct coverage_gap gap;
	int open;

	if (c->scope == CRAWL_RECENT) {
		if (swept(j))
			return wish_for_rest(j, e);
		return j->below == COVERAGE_TOP || j->before;
	}
	if (j->below == COVERAGE_TOP && top_is_known(j))
		j->below = j->top;
	open = coverage_gap(c->in.db, j->channel, j->floor, j->below, &gap, e);
	if (open > 0)
		j->before = gap.high == COVERAGE_TOP ? 0 : gap.high + 1;
	return open;
}

static int
ask_page(struct crawl_job *j, int limit)
{
	int n;

	j->step = JOB_PAGES;
	n = snprintf(j->path, sizeof(j->path),
	    "/channels/%" PRIu64 "/messages?limit=%d", j->channel, limit);
	if (j->before && j->proof != PROOF_ASKED)
		snprintf(j->path + n, sizeof(j->path) - (size_t)n,
		    "&before=%" PRIu64, j->before);
	return 1;
}

/*
 * Where the history may not be read, Discord gives an empty page and no error;
 * and a right can be withdrawn at any moment. So an empty one counts only if
 * the channel has never had a message, or shows its newest one.
 */
bool
crawl_pages_doubt(struct crawl_job *j, const struct json *v, int *more,
    struct err *e)
{
	bool empty = json_kind(v) == JSON_ARRAY && !json_count(v);

	if (j->proof == PROOF_ASKED && !empty) {
		j->proof = PROOF_SHOWN;
		*more = ask_page(j, CRAWL_PAGE);
		return true;
	}
	if (!empty || j->proof == PROOF_SHOWN || !j->last)
		return false;
	if (j->before && j->proof == PROOF_NONE) {
		j->proof = PROOF_ASKED;
		*more = ask_page(j, 1);
		return true;
	}
	*more = forbid(j, "Discord shows none of its messages", e);
	return true;
}

int
crawl_pages_ask(struct crawl_job *j, struct err *e)
{
	int more = is_forum(j->kind) ? 0 : choose(j, e);

	if (more < 0)
		return -1;
	if (!more)
		return finish(j, e);
	return ask_page(j, CRAWL_PAGE);
}

int
crawl_pages_take(struct crawl_job *j, const struct json *v,
    struct page_sum *sum, struct err *e)
{
	struct crawl *c = j->crawl;
	const struct page_ask ask = {.guild = j->guild,
	    .channel = j->channel,
	    .before = j->before,
	    .limit = CRAWL_PAGE,
	    .asked_ms = j->asked_ms};

	if (page_put(&c->in, &ask, v, sum, e) < 0)
		return -1;
	/* It was told to be the newest before the page was asked for. */
	if (!j->before && j->last > sum->high) {
		sum->high = j->last;
		if (coverage_add(c->in.db, j->channel, sum->low, j->last,
			"backfill", e) < 0)
			return -1;
	}
	if (!j->before)
		j->below = sum->high;
	if (c->scope == CRAWL_RECENT)
		j->before = sum->low ? sum->low : 1;
	j->seen += sum->messages;
	c->pages++;
	c->messages += sum->messages;
	c->added += sum->added;
	measure(j, sum->low);
	return 0;
}
