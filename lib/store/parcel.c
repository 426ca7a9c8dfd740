#include "store/parcel.h"

#include <string.h>

#include "core/clock.h"
#include "core/err.h"
#include "store/base.h"

static void
read_place(struct parcel *p, const char *location, const char *channel)
{
	const char *last = strrchr(location, ':');

	p->direct = strncmp(location, "dm:", 3) == 0;
	p->channel = channel ? channel : last ? last + 1 : "";
}

int
parcel_next(struct stmt *scan, struct store *s, int64_t after, struct parcel *p,
    struct err *e)
{
	static const char sql
	    [] = "SELECT o.id, o.task, o.turn, o.kind, o.record, o.location,"
		 "  o.visibility, a.channel, a.request, a.application, a.token,"
		 "  a.until_ms, a.ephemeral, o.reason"
		 " FROM outbox o LEFT JOIN address a ON a.turn = o.turn"
		 " WHERE o.id > ?1 AND o.id IN"
		 "  (SELECT min(x.id) FROM outbox x"
		 "    LEFT JOIN address y ON y.turn = x.turn"
		 "    WHERE x.state = 'pending'"
		 "    GROUP BY coalesce(y.channel, x.location))"
		 " ORDER BY o.id LIMIT 1";
	int row;

	stmt_start(scan, &s->db, sql);
	stmt_int(scan, 1, after);
	row = stmt_next(scan, e);
	if (row <= 0)
		return row;
	*p = (struct parcel){
	    .id = row_int(scan, 0),
	    .task = row_text(scan, 1),
	    .turn = row_text(scan, 2),
	    .kind = row_text(scan, 3),
	    .record = row_text(scan, 4),
	    .request = row_text_opt(scan, 8),
	    .application = row_text_opt(scan, 9),
	    .token = row_text_opt(scan, 10),
	    .until_ms = row_int(scan, 11),
	    .withheld = row_text_opt(scan, 13),
	};
	read_place(p, row_text(scan, 5), row_text_opt(scan, 7));
	p->hidden = strcmp(row_text(scan, 6), "public") != 0 ||
		    row_int(scan, 12) != 0;
	return 1;
}

int
parcel_address(struct stmt *scan, struct store *s, const char *turn,
    struct parcel *p, struct err *e)
{
	static const char sql
	    [] = "SELECT t.task, t.id, k.location, k.visibility, a.channel,"
		 "  a.request, a.application, a.token, a.until_ms, a.ephemeral"
		 " FROM turn t JOIN task k ON k.id = t.task"
		 " LEFT JOIN address a ON a.turn = t.id WHERE t.id = ?1";
	int row;

	stmt_start(scan, &s->db, sql);
	stmt_text(scan, 1, turn);
	row = stmt_next(scan, e);
	if (row <= 0)
		return row;
	*p = (struct parcel){
	    .task = row_text(scan, 0),
	    .turn = row_text(scan, 1),
	    .request = row_text_opt(scan, 5),
	    .application = row_text_opt(scan, 6),
	    .token = row_text_opt(scan, 7),
	    .until_ms = row_int(scan, 8),
	};
	read_place(p, row_text(scan, 2), row_text_opt(scan, 4));
	p->hidden = strcmp(row_text(scan, 3), "public") != 0 ||
		    row_int(scan, 9) != 0;
	return 1;
}

int
parcel_settle(struct store *s, int64_t id, enum parcel_state state,
    const char *why, struct err *e)
{
	static const char *const words[] = {"delivered", "failed", "unknown"};
	static const char
	    sql[] = "UPDATE outbox SET state = ?2, reason = ?3, settled_ms = ?4"
		    " WHERE id = ?1";
	static const char token
	    [] = "UPDATE address SET token = NULL, until_ms = NULL WHERE turn ="
		 " (SELECT turn FROM outbox WHERE id = ?1)";
	struct stmt q = {0};

	stmt_start(&q, &s->db, sql);
	stmt_int(&q, 1, id);
	stmt_text(&q, 2, words[state]);
	stmt_text(&q, 3, why);
	stmt_int(&q, 4, clock_now_ms());
	if (stmt_once(&q, e) < 0)
		return -1;
	stmt_start(&q, &s->db, token);
	stmt_int(&q, 1, id);
	return stmt_once(&q, e);
}

int
parcel_withhold(struct store *s, int64_t id, const char *why, struct err *e)
{
	struct stmt q = {0};

	stmt_start(&q, &s->db, "UPDATE outbox SET reason = ?2 WHERE id = ?1");
	stmt_int(&q, 1, id);
	stmt_text(&q, 2, why);
	return stmt_once(&q, e);
}

int
parcel_lost(struct stmt *scan, struct store *s, const char *task,
    const char **why, struct err *e)
{
	static const char
	    sql[] = "SELECT ifnull(reason, state) FROM outbox WHERE id ="
		    "  (SELECT max(id) FROM outbox WHERE task = ?1)"
		    " AND state IN ('failed', 'unknown')";
	int row;

	stmt_start(scan, &s->db, sql);
	stmt_text(scan, 1, task);
	row = stmt_next(scan, e);
	if (row > 0)
		*why = row_text(scan, 0);
	return row;
}

int
parcel_drop_token(struct store *s, const char *turn, struct err *e)
{
	static const char
	    sql[] = "UPDATE address SET token = NULL, until_ms = NULL"
		    " WHERE turn = ?1";
	struct stmt q = {0};

	stmt_start(&q, &s->db, sql);
	stmt_text(&q, 1, turn);
	return stmt_once(&q, e);
}

int
parcel_expire(struct store *s, struct err *e)
{
	static const char
	    sql[] = "UPDATE address SET token = NULL, until_ms = NULL"
		    " WHERE token IS NOT NULL AND until_ms <= ?1";
	struct stmt q = {0};

	stmt_start(&q, &s->db, sql);
	stmt_int(&q, 1, clock_now_ms());
	return stmt_once(&q, e);
}
