#include "store/round.h"

#include <string.h>

#include <inttypes.h>

#include "core/buf.h"
#include "core/clock.h"
#include "core/err.h"
#include "ext/jsonw.h"
#include "record/call.h"
#include "store/base.h"
#include "store/evidence.h"
#include "store/runner.h"

static const char *const states[] = {"open", "ok", "error", "skipped",
    "unknown"};

int
round_add(struct store *s, const char *task, const char *turn, int64_t n,
    const char *message, struct err *e)
{
	static const char
	    sql[] = "INSERT INTO round (task, n, turn, message, at_ms)"
		    " VALUES (?1, ?2, ?3, ?4, ?5)";
	struct stmt q = {0};

	stmt_start(&q, &s->db, sql);
	stmt_text(&q, 1, task);
	stmt_int(&q, 2, n);
	stmt_text(&q, 3, turn);
	stmt_text(&q, 4, message);
	stmt_int(&q, 5, clock_now_ms());
	return stmt_once(&q, e);
}

static void
bind_arguments(struct stmt *q, int at, const struct value *v)
{
	struct buf b = {0};

	if (value_is(v)) {
		if (v->text)
			buf_str(&b, v->text);
		else
			jsonw_value(&b, NULL, v->tree);
	}
	stmt_text(q, at, b.len ? buf_text(&b) : "{}");
	buf_release(&b);
}

int
round_calls(struct store *s, const char *task, int64_t round, int64_t first,
    const struct call *calls, size_t n, struct err *e)
{
	static const char sql[] =
	    "INSERT INTO call (task, n, round, capability, arguments, tier,"
	    "  state, started_ms) VALUES (?1, ?2, ?3, ?4, ?5, ?6, 'open', ?7)";
	const int64_t now_ms = clock_now_ms();
	struct stmt q = {0};
	int rc = 0;

	for (size_t i = 0; i < n && rc == 0; i++) {
		stmt_start(&q, &s->db, sql);
		stmt_text(&q, 1, task);
		stmt_int(&q, 2, first + (int64_t)i);
		stmt_int(&q, 3, round);
		stmt_text(&q, 4, calls[i].capability);
		bind_arguments(&q, 5, &calls[i].arguments);
		stmt_text(&q, 6, tier_word(calls[i].tier));
		stmt_int(&q, 7, now_ms);
		rc = stmt_run(&q, e);
	}
	stmt_end(&q);
	return rc;
}

int
round_outcome(struct store *s, const char *task, const struct outcome *o,
    struct err *e)
{
	static const char sql
	    [] = "UPDATE call SET state = ?3, summary = ?4, output = ?5,"
		 " ended_ms = ?6 WHERE task = ?1 AND n = ?2 AND state = 'open'";
	size_t len = o->output ? strlen(o->output) : 0;
	struct stmt q = {0};
	int rc;

	if (len && o->output[len - 1] == '\n')
		len--;
	stmt_start(&q, &s->db, sql);
	stmt_text(&q, 1, task);
	stmt_int(&q, 2, o->n);
	stmt_text(&q, 3, states[o->state]);
	stmt_text(&q, 4, o->summary);
	if (len)
		stmt_text_ref(&q, 5, o->output, len);
	stmt_int(&q, 6, clock_now_ms());
	rc = stmt_once(&q, e);
	if (rc == 0 && db_changes(&s->db) == 0)
		return err_set(e, ERR_REFUSED, "call %s.%" PRId64 " isn't open",
		    task, o->n);
	if (rc < 0)
		return -1;
	return evidence_add(s, task, o->n, o->sources, e);
}

int
round_output(struct store *s, const char *task, int64_t n, struct buf *b,
    struct err *e)
{
	static const char
	    sql[] = "SELECT output FROM call WHERE task = ?1 AND n = ?2";
	struct stmt q = {0};
	int row;

	stmt_start(&q, &s->db, sql);
	stmt_text(&q, 1, task);
	stmt_int(&q, 2, n);
	row = stmt_next(&q, e);
	if (row > 0)
		buf_str(b, row_text(&q, 0));
	stmt_end(&q);
	return row < 0 ? -1 : 0;
}

int
round_skip(struct store *s, const char *task, struct err *e)
{
	static const char
	    sql[] = "UPDATE call SET state = 'skipped', ended_ms = ?2"
		    " WHERE task = ?1 AND state = 'open'";
	struct stmt q = {0};

	stmt_start(&q, &s->db, sql);
	stmt_text(&q, 1, task);
	stmt_int(&q, 2, clock_now_ms());
	return stmt_once(&q, e);
}
