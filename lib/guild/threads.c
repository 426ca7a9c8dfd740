/* list_threads, read_thread_messages */
#include <inttypes.h>
#include <stdlib.h>

#include "core/buf.h"
#include "core/err.h"
#include "core/id.h"
#include "core/mem.h"
#include "discord/parts.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "guild/answers.h"
#include "guild/describe.h"
#include "guild/live.h"
#include "record/call.h"
#include "tool/serve.h"

enum { SHOWN = 50, SHOWN_MOST = 100, ARCHIVED_LEAST = 2 };

static int
read_limit(const struct json *in, int64_t *limit, struct err *e)
{
	*limit = json_int(in, "limit", SHOWN);
	if (*limit < 1 || *limit > SHOWN_MOST)
		return err_set(e, ERR_INPUT, "limit is no number from 1 to %d",
		    SHOWN_MOST);
	return 0;
}

/* Show a thread if the asker may see it: 1, 0 or -1. */
static int
show_thread(struct live *l, const struct json *v, uint64_t parent,
    struct buf *d, struct err *e)
{
	int may;

	if (parent && parts_id(v, "parent_id", NULL) != parent)
		return 0;
	may = live_may(l, parts_id(v, "id", NULL), false, e);
	if (may > 0)
		describe_channel(d, NULL, l, v);
	return may;
}

/* From the id of the cursor on. */
static int
show_active(struct live *l, const struct json *in, uint64_t parent,
    int64_t limit, struct answer_parts *a, struct err *e)
{
	const char *cursor = json_string(in, "cursor");
	const struct json *v = json_first(l->threads);
	int64_t count = 0;
	int shown;

	while (v && cursor && parts_id(v, "id", NULL) != live_id(cursor, "<#"))
		v = json_next(v);
	for (; v && count < limit; v = json_next(v)) {
		if ((shown = show_thread(l, v, parent, &a->data, e)) < 0)
			return -1;
		count += shown;
	}
	if (v)
		buf_str(&a->cursor, json_string(v, "id"));
	buf_fmt(&a->summary, "%" PRId64 " active threads%s", count,
	    v ? "; there may be more" : "");
	return 0;
}

/*
 * Old threads of a channel that the asker may see; public ones, so who sees the
 * channel sees them.
 */
static int
show_archived(struct live *l, const struct json *in, uint64_t parent,
    int64_t limit, struct answer_parts *a, struct err *e)
{
	const char *cursor = json_string(in, "cursor"), *last = NULL;
	const struct json *v;
	struct buf path = {0};
	struct json *page = NULL;
	int result;

	buf_fmt(&path,
	    "/channels/%" PRIu64 "/threads/archived/public?limit=%" PRId64,
	    parent, limit < ARCHIVED_LEAST ? ARCHIVED_LEAST : limit);
	if (cursor) {
		buf_str(&path, "&before=");
		live_encode(&path, cursor);
	}
	result = live_get(l, buf_text(&path), &page, e);
	v = json_first(json_get(page, "threads"));
	for (; v; v = json_next(v)) {
		describe_channel(&a->data, NULL, l, v);
		last = json_string(json_get(v, "thread_metadata"),
		    "archive_timestamp");
	}
	if (last && json_bool(page, "has_more", false))
		buf_str(&a->cursor, last);
	buf_fmt(&a->summary, "%zu archived threads%s",
	    json_count(json_get(page, "threads")),
	    a->cursor.len ? "; there are more" : "");
	json_free(page);
	buf_release(&path);
	return result;
}

static int
list(struct live *l, const struct json *in, struct answer_parts *a,
    struct err *e)
{
	const char *name = json_string(in, "channel");
	bool archived = json_bool(in, "archived", false);
	uint64_t parent = 0;
	int64_t limit;
	int result, may;

	if (read_limit(in, &limit, e) < 0 ||
	    (name && live_name_channel(l, name, &parent, e) < 0))
		return -1;
	if (archived && !parent)
		return err_set(e, ERR_INPUT,
		    "archived threads are those of a channel: name it");
	if (archived && (may = live_may(l, parent, true, e)) <= 0)
		return may < 0 ? -1
			       : err_set(e, ERR_DENIED,
				     "the history of this channel can't be "
				     "shown here");
	jsonw_object(&a->data, NULL);
	jsonw_array(&a->data, "threads");
	result = archived ? show_archived(l, in, parent, limit, a, e)
			  : show_active(l, in, parent, limit, a, e);
	jsonw_end_array(&a->data);
	jsonw_end_object(&a->data);
	return result;
}

int
guild_threads(void *ctx, const struct call *call, struct answer_parts *a,
    struct err *e)
{
	struct live *l = ctx;
	int result;

	if (live_begin(l, call, 0, e) < 0)
		return -1;
	result = list(l, call->arguments.tree, a, e);
	live_end(l);
	return result;
}

/* ---- messages ---- */

struct row {
	const struct json *message;
};

/* Discord gives the newest first; people read the other way. */
static int
add_sources(const struct live *l, const struct json *channel,
    const struct json *page, struct buf *to, struct err *e)
{
	size_t count = json_count(page), n = count;
	struct row *rows = mem_array(count + 1, sizeof(*rows));
	int result = 0;

	for (const struct json *v = json_first(page); v; v = json_next(v))
		rows[--n].message = v;
	jsonw_array(to, NULL);
	for (size_t i = 0; i < count && result == 0; i++)
		result = describe_source(l, channel, rows[i].message, to, e);
	jsonw_end_array(to);
	free(rows);
	return result;
}

static int
show_messages(struct live *l, const struct json *in, uint64_t thread,
    struct answer_parts *a, struct err *e)
{
	const struct json *channel = live_channel(l, thread);
	const char *cursor = json_string(in, "cursor"), *oldest;
	const struct json *v;
	struct json *page = NULL;
	uint64_t before = 0;
	int64_t limit;
	char path[128];
	int result;

	if (read_limit(in, &limit, e) < 0)
		return -1;
	if (cursor && snowflake_read(&before, cursor) < 0)
		return err_set(e, ERR_INPUT, "this is no cursor of this tool");
	snprintf(path, sizeof(path),
	    "/channels/%" PRIu64 "/messages?limit=%" PRId64 "%s%.20s", thread,
	    limit, before ? "&before=" : "", before ? cursor : "");
	if (live_get(l, path, &page, e) < 0)
		return -1;
	oldest = NULL;
	for (v = json_first(page); v; v = json_next(v))
		oldest = json_string(v, "id");
	if (oldest && (int64_t)json_count(page) == limit)
		buf_str(&a->cursor, oldest);
	result = add_sources(l, channel, page, &a->sources, e);
	jsonw_object(&a->data, NULL);
	describe_channel(&a->data, "thread", l, channel);
	jsonw_int(&a->data, "count", (int64_t)json_count(page));
	jsonw_end_object(&a->data);
	buf_fmt(&a->summary, "%zu messages of %s, the oldest first%s",
	    json_count(page), json_string(channel, "name"),
	    a->cursor.len ? "; the cursor leads to older ones" : "");
	json_free(page);
	return result;
}

static bool
is_thread(const struct live *l, uint64_t channel)
{
	return channel_is_thread(
	    json_int(live_channel(l, channel), "type", -1));
}

int
guild_thread(void *ctx, const struct call *call, struct answer_parts *a,
    struct err *e)
{
	struct live *l = ctx;
	const struct json *in = call->arguments.tree;
	const char *name = json_string(in, "thread");
	uint64_t thread;
	int result = -1;

	if (!name)
		return err_set(e, ERR_INPUT, "thread is missing");
	if (live_begin(l, call, live_id(name, "<#"), e) < 0)
		return -1;
	if (live_name_channel(l, name, &thread, e) == 0 &&
	    live_readable(l, thread, name, e) == 0)
		result = is_thread(l, thread)
			     ? show_messages(l, in, thread, a, e)
			     : err_set(e, ERR_INPUT,
				   "'%.80s' is a channel, not a thread", name);
	live_end(l);
	return result;
}
