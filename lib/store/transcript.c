#include "store/transcript.h"

#include "core/err.h"
#include "store/base.h"

void
transcript_start(struct transcript *t, struct store *s, const char *task)
{
	static const char sql[] =
	    "SELECT 0 AS kind, id AS turn, actor AS name, state, text, record,"
	    "  n AS a, 0 AS b, 0 AS c, started_ms AS at"
	    "  FROM turn WHERE task = ?1"
	    " UNION ALL SELECT 1, t.id, '', '', '', r.message, t.n, r.n, 0,"
	    "  r.at_ms FROM round r JOIN turn t ON t.id = r.turn"
	    "  WHERE r.task = ?1"
	    " UNION ALL SELECT 2, t.id, c.capability, c.state, c.summary,"
	    "  c.output, t.n, c.round, c.n, c.started_ms"
	    "  FROM call c JOIN round r ON r.task = ?1 AND r.n = c.round"
	    "  JOIN turn t ON t.id = r.turn WHERE c.task = ?1"
	    " UNION ALL SELECT 3, id, '', state, answer, '', n,"
	    "  9223372036854775807, 0, ended_ms"
	    "  FROM turn WHERE task = ?1 AND answer IS NOT NULL"
	    " ORDER BY a, b, c, kind";

	stmt_start(&t->rows, &s->db, sql);
	stmt_text(&t->rows, 1, task);
}

int
transcript_next(struct transcript *t, struct entry *x, struct err *e)
{
	struct stmt *q = &t->rows;
	int row = stmt_next(q, e);

	if (row <= 0)
		return row;
	*x = (struct entry){
	    .kind = (enum entry_kind)row_int(q, 0),
	    .turn = row_text(q, 1),
	    .name = row_text(q, 2),
	    .state = row_text(q, 3),
	    .text = row_text(q, 4),
	    .record = row_text(q, 5),
	    .n = row_int(q, row_int(q, 0) == ENTRY_CALL ? 8 : 7),
	    .at_ms = row_int(q, 9),
	};
	return 1;
}

void
transcript_end(struct transcript *t)
{
	stmt_end(&t->rows);
}
