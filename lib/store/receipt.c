#include "store/receipt.h"

#include "core/err.h"
#include "store/base.h"

int
receipt_settled(struct store *s, const char *task, struct err *e)
{
	static const char sql[] =
	    "SELECT EXISTS (SELECT 1 FROM receipt r WHERE r.task = ?1"
	    " AND r.state = 'unknown' AND NOT EXISTS (SELECT 1 FROM settlement"
	    "  x WHERE x.task = ?1 AND x.call = r.call))";
	struct stmt q = {0};
	int row, unknown;

	stmt_start(&q, &s->db, sql);
	stmt_text(&q, 1, task);
	row = stmt_next(&q, e);
	unknown = row > 0 && row_int(&q, 0);
	stmt_end(&q);
	if (row < 0)
		return -1;
	if (!unknown)
		return 0;
	return err_set(e, ERR_REFUSED,
	    "the outcome of a change in task %s is unknown: settle it first",
	    task);
}
