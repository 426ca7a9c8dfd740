#include "store/retract_text.h"

#include <stdbool.h>
#include <string.h>

#include "core/buf.h"
#include "core/clock.h"
#include "core/err.h"
#include "ext/json.h"
#include "record/gap.h"
#include "store/base.h"

struct retract {
	struct store *tasks;
	const char *task;
	int64_t round, turn;
	struct stmt gone; /* is a source, by its link; or a name known */
	struct err bad;   /* what that met */
};

/* Was it written when the calls of a derived round had been asked for? */
#define DERIVED                                                                \
	" WHERE task = ?1 AND ifnull((SELECT round FROM call c"                \
	" WHERE c.task = ?1 AND c.n = calls), ?2) >= ?2"

#define DERIVED_CALLS " (SELECT n FROM call WHERE task = ?1 AND round >= ?2)"

#define LATER_TURNS " (SELECT id FROM turn WHERE task = ?1 AND n >= ?3)"

/* What SQL can empty by itself: ?1 task, ?2 round, ?3 turn, ?4 text, ?5 now, ?6 name. */
static const char *const plain[] = {
    "DELETE FROM note" DERIVED,
    "DELETE FROM plan" DERIVED,
    "UPDATE goal SET text = ?4, remark = NULL" DERIVED,
    "UPDATE approval SET text = ?4 WHERE id IN"
    " (SELECT approval FROM approval_item WHERE task = ?1"
    "  AND call IN" DERIVED_CALLS ")",
    "UPDATE approval_item SET category = ?4, text = ?4,"
    "  arguments = iif(arguments IS NULL, NULL, '{}')"
    " WHERE task = ?1 AND call IN" DERIVED_CALLS,
    "UPDATE receipt SET text = ?4 WHERE task = ?1 AND call IN" DERIVED_CALLS,
    "UPDATE receipt_part SET text = iif(text IS NULL, NULL, ?4)"
    " WHERE task = ?1 AND call IN" DERIVED_CALLS,
    "UPDATE settlement SET text = ?4"
    " WHERE task = ?1 AND call IN" DERIVED_CALLS,
    "UPDATE call SET arguments = '{}', gone_ms = ?5, summary ="
    "  iif(summary IS NULL, NULL, ?4), capability ="
    "  iif(state = 'ok' OR tier <> 'read', capability, ?6)"
    " WHERE task = ?1 AND round >= ?2",
    "UPDATE call SET summary = ?4 WHERE task = ?1 AND summary IS NOT NULL"
    " AND n IN (SELECT e.call FROM evidence e JOIN source s ON s.id = e.source"
    "  WHERE s.task = ?1 AND s.gone_ms IS NOT NULL)",
    "UPDATE turn SET answer = ?4"
    " WHERE task = ?1 AND n >= ?3 AND answer IS NOT NULL",
    "DELETE FROM delivery WHERE state = 'pending' AND outbox IN"
    " (SELECT id FROM outbox WHERE task = ?1 AND turn IN" LATER_TURNS ")",
    "UPDATE delivery SET text = ?4, file = 0 WHERE outbox IN"
    " (SELECT id FROM outbox WHERE task = ?1 AND turn IN" LATER_TURNS ")",
};

static int
empty_plain(struct retract *r, struct err *e)
{
	struct stmt q = {0};
	int rc = 0;

	for (size_t i = 0; i < sizeof(plain) / sizeof(*plain) && rc == 0; i++) {
		stmt_start(&q, &r->tasks->db, plain[i]);
		stmt_text(&q, 1, r->task);
		if (strstr(plain[i], "?2"))
			stmt_int(&q, 2, r->round);
		if (strstr(plain[i], "?3"))
			stmt_int(&q, 3, r->turn);
		if (strstr(plain[i], "?4"))
			stmt_text(&q, 4, gap_text);
		if (strstr(plain[i], "?5"))
			stmt_int(&q, 5, clock_now_ms());
		if (strstr(plain[i], "?6"))
			stmt_text(&q, 6, gap_name);
		rc = stmt_run(&q, e);
	}
	stmt_end(&q);
	return rc;
}

static bool
is_gone(void *ctx, const char *url)
{
	struct retract *r = ctx;
	int row;

	stmt_start(&r->gone, &r->tasks->db,
	    "SELECT 1 FROM source WHERE task = ?1 AND url = ?2"
	    " AND gone_ms IS NOT NULL");
	stmt_text(&r->gone, 1, r->task);
	stmt_text(&r->gone, 2, url);
	row = stmt_next(&r->gone, &r->bad);
	stmt_reset(&r->gone);
	return row > 0;
}

/* Has the task a call of that name? Made-up ones have lost theirs. */
static bool
is_known(void *ctx, const char *name)
{
	struct retract *r = ctx;
	int row;

	stmt_start(&r->gone, &r->tasks->db,
	    "SELECT 1 FROM call WHERE task = ?1 AND capability = ?2");
	stmt_text(&r->gone, 1, r->task);
	stmt_text(&r->gone, 2, name);
	row = stmt_next(&r->gone, &r->bad);
	stmt_reset(&r->gone);
	return row > 0;
}

/* Write what may stay of a text that is JSON. */
typedef void reduce_fn(struct retract *r, struct buf *b, const struct json *v,
    bool derived);

static void
reduce_output(struct retract *r, struct buf *b, const struct json *v,
    bool derived)
{
	gap_record(b, v, derived, is_gone, r);
}

static void
reduce_message(struct retract *r, struct buf *b, const struct json *v,
    bool derived)
{
	(void)derived;
	gap_message(b, v, is_known, r);
}

static void
reduce_data(struct retract *r, struct buf *b, const struct json *v,
    bool derived)
{
	(void)r;
	(void)derived;
	gap_data(b, NULL, v);
	if (!b->len)
		buf_str(b, "{}");
}

static void
reduce_said(struct retract *r, struct buf *b, const struct json *v,
    bool derived)
{
	(void)r;
	(void)derived;
	gap_said(b, v);
}

/* Texts to be written anew: the next one after ?3; and its place, ?2. */
static const struct rewrite {
	const char *next; /* its place, itself, and whether it is derived */
	const char *put;  /* ?3 in its place */
	reduce_fn *reduce;
	bool turns; /* ?2 is the turn, not the round */
} rewrites[] = {
    {"SELECT n, output, round >= ?2 FROM call WHERE task = ?1 AND n > ?3"
     " AND output IS NOT NULL AND (round >= ?2 OR n IN (SELECT e.call"
     "  FROM evidence e JOIN source s ON s.id = e.source"
     "  WHERE s.task = ?1 AND s.gone_ms IS NOT NULL)) ORDER BY n LIMIT 1",
	"UPDATE call SET output = ?3 WHERE task = ?1 AND n = ?2", reduce_output,
	false},
    {"SELECT n, message, 1 FROM round WHERE task = ?1 AND n > ?3 AND n >= ?2"
     " ORDER BY n LIMIT 1",
	"UPDATE round SET message = ?3 WHERE task = ?1 AND n = ?2",
	reduce_message, false},
    {"SELECT call, arguments, 1 FROM receipt WHERE task = ?1 AND call > ?3"
     " AND call IN" DERIVED_CALLS " ORDER BY call LIMIT 1",
	"UPDATE receipt SET arguments = ?3 WHERE task = ?1 AND call = ?2",
	reduce_data, false},
    {"SELECT call, plan, 1 FROM receipt WHERE task = ?1 AND call > ?3"
     " AND plan IS NOT NULL AND call IN" DERIVED_CALLS " ORDER BY call LIMIT 1",
	"UPDATE receipt SET plan = ?3 WHERE task = ?1 AND call = ?2",
	reduce_data, false},
    {"SELECT call, outcome, 1 FROM receipt WHERE task = ?1 AND call > ?3"
     " AND outcome IS NOT NULL AND call IN" DERIVED_CALLS
     " ORDER BY call LIMIT 1",
	"UPDATE receipt SET outcome = ?3 WHERE task = ?1 AND call = ?2",
	reduce_data, false},
    {"SELECT call * 100000 + n, outcome, 1 FROM receipt_part WHERE task = ?1"
     " AND call * 100000 + n > ?3 AND outcome IS NOT NULL"
     " AND call IN" DERIVED_CALLS " ORDER BY call, n LIMIT 1",
	"UPDATE receipt_part SET outcome = ?3"
	" WHERE task = ?1 AND call * 100000 + n = ?2",
	reduce_data, false},
    {"SELECT id, record, 1 FROM outbox WHERE task = ?1 AND id > ?3 AND turn IN"
     " (SELECT id FROM turn WHERE task = ?1 AND n >= ?2) ORDER BY id LIMIT 1",
	"UPDATE outbox SET record = ?3 WHERE task = ?1 AND id = ?2",
	reduce_said, true},
};

/* What is no JSON can't be looked through: nothing of it stays. */
static void
reduce(struct retract *r, const struct rewrite *w, struct buf *to,
    const char *text, bool derived)
{
	struct json *v = NULL;
	struct err bad = {0};

	buf_clear(to);
	if (json_read(&v, text, strlen(text), &bad) == 0)
		w->reduce(r, to, v, derived);
	else
		buf_str(to, "{}");
	json_free(v);
}

static int
put(struct retract *r, const struct rewrite *w, struct stmt *q, int64_t at,
    const struct buf *text, struct err *e)
{
	stmt_start(q, &r->tasks->db, w->put);
	stmt_text(q, 1, r->task);
	stmt_int(q, 2, at);
	stmt_text_ref(q, 3, buf_text(text), text->len);
	return stmt_run(q, e);
}

static int
rewrite_all(struct retract *r, const struct rewrite *w, struct err *e)
{
	struct stmt next = {0}, one = {0};
	struct buf text = {0};
	int64_t at = -1;
	int row, rc = 0;

	do {
		stmt_start(&next, &r->tasks->db, w->next);
		stmt_text(&next, 1, r->task);
		stmt_int(&next, 2, w->turns ? r->turn : r->round);
		stmt_int(&next, 3, at);
		row = stmt_next(&next, e);
		if (row > 0) {
			at = row_int(&next, 0);
			reduce(r, w, &text, row_text(&next, 1),
			    row_int(&next, 2) != 0);
		}
		stmt_reset(&next);
		if (row > 0)
			rc = put(r, w, &one, at, &text, e);
	} while (row > 0 && rc == 0);
	stmt_end(&next);
	stmt_end(&one);
	buf_release(&text);
	return row < 0 ? -1 : rc;
}

int
retract_text(struct store *tasks, const char *task, int64_t round, int64_t turn,
    struct err *e)
{
	struct retract r = {.tasks = tasks,
	    .task = task,
	    .round = round,
	    .turn = turn};
	int rc = empty_plain(&r, e);

	for (size_t i = 0; i < sizeof(rewrites) / sizeof(*rewrites) && rc == 0;
	     i++)
		rc = rewrite_all(&r, &rewrites[i], e);
	stmt_end(&r.gone);
	if (rc == 0 && r.bad.kind) {
		*e = r.bad;
		rc = -1;
	}
	return rc;
}
