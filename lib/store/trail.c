#include "store/trail.h"

#include <stdio.h>

#include "ext/db.h"
#include "store/base.h"

int
trail_find(struct store *s, const char *message, enum trail_kind *kind,
    char task[ID_LEN + 1], struct err *e)
{
	static const char sql[] =
	    "SELECT 2, o.task FROM delivery d JOIN outbox o ON o.id = d.outbox"
	    "  WHERE d.message = ?1"
	    " UNION ALL"
	    " SELECT 1, t.task FROM progress p JOIN turn t ON t.id = p.turn"
	    "  WHERE p.message = ?1"
	    " UNION ALL"
	    " SELECT 0, t.task FROM address a JOIN turn t ON t.id = a.turn"
	    "  WHERE a.request = ?1"
	    " LIMIT 1";
	struct stmt q = {0};
	int row;

	stmt_start(&q, &s->db, sql);
	stmt_text(&q, 1, message);
	row = stmt_next(&q, e);
	if (row > 0) {
		*kind = (enum trail_kind)row_int(&q, 0);
		snprintf(task, ID_LEN + 1, "%s", row_text(&q, 1));
	}
	stmt_end(&q);
	return row;
}
