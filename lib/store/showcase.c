#include "store/showcase.h"

#include "core/clock.h"
#include "store/base.h"

int
showcase_add(struct store *s, const char *turn, const char *channel,
    const char *nonce, struct err *e)
{
	static const char
	    sql[] = "INSERT INTO progress (turn, channel, nonce, first_ms)"
		    " VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING";
	struct stmt q = {0};

	stmt_start(&q, &s->db, sql);
	stmt_text(&q, 1, turn);
	stmt_text(&q, 2, channel);
	stmt_text(&q, 3, nonce);
	stmt_int(&q, 4, clock_now_ms());
	return stmt_once(&q, e);
}

int
showcase_sent(struct store *s, const char *turn, const char *message,
    struct err *e)
{
	static const char
	    sql[] = "UPDATE progress SET message = ?2 WHERE turn = ?1";
	struct stmt q = {0};

	stmt_start(&q, &s->db, sql);
	stmt_text(&q, 1, turn);
	stmt_text(&q, 2, message);
	return stmt_once(&q, e);
}

int
showcase_gone(struct store *s, const char *turn, struct err *e)
{
	static const char sql[] = "DELETE FROM progress WHERE turn = ?1";
	struct stmt q = {0};

	stmt_start(&q, &s->db, sql);
	stmt_text(&q, 1, turn);
	return stmt_once(&q, e);
}

int
showcase_stale(struct stmt *scan, struct store *s, const char *after,
    struct showcase *c, struct err *e)
{
	static const char sql[] =
	    "SELECT p.turn, t.task, p.channel, p.nonce, p.message, p.first_ms"
	    " FROM progress p JOIN turn t ON t.id = p.turn"
	    " LEFT JOIN address a ON a.turn = p.turn"
	    " WHERE p.turn > ?1 AND t.state <> 'running' AND NOT EXISTS"
	    "  (SELECT 1 FROM outbox o WHERE o.turn = p.turn"
	    "   AND (o.state = 'pending'"
	    "    OR (o.state = 'unknown' AND a.application IS NOT NULL)))"
	    " ORDER BY p.turn LIMIT 1";
	int row;

	stmt_start(scan, &s->db, sql);
	stmt_text(scan, 1, after);
	row = stmt_next(scan, e);
	if (row > 0)
		*c = (struct showcase){
		    .turn = row_text(scan, 0),
		    .task = row_text(scan, 1),
		    .channel = row_text(scan, 2),
		    .nonce = row_text(scan, 3),
		    .message = row_text_opt(scan, 4),
		    .first_ms = row_int(scan, 5),
		};
	return row;
}
