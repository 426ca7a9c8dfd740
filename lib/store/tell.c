#include "store/tell.h"

#include "core/clock.h"
#include "core/err.h"
#include "record/context.h"
#include "store/base.h"

const char *
told_word(enum told_kind kind)
{
	static const char *const words[] = {"steer", "stop", "decision",
	    "invalidate"};

	return words[kind];
}

int
tell(struct store *s, const char *task, enum told_kind kind,
    const struct context *who, const char *text, const char *data, int64_t *id,
    struct err *e)
{
	static const char sql[] =
	    "INSERT INTO control (task, kind, actor, actor_name, text, data,"
	    "  at_ms, message) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7,"
	    "  json_extract(?6, '$.message'))";
	struct stmt q = {0};
	int rc;

	stmt_start(&q, &s->db, sql);
	stmt_text(&q, 1, task);
	stmt_text(&q, 2, told_word(kind));
	stmt_text(&q, 3, who->actor.id ? who->actor.id : "local");
	stmt_text(&q, 4, who->actor.name ? who->actor.name : "");
	stmt_text(&q, 5, text);
	stmt_text(&q, 6, data);
	stmt_int(&q, 7, clock_now_ms());
	rc = stmt_once(&q, e);
	*id = db_last_id(&s->db);
	return rc;
}

int
told_by_others(struct store *s, const char *task, struct err *e)
{
	static const char
	    sql[] = "SELECT EXISTS (SELECT 1 FROM control c JOIN task t ON"
		    " t.id = c.task WHERE t.id = ?1 AND c.kind = 'steer'"
		    " AND c.actor <> t.owner)";
	struct stmt q = {0};
	int row, there;

	stmt_start(&q, &s->db, sql);
	stmt_text(&q, 1, task);
	row = stmt_next(&q, e);
	there = row > 0 && row_int(&q, 0);
	stmt_end(&q);
	return row < 0 ? -1 : there;
}
