#include "history/page.h"

#include <stdlib.h>
#include <string.h>

#include "core/err.h"
#include "core/mem.h"
#include "discord/parts.h"
#include "discord/raw.h"
#include "ext/json.h"
#include "history/ingest.h"
#include "history/learn.h"
#include "store/base.h"
#include "store/coverage.h"
#include "store/live.h"
#include "store/notice.h"
#include "store/reaction.h"

enum { STRAY_MOST = 1000 }; /* messages that are indexed, not on the page */

/* What an event may have changed since the page was asked for. */
#define SINCE                                                                  \
	(~(1U << MESSAGE_REACTIONS | 1U << MESSAGE_POLL |                      \
	    1U << MESSAGE_EMBEDS | MESSAGE_TOLD_PINNED))

static int
put_whole(struct ingest *in, int64_t asked_ms, struct err *e)
{
	struct message *m = &in->message;
	const char *more = buf_text(&m->more);
	int put = messages_put(&in->messages, m, e);

	if (put >= 0 && put != PUT_DELETED &&
	    (strstr(more, "\"reactions\":") || strstr(more, "\"poll\":")) &&
	    reaction_counted(in->db, m->id, asked_ms, e) < 0)
		return -1;
	return put;
}

static int
put(struct ingest *in, int64_t asked_ms, struct err *e)
{
	struct message *m = &in->message;
	int since = reaction_since(in->db, m->id, asked_ms, e), result;

	if (since < 0)
		return -1;
	result = since ? messages_update(&in->messages, m, SINCE, e)
		       : put_whole(in, asked_ms, e);
	if (result == PUT_ABSENT)
		result = messages_put(&in->messages, m, e);
	if (result == PUT_CHANGED && m->edited_ms &&
	    notice_add(in->db, m->id, e) < 0)
		return -1;
	return result;
}

static int
put_message(struct ingest *in, const struct page_ask *ask, const struct json *v,
    struct err *e)
{
	struct message *m = &in->message;

	if (raw_read(m, v, e) < 0)
		return -1;
	if (m->channel.id != ask->channel)
		return err_set(e, ERR_INPUT,
		    "a message of another channel than was asked for");
	m->guild.id = ask->guild;
	return put(in, ask->asked_ms, e);
}

static int
by_id(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* The id of one that can't be read: Discord has it, so ours isn't a stray. */
static uint64_t
unread_id(const struct page_ask *ask, const struct json *v)
{
	return parts_id(v, "channel_id", NULL) == ask->channel
		   ? parts_id(v, "id", NULL)
		   : 0;
}

/* Put each of them; their ids, ascending, in ids. A bad one is passed over. */
static int
put_all(struct ingest *in, const struct page_ask *ask, const struct json *list,
    uint64_t *ids, struct page_sum *sum, struct err *e)
{
	size_t count = 0;

	for (const struct json *v = json_first(list); v; v = json_next(v)) {
		struct err bad = {0};
		int result = put_message(in, ask, v, &bad);

		if (result < 0 && bad.kind != ERR_INPUT) {
			*e = bad;
			return -1;
		}
		ids[count] = result < 0 ? unread_id(ask, v) : in->message.id;
		count += ids[count] != 0;
		sum->added += result == PUT_NEW;
		sum->changed += result == PUT_CHANGED;
	}
	qsort(ids, count, sizeof(*ids), by_id);
	sum->messages = (int64_t)count;
	return 0;
}

/* What is indexed from sum->low to sum->high, but isn't on the page. */
static int
find_strays(struct ingest *in, const struct page_ask *ask, const uint64_t *ids,
    const struct page_sum *sum, uint64_t *strays, struct err *e)
{
	struct stmt s = {0};
	int row, count = 0;

	stmt_start(&s, in->db,
	    "SELECT id FROM message WHERE channel ="
	    " (SELECT ord FROM channel WHERE id = ?1)"
	    " AND id BETWEEN ?2 AND ?3 ORDER BY id");
	stmt_int(&s, 1, (int64_t)ask->channel);
	stmt_int(&s, 2, (int64_t)sum->low);
	stmt_int(&s, 3, (int64_t)sum->high);
	while ((row = stmt_next(&s, e)) > 0 && count < STRAY_MOST) {
		uint64_t id = (uint64_t)row_int(&s, 0);

		if (!bsearch(&id, ids, (size_t)sum->messages, sizeof(*ids),
			by_id))
			strays[count++] = id;
	}
	stmt_end(&s);
	return row < 0 ? -1 : count;
}

static int
drop_strays(struct ingest *in, const struct page_ask *ask, const uint64_t *ids,
    struct page_sum *sum, struct err *e)
{
	uint64_t *strays = mem_array(STRAY_MOST, sizeof(*strays));
	int count = find_strays(in, ask, ids, sum, strays, e);

	for (int i = 0; i < count; i++)
		if (messages_delete(&in->messages, strays[i], ask->asked_ms,
			e) < 0)
			count = -1;
	free(strays);
	sum->deleted += count > 0 ? count : 0;
	return count < 0 ? -1 : 0;
}

/* Which stretch of history it speaks for. */
static void
measure(const struct page_ask *ask, const struct json *list,
    const uint64_t *ids, struct page_sum *sum)
{
	const size_t n = (size_t)sum->messages;

	sum->beginning = json_count(list) < ask->limit;
	sum->low = sum->beginning || !n ? 0 : ids[0];
	if (ask->before)
		sum->high = ask->before - 1;
	else
		sum->high = n ? ids[n - 1] : ask->channel;
}

static int
cover(struct ingest *in, const struct page_ask *ask, const struct page_sum *sum,
    struct err *e)
{
	if (coverage_add(in->db, ask->channel, sum->low, sum->high, "backfill",
		e) < 0 ||
	    coverage_forbid(in->db, ask->channel, NULL, 0, e) < 0)
		return -1;
	return ask->before ? 0
			   : live_reaches(in->db, ask->channel,
				 ask->asked_ms - 1, sum->high, e);
}

int
page_put(struct ingest *in, const struct page_ask *ask, const struct json *list,
    struct page_sum *sum, struct err *e)
{
	const struct message where = {.guild.id = ask->guild,
	    .channel.id = ask->channel};
	uint64_t *ids;
	int result = -1;

	*sum = (struct page_sum){0};
	if (json_kind(list) != JSON_ARRAY)
		return err_set(e, ERR_INPUT, "a page that is no list");
	ids = mem_array(json_count(list) + 1, sizeof(*ids));
	if (put_all(in, ask, list, ids, sum, e) < 0)
		goto out;
	if (!sum->messages && json_count(list)) {
		err_set(e, ERR_INPUT, "a page without a single message");
		goto out;
	}
	measure(ask, list, ids, sum);
	/* A page without messages is no proof that those we have are gone. */
	if (sum->messages && drop_strays(in, ask, ids, sum, e) < 0)
		goto out;
	if (cover(in, ask, sum, e) < 0)
		goto out;
	result = sum->added ? learn_channel(in, &where, e) : 0;
out:
	free(ids);
	return result;
}
