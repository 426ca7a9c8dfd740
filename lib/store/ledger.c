#include "store/ledger.h"

#include <inttypes.h>

#include "core/clock.h"
#include "core/crash.h"
#include "core/err.h"
#include "store/base.h"

static int
insert(struct store *s, const struct attempt *a, struct err *e)
{
	static const char sql[] =
	    "INSERT INTO usage (task, actor, profile, model, purpose, state,"
	    "  sent_ms) VALUES (?1, ?2, ?3, ?4, ?5, 'sent', ?6)";
	struct stmt q = {0};

	stmt_start(&q, &s->db, sql);
	stmt_text(&q, 1, a->task);
	stmt_text(&q, 2, a->actor);
	stmt_text(&q, 3, a->profile);
	stmt_text(&q, 4, a->model);
	stmt_text(&q, 5, a->purpose);
	stmt_int(&q, 6, clock_now_ms());
	return stmt_once(&q, e);
}

int
ledger_sent(struct store *s, const struct attempt *a, int64_t *id,
    struct err *e)
{
	if (store_begin(s, e) < 0)
		return -1;
	if (insert(s, a, e) < 0) {
		store_rollback(s);
		return -1;
	}
	*id = db_last_id(&s->db);
	CRASH_POINT("ledger.sent");
	if (store_commit(s, e) < 0)
		return -1;
	CRASH_POINT("ledger.sent.done");
	return 0;
}

static void
bind_tokens(struct stmt *q, int at, int64_t n)
{
	if (n == TOKENS_UNKNOWN)
		stmt_null(q, at);
	else
		stmt_int(q, at, n);
}

static int
update(struct store *s, int64_t id, const struct spent *spent, struct err *e)
{
	static const char *const states[] = {"ok", "error", "cancelled"};
	static const char sql[] =
	    "UPDATE usage SET state = ?2, input = ?3, output = ?4, cached = ?5,"
	    " reasoning = ?6, cost = ?7, estimated = ?8, ended_ms = ?9"
	    " WHERE id = ?1 AND state IN ('sent', 'unknown')";
	struct stmt q = {0};
	int rc;

	stmt_start(&q, &s->db, sql);
	stmt_int(&q, 1, id);
	stmt_text(&q, 2, states[spent->state]);
	bind_tokens(&q, 3, spent->input);
	bind_tokens(&q, 4, spent->output);
	bind_tokens(&q, 5, spent->cached);
	bind_tokens(&q, 6, spent->reasoning);
	stmt_text(&q, 7, spent->cost);
	stmt_int(&q, 8, spent->estimated);
	stmt_int(&q, 9, clock_now_ms());
	rc = stmt_once(&q, e);
	if (rc == 0 && db_changes(&s->db) == 0)
		return err_set(e, ERR_REFUSED,
		    "attempt %" PRId64 " was settled before, or forgotten", id);
	return rc;
}

int
ledger_settle(struct store *s, int64_t id, const struct spent *spent,
    struct err *e)
{
	if (store_begin(s, e) < 0)
		return -1;
	if (update(s, id, spent, e) < 0) {
		store_rollback(s);
		return -1;
	}
	CRASH_POINT("ledger.settle");
	if (store_commit(s, e) < 0)
		return -1;
	CRASH_POINT("ledger.settle.done");
	return 0;
}

void
ledger_list(struct ledger_scan *scan, struct store *s,
    const struct ledger_filter *f)
{
	static const char sql[] =
	    "SELECT task, actor, profile, model, purpose, state, input, output,"
	    " cached, reasoning, cost, estimated, sent_ms FROM usage"
	    " WHERE sent_ms >= ?1 AND sent_ms < ?2"
	    "   AND (?3 IS NULL OR actor = ?3) AND (?4 IS NULL OR task = ?4)"
	    " ORDER BY CASE ?5 WHEN 1 THEN model WHEN 2 THEN purpose"
	    "  WHEN 3 THEN ifnull(task, '') WHEN 4 THEN ifnull(actor, '')"
	    "  END, sent_ms, id";

	stmt_start(&scan->rows, &s->db, sql);
	stmt_int(&scan->rows, 1, f->from_ms);
	stmt_int(&scan->rows, 2, f->to_ms);
	stmt_text(&scan->rows, 3, f->actor);
	stmt_text(&scan->rows, 4, f->task);
	stmt_int(&scan->rows, 5, f->order);
}

static int64_t
tokens(struct stmt *q, int at)
{
	return row_null(q, at) ? TOKENS_UNKNOWN : row_int(q, at);
}

int
ledger_next(struct ledger_scan *scan, struct ledger_row *r, struct err *e)
{
	struct stmt *q = &scan->rows;
	int row = stmt_next(q, e);

	if (row > 0)
		*r = (struct ledger_row){
		    .task = row_text(q, 0),
		    .actor = row_text(q, 1),
		    .profile = row_text(q, 2),
		    .model = row_text(q, 3),
		    .purpose = row_text(q, 4),
		    .state = row_text(q, 5),
		    .input = tokens(q, 6),
		    .output = tokens(q, 7),
		    .cached = tokens(q, 8),
		    .reasoning = tokens(q, 9),
		    .cost = row_text_opt(q, 10),
		    .estimated = row_int(q, 11) != 0,
		    .sent_ms = row_int(q, 12),
		};
	return row;
}

void
ledger_end(struct ledger_scan *scan)
{
	stmt_end(&scan->rows);
}
