#include "retrieve/cover.h"

#include <stdbool.h>
#include <stdlib.h>

#include "core/buf.h"
#include "core/err.h"
#include "core/id.h"
#include "core/mem.h"
#include "ext/db.h"
#include "ext/jsonw.h"
#include "retrieve/corpus.h"
#include "retrieve/scope.h"

struct line {
	uint32_t ord;
	int64_t messages;
	uint64_t id, first, last; /* of the channel; of its messages */
	char *name;
};

struct cover {
	struct scope *s;
	struct line *at; /* by messages, most first; only those with some */
	size_t count, room;
	int64_t total; /* messages in all of them */
	uint64_t newest;
	struct buf *to;
};

static bool
bounded(const struct scope *s)
{
	return s->after || s->before != UINT64_MAX;
}

static int64_t
below(const struct scope *s)
{
	return s->before > INT64_MAX ? INT64_MAX : (int64_t)s->before;
}

/* The first and the last message, and within bounds their number. */
static int
describe(struct cover *c, struct line *l, struct stmt *q, struct err *e)
{
	static const char
	    sql[] = "SELECT (SELECT min(id) FROM message WHERE channel = ?1"
		    "  AND id > ?2 AND id < ?3),"
		    " (SELECT max(id) FROM message WHERE channel = ?1"
		    "  AND id > ?2 AND id < ?3),"
		    " (SELECT count(*) FROM message WHERE ?4 AND channel = ?1"
		    "  AND id > ?2 AND id < ?3)";
	int row;

	stmt_start(q, c->s->corpus->db, sql);
	stmt_int(q, 1, l->ord);
	stmt_int(q, 2, (int64_t)c->s->after);
	stmt_int(q, 3, below(c->s));
	stmt_int(q, 4, bounded(c->s));
	row = stmt_next(q, e);
	if (row > 0) {
		l->first = (uint64_t)row_int(q, 0);
		l->last = (uint64_t)row_int(q, 1);
		if (bounded(c->s))
			l->messages = row_int(q, 2);
	}
	stmt_reset(q);
	return row < 0 ? -1 : 0;
}

static int
by_messages(const void *a, const void *b)
{
	const struct line *x = a, *y = b;

	if (x->messages != y->messages)
		return x->messages > y->messages ? -1 : 1;
	return (x->ord > y->ord) - (x->ord < y->ord);
}

static void
add_line(struct cover *c, struct stmt *q)
{
	struct line line = {.ord = (uint32_t)row_int(q, 0),
	    .id = (uint64_t)row_int(q, 1),
	    .messages = row_int(q, 3)};

	if (!c->s->all_channels && !ords_have(&c->s->channels, line.ord))
		return;
	if (c->count == c->room) {
		c->room = c->room ? 2 * c->room : 16;
		c->at = mem_resize(c->at, c->room, sizeof(*c->at));
	}
	line.name = mem_dup(row_text(q, 2));
	c->total += line.messages;
	c->at[c->count++] = line;
}

static int
read_lines(struct cover *c, struct err *e)
{
	static const char sql[] =
	    "SELECT ord, id, name, messages FROM channel WHERE messages > 0"
	    " OR (?1 AND type NOT IN ('GuildCategory', 'GuildForum',"
	    "  'GuildMedia', 'GuildDirectory'))";
	struct stmt q = {0};
	int row;

	stmt_start(&q, c->s->corpus->db, sql);
	stmt_int(&q, 1, !c->s->all_channels);
	while ((row = stmt_next(&q, e)) > 0)
		add_line(c, &q);
	stmt_end(&q);
	if (c->count)
		qsort(c->at, c->count, sizeof(*c->at), by_messages);
	return row;
}

static int
gather(struct cover *c, struct err *e)
{
	struct stmt q = {0};
	int result = read_lines(c, e);

	for (size_t i = 0; i < c->count && i < COVER_CHANNELS && result == 0;
	     i++) {
		result = describe(c, &c->at[i], &q, e);
		if (c->at[i].last > c->newest)
			c->newest = c->at[i].last;
	}
	stmt_end(&q);
	return result;
}

static void
write_channel(struct buf *b, const struct line *l, const char *name)
{
	jsonw_object(b, NULL);
	jsonw_object(b, "channel");
	jsonw_id(b, "id", l->id);
	jsonw_str(b, "name", name);
	jsonw_end_object(b);
}

static void
write_time(struct buf *b, const char *key, uint64_t id)
{
	if (id && id < (uint64_t)INT64_MAX)
		jsonw_time(b, key, snowflake_ms(id));
	else
		jsonw_null(b, key);
}

static void
write_searched(struct cover *c)
{
	int64_t others = c->total;

	jsonw_array(c->to, "searched");
	for (size_t i = 0; i < c->count && i < COVER_CHANNELS; i++) {
		const struct line *l = &c->at[i];

		others -= l->messages;
		write_channel(c->to, l, l->name);
		write_time(c->to, "from", l->first);
		write_time(c->to, "to", l->last);
		jsonw_int(c->to, "messages", l->messages);
		jsonw_end_object(c->to);
	}
	jsonw_end_array(c->to);
	if (c->count <= COVER_CHANNELS)
		return;
	jsonw_object(c->to, "others");
	jsonw_int(c->to, "channels", (int64_t)(c->count - COVER_CHANNELS));
	if (!bounded(c->s))
		jsonw_int(c->to, "messages", others);
	jsonw_end_object(c->to);
}

/* A stretch nobody vouches for, both ends exclusive, cut to what was asked. */
static void
write_gap(struct cover *c, const struct line *l, uint64_t from, uint64_t to)
{
	if (from < c->s->after)
		from = c->s->after;
	if (to > c->s->before)
		to = c->s->before;
	if (to <= from + 1)
		return;
	write_channel(c->to, l, l->name);
	write_time(c->to, "from", from);
	write_time(c->to, "to", to);
	jsonw_end_object(c->to);
}

static int
write_gaps(struct cover *c, const struct line *l, struct stmt *q, struct err *e)
{
	static const char sql[] = "SELECT low, high FROM covered"
				  " WHERE channel = ?1 ORDER BY low";
	uint64_t at = 0;
	int row;

	stmt_start(q, c->s->corpus->db, sql);
	stmt_int(q, 1, l->ord);
	while ((row = stmt_next(q, e)) > 0) {
		uint64_t low = (uint64_t)row_int(q, 0);
		uint64_t high = (uint64_t)row_int(q, 1);

		if (low > at)
			write_gap(c, l, at, low);
		if (high > at)
			at = high;
	}
	if (row == 0)
		write_gap(c, l, at, UINT64_MAX);
	stmt_reset(q);
	return row;
}

static int
write_missing(struct cover *c, struct err *e)
{
	struct stmt q = {0};
	int result = 0;

	jsonw_array(c->to, "missing");
	for (size_t i = 0; i < c->count && i < COVER_CHANNELS && result == 0;
	     i++)
		result = write_gaps(c, &c->at[i], &q, e);
	jsonw_end_array(c->to);
	stmt_end(&q);
	return result;
}

static int
write_forbidden(struct cover *c, struct err *e)
{
	static const char sql[] = "SELECT ord, id, name, forbidden FROM channel"
				  " WHERE forbidden IS NOT NULL ORDER BY id";
	struct stmt q = {0};
	int row, count = 0;

	jsonw_array(c->to, "forbidden");
	stmt_start(&q, c->s->corpus->db, sql);
	while ((row = stmt_next(&q, e)) > 0 && count < COVER_CHANNELS) {
		const struct line l = {.id = (uint64_t)row_int(&q, 1)};

		if (!c->s->all_channels &&
		    !ords_have(&c->s->channels, (uint32_t)row_int(&q, 0)))
			continue;
		write_channel(c->to, &l, row_text(&q, 2));
		jsonw_str(c->to, "reason", row_text(&q, 3));
		jsonw_end_object(c->to);
		count++;
	}
	if (c->s->corpus->hidden) {
		jsonw_object(c->to, NULL);
		jsonw_int(c->to, "channels", (int64_t)c->s->corpus->hidden);
		jsonw_str(c->to, "reason",
		    "not everyone who will see the answer can read them");
		jsonw_end_object(c->to);
	}
	jsonw_end_array(c->to);
	stmt_end(&q);
	return row < 0 ? -1 : 0;
}

static int
write_edits(struct cover *c, int64_t since_ms, struct err *e)
{
	static const char sql[] =
	    "SELECT ord, id, channel, author, flags FROM message"
	    " WHERE edited IS NOT NULL AND edited > ?1 ORDER BY edited DESC";
	struct stmt q = {0};
	int row, count = 0;

	jsonw_array(c->to, "edited_since");
	stmt_start(&q, c->s->corpus->db, sql);
	stmt_int(&q, 1, since_ms);
	while ((row = stmt_next(&q, e)) > 0 && count < COVER_EDITS) {
		struct scope_row about = {.id = (uint64_t)row_int(&q, 1),
		    .channel = (uint32_t)row_int(&q, 2),
		    .author = (uint32_t)row_int(&q, 3),
		    .flags = (unsigned)row_int(&q, 4)};

		if (!scope_holds(c->s, (uint32_t)row_int(&q, 0), &about))
			continue;
		jsonw_id(c->to, NULL, about.id);
		count++;
	}
	jsonw_end_array(c->to);
	stmt_end(&q);
	return row < 0 ? -1 : 0;
}

int
cover_write(struct buf *to, struct scope *s, int64_t since_ms, struct err *e)
{
	struct cover c = {.s = s, .to = to};
	int result = -1;

	if (gather(&c, e) < 0)
		goto out;
	write_searched(&c);
	if (write_missing(&c, e) < 0)
		goto out;
	if (write_forbidden(&c, e) < 0)
		goto out;
	write_time(to, "indexed_at", c.newest);
	result = since_ms ? write_edits(&c, since_ms, e) : 0;
out:
	for (size_t i = 0; i < c.count; i++)
		free(c.at[i].name);
	free(c.at);
	return result;
}
