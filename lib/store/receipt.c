#include "store/receipt.h"

#include <inttypes.h>
#include <string.h>

#include "core/buf.h"
#include "core/clock.h"
#include "core/err.h"
#include "ext/jsonw.h"
#include "record/part.h"
#include "store/base.h"

static const char *const states[] = {
    [RECEIPT_INTENT] = "intent",
    [RECEIPT_SUCCEEDED] = "succeeded",
    [RECEIPT_PARTIAL] = "partial",
    [RECEIPT_FAILED] = "failed",
    [RECEIPT_SKIPPED] = "skipped",
    [RECEIPT_UNKNOWN] = "unknown",
};

static const char *const kinds[] = {
    [SETTLED_VERIFIED] = "verified",
    [SETTLED_ATTESTED] = "attested",
};

const char *
receipt_word(enum receipt_state state)
{
	return states[state];
}

/* Run a change that must meet its row; else it was in no state for that. */
static int
must(struct stmt *q, struct store *s, const char *task, int64_t call,
    const char *why, struct err *e)
{
	if (stmt_once(q, e) < 0)
		return -1;
	if (db_changes(&s->db) == 0)
		return err_set(e, ERR_REFUSED, "call %s.%" PRId64 " %s", task,
		    call, why);
	return 0;
}

int
receipt_intend(struct store *s, const struct receipt *r, struct err *e)
{
	static const char sql[] =
	    "INSERT INTO receipt (task, call, capability, arguments, nonce,"
	    "  text, guild, items, plan, approval, state, intent_ms, outcome_ms)"
	    " SELECT task, n, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13"
	    "  FROM call c WHERE task = ?1 AND n = ?2 AND state = 'open'"
	    "  AND NOT EXISTS (SELECT 1 FROM receipt r WHERE r.task = ?1"
	    "   AND r.call = ?2)";
	const int64_t now_ms = clock_now_ms();
	struct stmt q = {0};

	stmt_start(&q, &s->db, sql);
	stmt_text(&q, 1, r->task);
	stmt_int(&q, 2, r->call);
	stmt_text(&q, 3, r->capability);
	stmt_text(&q, 4, r->arguments);
	stmt_text(&q, 5, r->nonce);
	stmt_text(&q, 6, r->text);
	stmt_text(&q, 7, r->guild);
	stmt_text(&q, 8, r->items);
	stmt_text(&q, 9, r->plan);
	stmt_text(&q, 10, r->approval);
	stmt_text(&q, 11, states[r->state]);
	stmt_int(&q, 12, now_ms);
	stmt_opt(&q, 13, r->state == RECEIPT_INTENT ? 0 : now_ms);
	return must(&q, s, r->task, r->call,
	    "isn't open, or has a receipt already", e);
}

static int
begin_part(struct store *s, const char *task, int64_t call,
    const struct part *part, struct err *e)
{
	static const char sql[] =
	    "INSERT INTO receipt_part (task, call, n, text, state, at_ms)"
	    " SELECT ?1, ?2, ?3, ?4, 'intent', ?5 FROM receipt r"
	    "  WHERE task = ?1 AND call = ?2 AND state = 'intent'"
	    "  AND ?3 = 1 + (SELECT count(*) FROM receipt_part p"
	    "   WHERE p.task = ?1 AND p.call = ?2)"
	    "  AND NOT EXISTS (SELECT 1 FROM receipt_part p WHERE p.task = ?1"
	    "   AND p.call = ?2 AND p.state = 'intent')";
	struct stmt q = {0};

	stmt_start(&q, &s->db, sql);
	stmt_text(&q, 1, task);
	stmt_int(&q, 2, call);
	stmt_int(&q, 3, part->n);
	stmt_text(&q, 4, part->text);
	stmt_int(&q, 5, clock_now_ms());
	return must(&q, s, task, call, "is not ready for that part", e);
}

/* What a part tells of its end, as JSON; or NULL. */
static void
bind_value(struct stmt *q, int at, const struct value *v)
{
	struct buf b = {0};

	if (v->text)
		buf_str(&b, v->text);
	else if (v->tree)
		jsonw_value(&b, NULL, v->tree);
	stmt_text(q, at, b.len ? buf_text(&b) : NULL);
	buf_release(&b);
}

static int
end_part(struct store *s, const char *task, int64_t call,
    const struct part *part, struct err *e)
{
	static const char
	    sql[] = "UPDATE receipt_part SET state = ?4, outcome = ?5,"
		    " at_ms = ?6 WHERE task = ?1 AND call = ?2 AND n = ?3"
		    " AND state = 'intent'";
	struct stmt q = {0};

	stmt_start(&q, &s->db, sql);
	stmt_text(&q, 1, task);
	stmt_int(&q, 2, call);
	stmt_int(&q, 3, part->n);
	stmt_text(&q, 4, part_word(part->state));
	bind_value(&q, 5, &part->data);
	stmt_int(&q, 6, clock_now_ms());
	return must(&q, s, task, call, "has begun no such part", e);
}

int
receipt_part(struct store *s, const char *task, int64_t call,
    const struct part *part, struct err *e)
{
	return part->state == PART_INTENT ? begin_part(s, task, call, part, e)
					  : end_part(s, task, call, part, e);
}

int
receipt_end(struct store *s, const char *task, int64_t call,
    enum receipt_state state, const char *outcome, struct err *e)
{
	static const char
	    parts[] = "UPDATE receipt_part SET state = 'unknown', at_ms = ?3"
		      " WHERE task = ?1 AND call = ?2 AND state = 'intent'";
	static const char
	    sql[] = "UPDATE receipt SET state = ?3, outcome = ?4,"
		    " outcome_ms = ?5 WHERE task = ?1 AND call = ?2"
		    " AND state = 'intent'";
	size_t len = outcome ? strlen(outcome) : 0;
	struct stmt q = {0};

	stmt_start(&q, &s->db, parts);
	stmt_text(&q, 1, task);
	stmt_int(&q, 2, call);
	stmt_int(&q, 3, clock_now_ms());
	if (stmt_once(&q, e) < 0)
		return -1;
	if (len && outcome[len - 1] == '\n')
		len--;
	stmt_start(&q, &s->db, sql);
	stmt_text(&q, 1, task);
	stmt_int(&q, 2, call);
	stmt_text(&q, 3, states[state]);
	if (len)
		stmt_textn(&q, 4, outcome, len);
	stmt_int(&q, 5, clock_now_ms());
	return must(&q, s, task, call, "has no intent", e);
}

#define COLUMNS                                                                \
	"SELECT r.task, r.call, r.capability, r.arguments, r.nonce, r.text,"   \
	" r.guild, r.items, r.plan, r.approval, r.state, r.outcome,"           \
	" r.intent_ms, r.outcome_ms, x.kind, x.happened, x.actor, x.text"      \
	" FROM receipt r LEFT JOIN settlement x USING (task, call)"            \
	" WHERE r.task = ?1"

static enum receipt_state
state_of(const char *word)
{
	int i = RECEIPT_INTENT;

	while (i < RECEIPT_UNKNOWN && strcmp(states[i], word) != 0)
		i++;
	return (enum receipt_state)i;
}

static enum settled
settled_of(const char *kind)
{
	if (!kind)
		return SETTLED_NOT;
	return strcmp(kind, kinds[SETTLED_VERIFIED]) == 0 ? SETTLED_VERIFIED
							  : SETTLED_ATTESTED;
}

int
receipt_next(struct receipt_scan *scan, struct receipt *r, struct err *e)
{
	struct stmt *q = &scan->rows;
	int row = stmt_next(q, e);

	if (row <= 0)
		return row;
	*r = (struct receipt){
	    .task = row_text(q, 0),
	    .call = row_int(q, 1),
	    .capability = row_text(q, 2),
	    .arguments = row_text(q, 3),
	    .nonce = row_text(q, 4),
	    .text = row_text(q, 5),
	    .guild = row_text_opt(q, 6),
	    .items = row_text_opt(q, 7),
	    .plan = row_text_opt(q, 8),
	    .approval = row_text_opt(q, 9),
	    .state = state_of(row_text(q, 10)),
	    .outcome = row_text_opt(q, 11),
	    .intent_ms = row_int(q, 12),
	    .outcome_ms = row_int(q, 13),
	    .settled = settled_of(row_text_opt(q, 14)),
	    .happened = row_int(q, 15) != 0,
	    .settler = row_text_opt(q, 16),
	    .finding = row_text_opt(q, 17),
	};
	return 1;
}

int
receipt_get(struct receipt_scan *scan, struct store *s, const char *task,
    int64_t call, struct receipt *r, struct err *e)
{
	static const char sql[] = COLUMNS " AND r.call = ?2";
	int row;

	stmt_start(&scan->rows, &s->db, sql);
	stmt_text(&scan->rows, 1, task);
	stmt_int(&scan->rows, 2, call);
	row = receipt_next(scan, r, e);
	if (row == 0)
		return err_set(e, ERR_INPUT,
		    "%s.%" PRId64 " is no call that changed something", task,
		    call);
	return row < 0 ? -1 : 0;
}

void
receipt_list(struct receipt_scan *scan, struct store *s, const char *task,
    bool unsettled)
{
	static const char all[] = COLUMNS " ORDER BY r.call";
	static const char some[] = COLUMNS
	    " AND r.state = 'unknown' AND x.kind IS NULL ORDER BY r.call";

	stmt_start(&scan->rows, &s->db, unsettled ? some : all);
	stmt_text(&scan->rows, 1, task);
}

void
receipt_stop(struct receipt_scan *scan)
{
	stmt_end(&scan->rows);
}

int
receipt_parts(struct buf *b, struct store *s, const char *task, int64_t call,
    struct err *e)
{
	static const char
	    sql[] = "SELECT n, state, text, outcome FROM receipt_part"
		    " WHERE task = ?1 AND call = ?2 ORDER BY n";
	struct stmt q = {0};
	int row;

	stmt_start(&q, &s->db, sql);
	stmt_text(&q, 1, task);
	stmt_int(&q, 2, call);
	jsonw_array(b, NULL);
	while ((row = stmt_next(&q, e)) > 0) {
		jsonw_object(b, NULL);
		jsonw_int(b, "n", row_int(&q, 0));
		jsonw_str(b, "state", row_text(&q, 1));
		jsonw_opt(b, "text", row_text_opt(&q, 2));
		if (!row_null(&q, 3))
			jsonw_raw(b, "outcome", row_text(&q, 3),
			    row_len(&q, 3));
		jsonw_end_object(b);
	}
	jsonw_end_array(b);
	stmt_end(&q);
	return row;
}

int
receipt_names(struct store *s, const struct receipt *r, const char *id,
    struct err *e)
{
	static const char
	    sql[] = "WITH made(task, call, said) AS ("
		    " SELECT task, call, outcome FROM receipt"
		    "  WHERE state IN ('succeeded', 'partial') UNION ALL"
		    " SELECT task, call, outcome FROM receipt_part"
		    "  WHERE state = 'succeeded' UNION ALL"
		    " SELECT task, call, text FROM settlement WHERE happened)"
		    "SELECT 1 FROM made WHERE instr(said, ?1)"
		    " AND NOT (task = ?2 AND call = ?3) LIMIT 1";
	struct stmt q = {0};
	int row;

	stmt_start(&q, &s->db, sql);
	stmt_text(&q, 1, id);
	stmt_text(&q, 2, r->task);
	stmt_int(&q, 3, r->call);
	row = stmt_next(&q, e);
	stmt_end(&q);
	return row;
}

int
receipt_settle(struct store *s, const struct receipt *r, struct err *e)
{
	static const char sql[] =
	    "INSERT INTO settlement (task, call, kind, happened, actor, text,"
	    "  at_ms) SELECT task, call, ?3, ?4, ?5, ?6, ?7 FROM receipt r"
	    "  WHERE task = ?1 AND call = ?2 AND state = 'unknown'"
	    "  AND NOT EXISTS (SELECT 1 FROM settlement x WHERE x.task = ?1"
	    "   AND x.call = ?2)";
	struct stmt q = {0};

	stmt_start(&q, &s->db, sql);
	stmt_text(&q, 1, r->task);
	stmt_int(&q, 2, r->call);
	stmt_text(&q, 3, kinds[r->settled]);
	stmt_int(&q, 4, r->happened);
	stmt_text(&q, 5, r->settler);
	stmt_text(&q, 6, r->finding);
	stmt_int(&q, 7, clock_now_ms());
	return must(&q, s, r->task, r->call,
	    "needs no settling: its outcome is known, or was settled before",
	    e);
}

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
