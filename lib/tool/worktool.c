#include "tool/worktool.h"

#include <inttypes.h>
#include <stdbool.h>

#include "core/buf.h"
#include "core/crash.h"
#include "core/err.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "record/call.h"
#include "store/base.h"
#include "store/task.h"
#include "store/work.h"
#include "tool/serve.h"
#include "tool/tasktool.h"

enum { NOTES_PAGE = 50, TASKS_PAGE = 10 };

static const char *
argument(const struct call *c, const char *name)
{
	return json_string(c->arguments.tree, name);
}

static int
need(const struct call *c, const char *name, const char **text, struct err *e)
{
	*text = argument(c, name);
	return *text ? 0 : err_set(e, ERR_INPUT, "%s: is missing", name);
}

/* Begin to write to the task that the call works on: see task_may_keep(). */
static int
begin(struct store *s, const struct call *c, struct err *e)
{
	if (store_begin(s, e) < 0)
		return -1;
	if (task_may_keep(s, &c->context, e) == 0)
		return 0;
	store_rollback(s);
	return -1;
}

/* Commit if it went well, else undo it. */
static int
end(struct store *s, int rc, struct err *e)
{
	if (rc < 0) {
		store_rollback(s);
		return -1;
	}
	CRASH_POINT("worktool.write");
	rc = store_commit(s, e);
	CRASH_POINT("worktool.write.done");
	return rc;
}

static void
put_number(struct buf *b, const char *name, int64_t n)
{
	jsonw_object(b, NULL);
	jsonw_int(b, name, n);
	jsonw_end_object(b);
}

static void
put_count(struct buf *b, int64_t n, const char *what)
{
	buf_fmt(b, "%" PRId64 " %s%s", n, what, n == 1 ? "" : "s");
}

typedef int add_fn(struct store *s, const char *task, const char *text,
    int64_t *n, struct err *e);

/* Add the argument text to the task; what gets which number is told. */
static int
add(struct store *s, const struct call *c, struct answer_parts *a, add_fn *fn,
    const char *what, struct err *e)
{
	const char *text;
	int64_t n;
	int rc;

	if (need(c, "text", &text, e) < 0 || begin(s, c, e) < 0)
		return -1;
	rc = fn(s, c->context.task, text, &n, e);
	if (end(s, rc, e) < 0)
		return -1;
	buf_fmt(&a->summary, "Kept as %s %" PRId64 ".", what, n);
	put_number(&a->data, what, n);
	return 0;
}

static int
on_note_add(void *s, const struct call *c, struct answer_parts *a,
    struct err *e)
{
	return add(s, c, a, note_add, "note", e);
}

static int
on_goal_open(void *s, const struct call *c, struct answer_parts *a,
    struct err *e)
{
	return add(s, c, a, goal_open, "goal", e);
}

static int
on_plan_update(void *s, const struct call *c, struct answer_parts *a,
    struct err *e)
{
	return add(s, c, a, plan_put, "version", e);
}

static int
on_note_list(void *s, const struct call *c, struct answer_parts *a,
    struct err *e)
{
	int64_t after = json_int(c->arguments.tree, "after", 0);
	int64_t limit = json_int(c->arguments.tree, "limit", NOTES_PAGE);
	struct item_scan scan = {0};
	struct item x;
	int row, n = 0;

	if (task_at_work(s, &c->context, e) < 0)
		return -1;
	jsonw_array(&a->data, NULL);
	note_list(&scan, s, c->context.task, after, limit + 1);
	while ((row = item_next(&scan, &x, e)) > 0 && n++ < limit) {
		jsonw_object(&a->data, NULL);
		jsonw_int(&a->data, "note", x.n);
		jsonw_time(&a->data, "at", x.at_ms);
		jsonw_str(&a->data, "text", x.text);
		jsonw_end_object(&a->data);
	}
	item_end(&scan);
	jsonw_end_array(&a->data);
	put_count(&a->summary, row > 0 ? n - 1 : n, "note");
	buf_str(&a->summary, row > 0 ? "; there are more." : ".");
	return row < 0 ? -1 : 0;
}

static int
on_note_clear(void *s, const struct call *c, struct answer_parts *a,
    struct err *e)
{
	const struct json *v = json_get(c->arguments.tree, "notes");
	int64_t n, cleared = 0;
	int rc = 0;

	if (json_kind(v) != JSON_ARRAY)
		return err_set(e, ERR_INPUT, "notes: is no array");
	if (begin(s, c, e) < 0)
		return -1;
	for (v = json_first(v); v && rc >= 0; v = json_next(v)) {
		if (json_whole(v, &n) < 0)
			rc = err_set(e, ERR_INPUT, "notes: has no numbers");
		else
			rc = note_clear(s, c->context.task, n, e);
		cleared += rc > 0;
	}
	if (end(s, rc, e) < 0)
		return -1;
	put_count(&a->summary, cleared, "note");
	buf_str(&a->summary, " thrown away.");
	put_number(&a->data, "cleared", cleared);
	return 0;
}

/* The goals as an array: one of them, or with n 0 all that are open. */
static int
put_goals(struct store *s, const struct call *c, int64_t n, struct buf *b,
    int64_t *count, struct err *e)
{
	struct item_scan scan = {0};
	struct item x;
	int row;

	*count = 0;
	jsonw_array(b, NULL);
	goal_list(&scan, s, c->context.task);
	while ((row = item_next(&scan, &x, e)) > 0) {
		if (n ? x.n != n : goal_state_of(x.state) == GOAL_DONE)
			continue;
		jsonw_object(b, NULL);
		jsonw_int(b, "goal", x.n);
		jsonw_str(b, "state", x.state);
		jsonw_str(b, "text", x.text);
		if (*x.remark)
			jsonw_str(b, "remark", x.remark);
		jsonw_end_object(b);
		++*count;
	}
	item_end(&scan);
	jsonw_end_array(b);
	return row;
}

static int
change_goal(struct store *s, const struct call *c, int state, int64_t *n,
    struct err *e)
{
	*n = json_int(c->arguments.tree, "goal", 0);
	if (*n < 1)
		return err_set(e, ERR_INPUT, "goal: is no number of a goal");
	if (begin(s, c, e) < 0)
		return -1;
	return end(s,
	    goal_set(s, c->context.task, *n, state, argument(c, "text"),
		argument(c, "remark"), e),
	    e);
}

static int
on_goal_update(void *s, const struct call *c, struct answer_parts *a,
    struct err *e)
{
	const char *word = argument(c, "state");
	int state = word ? goal_state_of(word) : -1;
	int64_t n, count;

	if (word && (state < 0 || state == GOAL_DONE))
		return err_set(e, ERR_INPUT,
		    "state: must be open, in_progress or blocked");
	if (!word && !argument(c, "text") && !argument(c, "remark"))
		return err_set(e, ERR_INPUT, "nothing is to be changed");
	if (change_goal(s, c, state, &n, e) < 0)
		return -1;
	buf_fmt(&a->summary, "Goal %" PRId64 " is changed.", n);
	return put_goals(s, c, n, &a->data, &count, e);
}

static int
on_goal_done(void *s, const struct call *c, struct answer_parts *a,
    struct err *e)
{
	const char *remark;
	int64_t n, left;

	if (need(c, "remark", &remark, e) < 0 ||
	    change_goal(s, c, GOAL_DONE, &n, e) < 0 ||
	    put_goals(s, c, 0, &a->data, &left, e) < 0)
		return -1;
	buf_fmt(&a->summary, "Goal %" PRId64 " is done; ", n);
	put_count(&a->summary, left, "goal");
	buf_str(&a->summary, " open.");
	return 0;
}

static void
put_task(struct buf *b, const struct task *t)
{
	jsonw_object(b, NULL);
	jsonw_str(b, "task", t->id);
	jsonw_str(b, "state", task_state_word(t->state));
	jsonw_opt(b, "reason", t->reason);
	jsonw_time(b, "changed_at", t->changed_ms);
	jsonw_str(b, "objective", t->objective);
	jsonw_end_object(b);
}

static int
on_task_search(void *s, const struct call *c, struct answer_parts *a,
    struct err *e)
{
	struct task_filter f = {
	    .words = argument(c, "query"),
	    .state = argument(c, "state"),
	    .limit = json_int(c->arguments.tree, "limit", TASKS_PAGE),
	};
	struct task_scan scan = {0};
	struct task t;
	int row, n = 0;

	jsonw_array(&a->data, NULL);
	task_list(&scan, s, &f, &c->context);
	while ((row = task_next(&scan, &t, e)) > 0) {
		if (t.visibility == VISIBILITY_PRIVATE &&
		    c->context.visibility == VISIBILITY_PUBLIC)
			continue; /* what was said there is not for all */
		put_task(&a->data, &t);
		n++;
	}
	task_end(&scan);
	jsonw_end_array(&a->data);
	put_count(&a->summary, n, "task");
	buf_char(&a->summary, '.');
	return row;
}

int
worktool_serve(int in, struct store *s, struct err *e)
{
	static const struct serve table[] = {
	    {"note_add", on_note_add},
	    {"note_list", on_note_list},
	    {"note_clear", on_note_clear},
	    {"plan_update", on_plan_update},
	    {"goal_open", on_goal_open},
	    {"goal_update", on_goal_update},
	    {"goal_done", on_goal_done},
	    {"task_search", on_task_search},
	    {"task_control", tasktool_control},
	    {0},
	};
	static const struct serve_change changes[] = {
	    {"task_forget", tasktool_forget_check, tasktool_forget_act},
	    {0},
	};

	return serve_run_changes(in, table, changes, s, e);
}
