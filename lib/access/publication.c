#include "access/publication.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "access/index.h"
#include "access/venue.h"
#include "core/buf.h"
#include "core/err.h"
#include "core/id.h"
#include "ext/db.h"
#include "record/context.h"
#include "store/base.h"

enum { NAMED_MOST = 6 }; /* channels, in one reason */

/* What is in the way. */
struct obstacles {
	struct buf names;
	int named, more; /* channels */
	int64_t unnamed; /* sources that can't be named */
	bool
	    closed; /* a server has to be told anew before there is an answer */
};

/* What a row is of. */
enum { A_SOURCE, A_PAGE, A_REQUEST, A_NAME };

/*
 * Channels that the task has text of: a row each, with a name, how many
 * sources, and what they are: a page has no channel. Whatever looks like an id
 * in the data that a tool gave, or in what it offered for a word that fits
 * several, is a name, should it be that of a channel.
 */
static void
start(struct stmt *s, struct store *tasks, const char *task)
{
	static const char sql[] =
	    "SELECT channel, max(channel_name), count(*),"
	    "  kind = 'page' AND channel IS NULL"
	    "  FROM source WHERE task = ?1 AND gone_ms IS NULL"
	    "  GROUP BY channel, 4"
	    " UNION ALL"
	    " SELECT json_extract(record, '$.location.channel'), NULL,"
	    "  count(*), 2 FROM turn WHERE task = ?1"
	    "  AND json_extract(record, '$.location.kind') <> 'local'"
	    "  AND (json_extract(record, '$.reply') IS NOT NULL"
	    "   OR json_extract(record, '$.more.embeds') IS NOT NULL"
	    "   OR json_extract(record, '$.more.forwarded') IS NOT NULL)"
	    "  GROUP BY 1"
	    " UNION ALL"
	    " SELECT (SELECT json_extract(record, '$.location.channel')"
	    "   FROM turn WHERE task = ?1 ORDER BY n LIMIT 1), NULL,"
	    "  count(*), 2 FROM control c JOIN task t ON t.id = c.task"
	    "  WHERE c.task = ?1 AND c.kind = 'steer' AND c.actor <> t.owner"
	    "  AND c.actor <> 'local' HAVING count(*) > 0"
	    " UNION ALL"
	    " SELECT channel, NULL, count(*), 0 FROM"
	    "  (SELECT channel FROM file WHERE task = ?1 UNION ALL"
	    "   SELECT channel FROM file_input WHERE task = ?1)"
	    "  WHERE channel IS NOT NULL AND channel NOT IN"
	    "   (SELECT channel FROM source WHERE task = ?1"
	    "    AND gone_ms IS NULL AND channel IS NOT NULL) GROUP BY 1"
	    " UNION ALL"
	    " SELECT d.atom, NULL, count(*), 3"
	    "  FROM call c, json_tree(c.output,"
	    "   iif(c.state = 'ok', '$.data', '$.candidates')) d"
	    "  WHERE c.task = ?1 AND c.tier = 'read'"
	    "  AND c.state IN ('ok', 'error')"
	    "  AND d.type = 'text' AND length(d.atom) BETWEEN 1 AND 20"
	    "  AND d.atom NOT GLOB '*[^0-9]*' GROUP BY 1";

	stmt_start(s, &tasks->db, sql);
	stmt_text(s, 1, task);
}

static void
add_name(struct obstacles *o, uint64_t channel, const char *name, int64_t count)
{
	if (o->named == NAMED_MOST) {
		o->more++;
		return;
	}
	buf_str(&o->names, o->named++ ? ", " : "");
	if (name)
		buf_fmt(&o->names, "#%.60s", name);
	else
		buf_fmt(&o->names, "<#%" PRIu64 ">", channel);
	buf_fmt(&o->names, " (%" PRId64 ")", count);
}

/*
 * Nobody need be looked up for a page, nor for what came with a request where
 * all that was asked for is read by whoever read that, nor for the name of a
 * channel that is said to nobody but whoever was told it.
 */
static bool
is_plain(struct stmt *s, const struct context *c, const char *place)
{
	const char *here = place ? place : c->location.channel;

	return row_int(s, 3) == A_PAGE || (row_int(s, 3) == A_NAME && !place) ||
	       (row_int(s, 3) == A_REQUEST && here &&
		   strcmp(row_text(s, 0), here) == 0);
}

/* One row: is it in the way? */
static int
look(struct obstacles *o, struct venue *v, struct stmt *s, struct err *e)
{
	uint64_t channel = 0;
	int may = 0, names = 0, closed = 0;

	if (!row_null(s, 0) && snowflake_read(&channel, row_text(s, 0)) == 0)
		may = row_int(s, 3) == A_NAME ? venue_tells(v, channel, e)
					      : venue_takes(v, channel, e);
	else if (row_int(s, 3) == A_NAME)
		may = 1; /* digits, and no id */
	if (may != 0)
		return may < 0 ? -1 : 0;
	if (channel)
		closed = venue_closed(v, channel, e);
	if (closed) {
		o->closed = true;
		return closed < 0 ? -1 : 0;
	}
	if (channel)
		names = venue_names(v, channel, e);
	if (names > 0)
		add_name(o, channel, row_text_opt(s, 1), row_int(s, 2));
	else
		o->unnamed += row_int(s, 2);
	return names < 0 ? -1 : 0;
}

static int
say(const struct obstacles *o, const char *place, struct err *e)
{
	struct buf text = {0};

	buf_str(&text, place ? "not everyone who will read it there may read"
			     : "whoever asked may no longer read");
	buf_str(&text, " what this task rests on:");
	if (o->named)
		buf_fmt(&text, " %s", buf_text(&o->names));
	if (o->more)
		buf_fmt(&text, " and %d more channels", o->more);
	if (o->unnamed)
		buf_fmt(&text,
		    "%s %" PRId64 " source%s that can't be named here",
		    o->named ? ";" : "", o->unnamed,
		    o->unnamed == 1 ? "" : "s");
	err_set(e, ERR_DENIED, "%s", buf_text(&text));
	buf_release(&text);
	return -1;
}

/* All rows, once it is known who will read it. */
static int
look_all(struct stmt *rows, struct db *index, const struct context *c,
    const char *place, struct err *e)
{
	struct obstacles o = {0};
	struct venue v = {0};
	int row = 0, result = venue_open(&v, index, c, place, e);

	if (result < 0)
		return -1;
	do {
		if (!v.everything && !is_plain(rows, c, place))
			result = look(&o, &v, rows, e);
	} while (result == 0 && (row = stmt_next(rows, e)) > 0);
	if (result == 0 && row < 0)
		result = -1;
	if (result == 0 && (o.named || o.unnamed))
		result = say(&o, place, e);
	else if (result == 0 && o.closed)
		result = err_set(e, ERR_AGAIN,
		    "it isn't known just now who may read what this task "
		    "rests on");
	venue_close(&v);
	buf_release(&o.names);
	return result;
}

/* Is the number that a tool told of the id of a channel? */
static int
is_channel(struct db *index, const char *number, struct err *e)
{
	struct stmt s = {0};
	uint64_t id;
	int row;

	if (!index || snowflake_read(&id, number) < 0)
		return 0;
	stmt_start(&s, index, "SELECT 1 FROM channel WHERE id = ?1");
	stmt_int(&s, 1, (int64_t)id);
	row = stmt_next(&s, e);
	stmt_end(&s);
	return row;
}

/* The next row that may be in the way, if there is any: 1, 0 or -1. */
static int
find(struct stmt *rows, const struct context *c, const char *place,
    struct store *messages, struct db **index, struct err *e)
{
	int row, may = 0;

	while (may == 0 && (row = stmt_next(rows, e)) != 0) {
		if (row < 0)
			return -1;
		if (is_plain(rows, c, place))
			continue;
		if (!*index && !messages->name &&
		    index_open(messages, index, e) < 0)
			return -1;
		may = row_int(rows, 3) == A_NAME
			  ? is_channel(*index, row_text(rows, 0), e)
			  : 1;
	}
	return may;
}

int
publication_check(struct store *tasks, struct db *index,
    const struct context *c, const char *task, const char *place, struct err *e)
{
	struct store messages = {0};
	struct stmt rows = {0};
	int result;

	start(&rows, tasks, task);
	result = find(&rows, c, place, &messages, &index, e);
	if (result > 0)
		result = look_all(&rows, index, c, place, e);
	stmt_end(&rows);
	store_close(&messages);
	return result;
}
