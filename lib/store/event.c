#include "store/event.h"

#include "core/clock.h"
#include "core/err.h"
#include "store/base.h"

int
event_add(struct store *s, const char *task, const char *turn, const char *kind,
    const char *text, struct err *e)
{
	static const char
	    sql[] = "INSERT INTO event (task, turn, kind, text, at_ms)"
		    " VALUES (?1, ?2, ?3, ?4, ?5)";
	struct stmt q = {0};

	stmt_start(&q, &s->db, sql);
	stmt_text(&q, 1, task);
	stmt_text(&q, 2, turn);
	stmt_text(&q, 3, kind);
	stmt_text(&q, 4, text);
	stmt_int(&q, 5, clock_now_ms());
	return stmt_once(&q, e);
}
