#include "store/heard.h"

#include "core/clock.h"
#include "store/base.h"

int
heard_get(struct store *s, int64_t shard, int64_t *number, int64_t *at_ms,
    struct err *e)
{
	static const char
	    sql[] = "SELECT number, at_ms FROM heard WHERE shard = ?1";
	struct stmt q = {0};
	int row;

	stmt_start(&q, &s->db, sql);
	stmt_int(&q, 1, shard);
	row = stmt_next(&q, e);
	*number = row > 0 ? row_int(&q, 0) : 0;
	*at_ms = row > 0 ? row_int(&q, 1) : 0;
	stmt_end(&q);
	return row < 0 ? -1 : 0;
}

int
heard_set(struct store *s, int64_t shard, int64_t number, int64_t at_ms,
    struct err *e)
{
	static const char sql
	    [] = "INSERT INTO heard (shard, number, at_ms) VALUES (?1, ?2, ?3)"
		 " ON CONFLICT DO UPDATE SET number = ?2, at_ms = ?3";
	struct stmt q = {0};

	stmt_start(&q, &s->db, sql);
	stmt_int(&q, 1, shard);
	stmt_int(&q, 2, number);
	stmt_int(&q, 3, at_ms);
	return stmt_once(&q, e);
}

static const char *
kind(const struct catchup *c)
{
	return c->whole ? "guild" : "channel";
}

/* Snowflakes rise with their length, then with their text. */
#define EARLIER                                                                \
	" ON CONFLICT DO UPDATE SET after = excluded.after"                    \
	" WHERE length(excluded.after) < length(after)"                        \
	" OR (length(excluded.after) = length(after) AND"                      \
	"  excluded.after < after)"

int
catchup_add(struct store *s, const struct catchup *c, struct err *e)
{
	static const char
	    sql[] = "INSERT INTO catchup (kind, id, guild, after, at_ms)"
		    " VALUES (?1, ?2, ?3, ?4, ?5)" EARLIER;
	struct stmt q = {0};

	stmt_start(&q, &s->db, sql);
	stmt_text(&q, 1, kind(c));
	stmt_text(&q, 2, c->id);
	stmt_text(&q, 3, c->guild);
	stmt_text(&q, 4, c->after);
	stmt_int(&q, 5, clock_now_ms());
	return stmt_once(&q, e);
}

int
catchup_direct(struct store *s, const char *after, struct err *e)
{
	static const char
	    sql[] = "INSERT INTO catchup (kind, id, guild, after, at_ms)"
		    " SELECT DISTINCT 'channel', substr(location, 4), NULL,"
		    "  ?1, ?2 FROM task WHERE location GLOB 'dm:*'" EARLIER;
	struct stmt q = {0};

	stmt_start(&q, &s->db, sql);
	stmt_text(&q, 1, after);
	stmt_int(&q, 2, clock_now_ms());
	return stmt_once(&q, e);
}

int
catchup_first(struct stmt *scan, struct store *s, struct catchup *c,
    struct err *e)
{
	static const char sql[] = "SELECT kind = 'guild', id, guild, after"
				  " FROM catchup ORDER BY at_ms, kind, id"
				  " LIMIT 1";
	int row;

	stmt_start(scan, &s->db, sql);
	row = stmt_next(scan, e);
	if (row > 0)
		*c = (struct catchup){
		    .whole = row_int(scan, 0) != 0,
		    .id = row_text(scan, 1),
		    .guild = row_text_opt(scan, 2),
		    .after = row_text(scan, 3),
		};
	return row;
}

int
catchup_move(struct store *s, const struct catchup *c, const char *after,
    struct err *e)
{
	static const char move[] = "UPDATE catchup SET after = ?3"
				   " WHERE kind = ?1 AND id = ?2";
	static const char
	    done[] = "DELETE FROM catchup WHERE kind = ?1 AND id = ?2";
	struct stmt q = {0};

	stmt_start(&q, &s->db, after ? move : done);
	stmt_text(&q, 1, kind(c));
	stmt_text(&q, 2, c->id);
	if (after)
		stmt_text(&q, 3, after);
	return stmt_once(&q, e);
}
