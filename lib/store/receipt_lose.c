#include "core/clock.h"
#include "store/base.h"
#include "store/receipt.h"

/* Run an UPDATE on the task (?1) at the time (?2); returns the rows changed. */
static int64_t
change(struct store *s, const char *sql, const char *task, struct err *e)
{
	struct stmt q = {0};

	stmt_start(&q, &s->db, sql);
	stmt_text(&q, 1, task);
	stmt_int(&q, 2, clock_now_ms());
	return stmt_once(&q, e) < 0 ? -1 : db_changes(&s->db);
}

int64_t
receipt_lose(struct store *s, const char *task, struct err *e)
{
	static const char
	    parts[] = "UPDATE receipt_part SET state = 'unknown', at_ms = ?2"
		      " WHERE task = ?1 AND state = 'intent'";
	static const char
	    receipts[] = "UPDATE receipt SET state = 'unknown', outcome_ms = ?2"
			 " WHERE task = ?1 AND state = 'intent'";
	static const char
	    calls[] = "UPDATE call SET state = 'unknown', ended_ms = ?2,"
		      " summary = 'interrupted' WHERE task = ?1 AND"
		      " state = 'open' AND EXISTS (SELECT 1 FROM receipt r"
		      "  WHERE r.task = ?1 AND r.call = call.n"
		      "  AND r.state = 'unknown')";
	int64_t lost;

	if (change(s, parts, task, e) < 0 ||
	    (lost = change(s, receipts, task, e)) < 0 ||
	    change(s, calls, task, e) < 0)
		return -1;
	return lost;
}
