#include "store/outbox.h"

#include <string.h>

#include "core/clock.h"
#include "core/err.h"
#include "store/base.h"

int
outbox_add(struct store *s, const char *task, const char *turn,
    const char *kind, const char *record, struct err *e)
{
	static const char sql[] =
	    "INSERT INTO outbox (task, turn, location, visibility, kind,"
	    "  record, state, at_ms)"
	    " SELECT id, ifnull(?2, (SELECT n.id FROM turn n WHERE n.task ="
	    "   task.id ORDER BY n.n DESC LIMIT 1)), location, visibility, ?3, ?4, 'pending', ?5"
	    "  FROM task WHERE id = ?1 AND location <> 'local'";
	size_t len = strlen(record);
	struct stmt q = {0};

	if (len && record[len - 1] == '\n')
		len--;
	stmt_start(&q, &s->db, sql);
	stmt_text(&q, 1, task);
	stmt_text(&q, 2, turn);
	stmt_text(&q, 3, kind);
	stmt_textn(&q, 4, record, len);
	stmt_int(&q, 5, clock_now_ms());
	return stmt_once(&q, e);
}
