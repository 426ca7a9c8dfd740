/* The archived threads of a channel, a list after the other: history/crawl. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "access/reach.h"
#include "core/clock.h"
#include "core/err.h"
#include "core/id.h"
#include "discord/community.h"
#include "discord/parts.h"
#include "discord/permission.h"
#include "ext/json.h"
#include "history/crawl_inside.h"
#include "store/roll.h"

/* A time has a '+' in it, which means a space in an address. */
static void
add_escaped(struct crawl_job *j, const char *text)
{
	size_t at = strlen(j->path);

	for (; *text && at + 4 < sizeof(j->path); text++) {
		bool plain = isalnum((unsigned char)*text) ||
			     strchr("-._~", *text);

		at += (size_t)snprintf(j->path + at, sizeof(j->path) - at,
		    plain ? "%c" : "%%%02X", (unsigned char)*text);
	}
}

static int
ask(struct crawl_job *j)
{
	static const char *const lists[] = {
	    "threads/archived/public",
	    "threads/archived/private",
	    "users/@me/threads/archived/private",
	};

	snprintf(j->path, sizeof(j->path), "/channels/%" PRIu64 "/%s?limit=%d",
	    j->channel, lists[j->listing], CRAWL_PAGE);
	if (j->cursor.len) {
		snprintf(j->path + strlen(j->path),
		    sizeof(j->path) - strlen(j->path), "&before=");
		add_escaped(j, buf_text(&j->cursor));
	}
	return 1;
}

/* Begin with a list where it broke off; or anew, if it was read to its end. */
static int
begin(struct crawl_job *j, enum listing_kind kind, struct err *e)
{
	j->listing = kind;
	j->step = JOB_LIST;
	if (listing_get(j->crawl->in.db, j->channel, kind, &j->cursor,
		&j->listed_before, e) < 0)
		return -1;
	j->resumed = j->cursor.len > 0;
	return ask(j);
}

int
crawl_list_start(struct crawl_job *j, struct err *e)
{
	return begin(j, LISTING_PUBLIC, e);
}

/* After a list: private threads, where there can be some; then the messages. */
static int
next_list(struct crawl_job *j, struct err *e)
{
	struct ingest *in = &j->crawl->in;
	uint64_t bits = 0;

	if (j->kind != CHANNEL_TEXT || j->listing != LISTING_PUBLIC)
		return crawl_pages_ask(j, e);
	if (reach_bits(in->db, in->bot, j->channel, clock_now_ms(), &bits, e) <
	    0)
		return -1;
	return begin(j,
	    bits & PERMIT_MANAGE_THREADS ? LISTING_PRIVATE : LISTING_JOINED, e);
}

/* Put one thread, and have its messages fetched: 1 if it was known so. */
static int
take_thread(struct crawl_job *j, const struct json *v, struct err *e)
{
	struct crawl *c = j->crawl;
	struct channel_facts t;
	struct crawl_job *job;
	int fresh;

	if (!community_channel(&t, &c->in.lists, j->guild, v))
		return 1;
	if (c->since && t.archived_ms && t.archived_ms < snowflake_ms(c->since))
		return 1;
	fresh = roll_channel(&c->in.roll, &t, j->asked_ms, e);
	if (fresh < 0)
		return -1;
	if (j->wish && wanted_add(c->in.db,
			   &(struct wanted){.channel = t.id, .low = j->floor},
			   j->asked_ms, e) < 0)
		return -1;
	if (fresh || j->wish) {
		job = crawl_push(c, JOB_LOOK, j->guild, t.id);
		job->floor = j->floor;
		job->wish = j->wish;
	}
	return !fresh;
}

/*
 * Go on before the last one: by its id, or its time. Others may have been
 * archived in the same moment: so from a ms later, unless that is where we are.
 */
static void
move_cursor(struct crawl_job *j, const struct json *last)
{
	const struct json *meta = json_get(last, "thread_metadata");
	const char *at = json_string(meta, "archive_timestamp");
	char later[CLOCK_TEXT] = "";
	int64_t at_ms;

	if (j->listing == LISTING_JOINED)
		at = json_string(last, "id");
	else if (at && clock_parse(&at_ms, at) == 0)
		clock_text(later, at_ms + 1);
	if (*later && strcmp(later, buf_text(&j->cursor)) != 0)
		at = later;
	buf_clear(&j->cursor);
	buf_str(&j->cursor, at);
}

static int
take_members(struct ingest *in, const struct json *list, struct err *e)
{
	for (const struct json *v = json_first(list); v; v = json_next(v))
		if (roll_thread_member(&in->roll, parts_id(v, "id", NULL),
			in->bot, true, e) < 0)
			return -1;
	return 0;
}

int
crawl_list_take(struct crawl_job *j, const struct json *v, struct err *e)
{
	struct ingest *in = &j->crawl->in;
	const struct json *last = NULL;
	bool more = json_bool(v, "has_more", false);
	int known = 1, result;

	for (const struct json *t = json_first(json_get(v, "threads")); t;
	     t = json_next(t)) {
		last = t;
		known = take_thread(j, t, e);
		if (known < 0)
			return -1;
	}
	if (take_members(in, json_get(v, "members"), e) < 0)
		return -1;
	/* What follows a thread that was listed before was, too. */
	if (!last || (known && j->listed_before))
		more = false;
	if (more)
		move_cursor(j, last);
	else
		buf_clear(&j->cursor);
	if (listing_set(in->db, j->channel, j->listing, buf_text(&j->cursor),
		more ? 0 : j->asked_ms, e) < 0)
		return -1;
	if (more)
		return ask(j);
	if (j->resumed) { /* what was archived since it broke off */
		j->resumed = false;
		j->listed_before = true;
		return ask(j);
	}
	result = next_list(j, e);
	return result;
}
