#include "store/describe.h"

#include <inttypes.h>
#include <string.h>

#include "core/buf.h"
#include "core/clock.h"
#include "core/err.h"
#include "core/utf8.h"
#include "store/receipt.h"
#include "store/task.h"
#include "store/transcript.h"
#include "store/work.h"

enum { LINE_TEXT = 60, CALL_TEXT = 200 }; /* bytes of a text on a line */

/* The text on one line, cut if it is long. */
static void
put_short(struct buf *b, const char *text, size_t max)
{
	size_t len = strlen(text), cut = utf8_cut(text, len, max);

	for (size_t i = 0; i < cut; i++) {
		if (text[i] == '\n' || text[i] == '\t')
			buf_char(b, ' ');
		else
			buf_char(b, text[i]);
	}
	if (cut < len)
		buf_str(b, "...");
}

/* 2026-11-30 16:51 */
static void
put_minute(struct buf *b, int64_t at_ms)
{
	char text[CLOCK_TEXT];

	clock_text(text, at_ms);
	text[10] = ' ';
	buf_add(b, text, 16);
}

static void
put_state(struct buf *b, const struct task *t)
{
	buf_str(b, task_state_word(t->state));
	if (t->reason)
		buf_fmt(b, "(%s)", t->reason);
}

void
describe_line(struct buf *b, const struct task *t)
{
	struct buf state = {0};

	put_state(&state, t);
	buf_fmt(b, "%s  %-19s  ", t->id, buf_text(&state));
	put_minute(b, t->changed_ms);
	buf_str(b, "  ");
	put_short(b, t->objective, LINE_TEXT);
	buf_char(b, '\n');
	buf_release(&state);
}

static void
put_count(struct buf *b, int64_t n, const char *what)
{
	buf_fmt(b, "%" PRId64 " %s%s", n, what, n == 1 ? "" : "s");
}

static void
put_head(struct buf *b, const struct task *t)
{
	buf_fmt(b, "task     %s\nstate    ", t->id);
	put_state(b, t);
	buf_str(b, " since ");
	put_minute(b, t->changed_ms);
	buf_str(b, "\nasked    ");
	put_minute(b, t->created_ms);
	buf_fmt(b, " by %s (%s) in %s, %s\n", t->owner_name, t->owner, t->place,
	    t->visibility == VISIBILITY_PUBLIC ? "public" : "private");
	buf_fmt(b, "profile  %s, %s\nso far   ", t->profile,
	    t->approval == APPROVAL_AUTO ? "changes as granted"
					 : "asks before changes");
	put_count(b, t->turns, "turn");
	buf_str(b, ", ");
	put_count(b, t->calls, "call");
	buf_char(b, '\n');
}

static int
put_goals(struct buf *b, struct store *s, const struct task *t, struct err *e)
{
	struct item_scan scan = {0};
	struct item x;
	int row, n = 0;

	goal_list(&scan, s, t->id);
	while ((row = item_next(&scan, &x, e)) > 0) {
		buf_str(b, n++ ? "" : "\ngoals\n");
		buf_fmt(b, "  %" PRId64 " [%s] %s", x.n, x.state, x.text);
		buf_fmt(b, *x.remark ? ": %s\n" : "%s\n", x.remark);
	}
	item_end(&scan);
	return row;
}

static int
put_plan(struct buf *b, struct store *s, const struct task *t, struct err *e)
{
	struct buf plan = {0};
	int64_t version;
	int rc = plan_get(s, t->id, &plan, &version, e);

	if (rc == 0 && version)
		buf_fmt(b, "\nplan, version %" PRId64 "\n%s\n", version,
		    buf_text(&plan));
	buf_release(&plan);
	return rc;
}

static int
put_notes(struct buf *b, struct store *s, const struct task *t, struct err *e)
{
	struct item_scan scan = {0};
	struct item x;
	int row, n = 0;

	note_list(&scan, s, t->id, 0, 0);
	while ((row = item_next(&scan, &x, e)) > 0)
		buf_fmt(b, "%s  %" PRId64 " %s\n", n++ ? "" : "\nnotes\n", x.n,
		    x.text);
	item_end(&scan);
	return row;
}

static void
put_entry(struct buf *b, const struct entry *x)
{
	switch (x->kind) {
	case ENTRY_REQUEST:
		buf_str(b, "\n");
		put_minute(b, x->at_ms);
		buf_fmt(b, " %s asked:\n%s\n", x->name, x->text);
		break;
	case ENTRY_CALL:
		buf_fmt(b, "  .%" PRId64 " %s, %s", x->n, x->name, x->state);
		if (*x->text)
			buf_str(b, ": ");
		put_short(b, x->text, CALL_TEXT);
		buf_char(b, '\n');
		break;
	case ENTRY_ANSWER:
		put_minute(b, x->at_ms);
		buf_fmt(b, " %s:\n%s\n", x->state, x->text);
		break;
	case ENTRY_ROUND: break;
	}
}

/* How it was found out whether a change has happened. */
static int
put_settled(struct buf *b, struct store *s, const struct task *t, struct err *e)
{
	struct receipt_scan scan = {0};
	struct receipt r;
	int row, n = 0;

	receipt_list(&scan, s, t->id, false);
	while ((row = receipt_next(&scan, &r, e)) > 0) {
		if (r.settled == SETTLED_NOT)
			continue;
		buf_fmt(b, "%s  .%" PRId64 " %s (%s by %s): ",
		    n++ ? "" : "\nsettled\n", r.call,
		    r.happened ? "has happened" : "has not happened",
		    r.settled == SETTLED_VERIFIED ? "verified" : "attested",
		    r.settler);
		put_short(b, r.finding, CALL_TEXT);
		buf_char(b, '\n');
	}
	receipt_stop(&scan);
	return row;
}

static int
put_transcript(struct buf *b, struct store *s, const struct task *t,
    struct err *e)
{
	struct transcript said = {0};
	struct entry x;
	int row;

	transcript_start(&said, s, t->id);
	while ((row = transcript_next(&said, &x, e)) > 0)
		put_entry(b, &x);
	transcript_end(&said);
	return row;
}

int
describe_task(struct buf *b, struct store *s, const struct task *t,
    struct err *e)
{
	put_head(b, t);
	if (put_goals(b, s, t, e) < 0 || put_plan(b, s, t, e) < 0 ||
	    put_notes(b, s, t, e) < 0 || put_settled(b, s, t, e) < 0)
		return -1;
	return put_transcript(b, s, t, e);
}
