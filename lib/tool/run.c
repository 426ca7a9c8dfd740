#include "tool/run.h"

#include <limits.h>
#include <stdbool.h>
#include <string.h>

#include "core/buf.h"
#include "core/child.h"
#include "core/clock.h"
#include "core/err.h"
#include "core/id.h"
#include "core/poll.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "record/any.h"
#include "record/attach.h"
#include "record/call.h"
#include "record/error.h"
#include "record/proposal.h"
#include "record/result.h"
#include "tool/environ.h"
#include "tool/manifest.h"
#include "tool/schema.h"

enum { GRACE_MS = 2000 }; /* to end in, after the answer */

struct run {
	struct child child;
	const char *id;
	bool serves; /* then a result names its call */
	bool checks; /* it says what it would do, and does nothing */
	run_put_fn *put;
	void *ctx;
	struct err *e;
	bool answered; /* by a result or an error */
	bool done;     /* answered, or ended */
	bool ended, ok;
};

static void
broken(struct run *r, const char *what)
{
	err_set(r->e, ERR_INTERNAL, "the tool wrote a bad record: %s", what);
	r->answered = true;
}

/* Hand a record on, and what of it is for a person. */
static void
put(struct run *r, const struct json *record)
{
	const char *summary = json_string(record,
	    r->checks ? "text" : "summary");
	const struct json *data = json_get(record, "data");
	struct buf line = {0}, text = {0};

	jsonw_value(&line, NULL, record);
	buf_char(&line, '\n');
	if (summary)
		buf_fmt(&text, "%s\n", summary);
	if (data) {
		jsonw_value(&text, NULL, data);
		buf_char(&text, '\n');
	}
	r->put(r->ctx, &line, buf_text(&text), r->e);
	buf_release(&line);
	buf_release(&text);
}

/* Is the answer one to our call? Else say so. */
static bool
is_ours(struct run *r, const char *id)
{
	if (id ? strcmp(id, r->id) == 0 : !r->serves)
		return true;
	broken(r, "a result of another call");
	return false;
}

static void
on_proposal(struct run *r, const struct any *any)
{
	struct proposal proposal;
	struct err e = {0};

	if (proposal_read(&proposal, any->root, &e) < 0) {
		broken(r, e.text);
		return;
	}
	if (!is_ours(r, proposal.id))
		return;
	r->answered = r->ok = true;
	put(r, any->root);
}

static void
on_result(struct run *r, const struct any *any)
{
	struct result result;
	struct err e = {0};

	if (result_read(&result, any->root, &e) < 0) {
		broken(r, e.text);
		return;
	}
	if (!is_ours(r, result.id))
		return;
	r->answered = true;
	r->ok = result.ok;
	put(r, any->root);
}

static void
on_error(struct run *r, const struct any *any)
{
	struct error x;
	struct err e = {0};

	if (error_read(&x, any->root, &e) < 0) {
		broken(r, e.text);
		return;
	}
	err_set(r->e, x.kind, "%s", x.text);
	r->answered = true;
}

/* There is no task that could keep it. */
static void
on_attach(struct run *r, const struct any *any)
{
	struct attach x;
	struct buf line = {0};
	struct err e = {0};

	if (attach_read(&x, any->root, &e) < 0) {
		broken(r, e.text);
		return;
	}
	err_set(&e, ERR_REFUSED,
	    "by hand nothing is kept, since there is no task");
	error_write_err(&line, r->id, &e);
	child_send(&r->child, buf_text(&line), line.len - 1, &e);
	buf_release(&line);
}

static void
on_line(void *ctx, const char *text, size_t len, const struct err *bad)
{
	struct run *r = ctx;
	struct any any = {0};
	struct err e = {0};

	if (r->done)
		return;
	if (bad)
		broken(r, bad->text);
	else if (any_read(&any, text, len, &e) < 0)
		broken(r, e.text);
	else if (any_is(&any, "proposal") && r->checks)
		on_proposal(r, &any);
	else if (any_is(&any, "result") && !r->checks)
		on_result(r, &any);
	else if (any_is(&any, "error"))
		on_error(r, &any);
	else if (any_is(&any, "progress"))
		put(r, any.root);
	else if (any_is(&any, "attach"))
		on_attach(r, &any);
	any_release(&any);
	r->done = r->answered || r->e->kind;
}

static void
on_end(void *ctx)
{
	struct run *r = ctx;

	r->ended = r->done = true;
}

static void
write_call(struct buf *line, const struct manifest *m, const char *id,
    const struct json *arguments, const char *task)
{
	const struct call call = {
	    .id = id,
	    .capability = m->name,
	    .arguments.tree = arguments,
	    .tier = m->tier,
	    .phase = m->tier >= TIER_WRITE ? PHASE_CHECK : PHASE_NONE,
	    .context = {.actor = {"local", "local"}, .task = task},
	};

	call_write(line, &call);
	line->len--; /* the line break, which child_send() adds */
}

/* It answered, or has ended: say what came of it. */
static int
verdict(struct run *r, struct poll *p, struct err *e)
{
	struct err late = {0};

	child_end(&r->child);
	if (!r->ended)
		poll_run(p, &r->ended, clock_boot_ms() + GRACE_MS, &late);
	if (e->kind)
		return -1;
	if (r->answered)
		return r->ok ? 1 : 0;
	if (child_verdict(&r->child, e) < 0)
		return -1;
	return err_set(e, ERR_INTERNAL, "the tool ended without a result");
}

static int
wait_for(struct run *r, struct poll *p, const struct manifest *m, struct err *e)
{
	int64_t limit_ms = (int64_t)m->time_limit_s * 1000;
	int done = poll_run(p, &r->done, clock_boot_ms() + limit_ms, e);

	if (done < 0)
		return -1;
	if (done)
		return verdict(r, p, e);
	return err_set(e, ERR_AGAIN, "%s took longer than %d s", m->name,
	    m->time_limit_s);
}

static int
start(struct run *r, struct poll *p, const struct manifest *m, struct err *e)
{
	const char *argv[MANIFEST_COMMAND_MAX + 1] = {0};
	char program[PATH_MAX];
	struct environ env = {0};
	int result = -1;

	for (int i = 0; m->command[i]; i++)
		argv[i] = m->command[i];
	argv[0] = program;
	if (manifest_program(m, program, e) == 0 &&
	    environ_make(&env, m->needs, e) == 0) {
		r->child.what = (struct spawn){.argv = argv,
		    .envp = (const char *const *)env.list};
		result = child_start(&r->child, p, e);
	}
	environ_release(&env);
	return result;
}

/* One that died before it read the call has a verdict that says more. */
static int
send_call(struct run *r, const struct manifest *m, const struct buf *line,
    struct err *e)
{
	if (child_send(&r->child, buf_text(line), line->len, e) < 0) {
		if (e->kind != ERR_REFUSED)
			return -1;
		*e = (struct err){0};
	}
	if (!m->attach)
		child_end(&r->child);
	return 0;
}

static int
run(const struct manifest *m, const struct json *arguments, const char *task,
    struct run *r, struct err *e)
{
	char id[ID_LEN + 1];
	struct buf call_id = {0}, line = {0};
	struct poll p = {0};
	int result = -1;

	if (schema_validate(m->parameters, arguments, e) < 0)
		return -1;
	id_new(id);
	buf_fmt(&call_id, "%s.1", task ? task : id);
	r->id = buf_text(&call_id);
	write_call(&line, m, r->id, arguments, task);
	if (start(r, &p, m, e) == 0 && send_call(r, m, &line, e) == 0)
		result = wait_for(r, &p, m, e);
	child_release(&r->child);
	poll_release(&p);
	buf_release(&line);
	buf_release(&call_id);
	return result;
}

int
run_tool(const struct manifest *m, const char *arguments, size_t len,
    const char *task, run_put_fn *put_fn, void *ctx, struct err *e)
{
	struct run r = {.serves = m->serve,
	    .checks = m->tier >= TIER_WRITE,
	    .put = put_fn,
	    .ctx = ctx,
	    .e = e};
	struct json *root;
	int result;

	if (manifest_is_loop(m))
		return err_set(e, ERR_REFUSED,
		    "%s is done by the loop itself, in a task", m->name);
	if (json_object(&root, len ? arguments : "{}", len ? len : 2, e) < 0)
		return err_in(e, "arguments");
	r.child.line = on_line;
	r.child.ended = on_end;
	r.child.ctx = &r;
	result = run(m, root, task, &r, e);
	json_free(root);
	if (result > 0 && r.checks)
		return err_set(e, ERR_APPROVAL,
		    "%s changes something: it was only checked. In a task it "
		    "is decided, and done at most once",
		    m->name);
	return result;
}
