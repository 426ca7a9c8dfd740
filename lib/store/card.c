#include "store/card.h"

#include <stdio.h>

#include "core/clock.h"
#include "store/base.h"

int
card_wanted(struct store *s, const char *after, char id[ID_LEN + 1],
    struct err *e)
{
	static const char sql[] =
	    "SELECT a.id FROM approval a JOIN task t ON t.id = a.task"
	    " WHERE a.verdict IS NULL AND a.id > ?1 AND t.state = 'running'"
	    "  AND t.location <> 'local'"
	    "  AND NOT EXISTS (SELECT 1 FROM card c WHERE c.approval = a.id)"
	    " ORDER BY a.id LIMIT 1";
	struct stmt q = {0};
	int row;

	stmt_start(&q, &s->db, sql);
	stmt_text(&q, 1, after);
	row = stmt_next(&q, e);
	if (row > 0)
		snprintf(id, ID_LEN + 1, "%s", row_text(&q, 0));
	stmt_end(&q);
	return row;
}

static int
get(struct store *s, const char *sql, const char *id, struct card *c,
    struct err *e)
{
	struct stmt q = {0};
	int row;

	*c = (struct card){0};
	stmt_start(&q, &s->db, sql);
	stmt_text(&q, 1, id);
	row = stmt_next(&q, e);
	if (row > 0) {
		snprintf(c->approval, sizeof(c->approval), "%s",
		    row_text(&q, 0));
		snprintf(c->channel, sizeof(c->channel), "%s", row_text(&q, 1));
		snprintf(c->message, sizeof(c->message), "%s", row_text(&q, 2));
		c->hidden = row_int(&q, 3) != 0;
		c->sent_ms = row_int(&q, 4);
	}
	stmt_end(&q);
	return row;
}

int
card_over(struct store *s, const char *after, struct card *c, struct err *e)
{
	static const char sql
	    [] = "SELECT c.approval, c.channel, c.message, c.hidden, c.sent_ms"
		 " FROM card c JOIN approval a ON a.id = c.approval"
		 " WHERE c.closed_ms IS NULL AND c.approval > ?1"
		 "  AND a.verdict IS NOT NULL ORDER BY c.approval LIMIT 1";

	return get(s, sql, after, c, e);
}

int
card_get(struct store *s, const char *approval, struct card *c, struct err *e)
{
	static const char sql
	    [] = "SELECT approval, channel, message, hidden, sent_ms FROM card"
		 " WHERE approval = ?1 AND closed_ms IS NULL";

	return get(s, sql, approval, c, e);
}

int
card_add(struct store *s, const struct card *c, struct err *e)
{
	static const char
	    sql[] = "INSERT INTO card (approval, channel, hidden, sent_ms)"
		    " VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO UPDATE SET"
		    "  channel = excluded.channel, hidden = excluded.hidden,"
		    "  message = NULL, sent_ms = excluded.sent_ms";
	struct stmt q = {0};

	stmt_start(&q, &s->db, sql);
	stmt_text(&q, 1, c->approval);
	stmt_text(&q, 2, c->channel);
	stmt_int(&q, 3, c->hidden);
	stmt_int(&q, 4, clock_now_ms());
	return stmt_once(&q, e);
}

int
card_shown(struct store *s, const char *approval, const char *message,
    struct err *e)
{
	static const char
	    sql[] = "UPDATE card SET message = ?2 WHERE approval = ?1";
	struct stmt q = {0};

	stmt_start(&q, &s->db, sql);
	stmt_text(&q, 1, approval);
	stmt_text(&q, 2, message);
	return stmt_once(&q, e);
}

int
card_closed(struct store *s, const char *approval, struct err *e)
{
	static const char
	    sql[] = "UPDATE card SET closed_ms = ?2 WHERE approval = ?1";
	struct stmt q = {0};

	stmt_start(&q, &s->db, sql);
	stmt_text(&q, 1, approval);
	stmt_int(&q, 2, clock_now_ms());
	return stmt_once(&q, e);
}
