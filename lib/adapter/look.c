#include "adapter/look.h"

#include <limits.h>
#include <string.h>

#include "core/clock.h"
#include "core/id.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "record/any.h"
#include "record/call.h"
#include "record/error.h"
#include "record/result.h"
#include "tool/environ.h"
#include "tool/toolset.h"

static const char tool_name[] = "verify_action";

static void
broken(struct look *l, const char *what)
{
	err_set(&l->error, ERR_INTERNAL, "%s wrote a bad record: %s", tool_name,
	    what);
	child_cancel(&l->child);
}

static void
on_result(struct look *l, const struct json *root)
{
	struct result r;
	struct err e = {0};

	if (result_read(&r, root, &e) < 0)
		broken(l, e.text);
	else
		buf_str(&l->text, r.summary ? r.summary : "");
}

static void
on_error(struct look *l, const struct json *root)
{
	struct error x;
	struct err e = {0};

	if (error_read(&x, root, &e) < 0)
		broken(l, e.text);
	else
		err_set(&l->error, x.kind, "%s", x.text);
}

/* The first result or error counts. */
static void
on_line(void *ctx, const char *text, size_t len, const struct err *bad)
{
	struct look *l = ctx;
	struct any any = {0};
	struct err e = {0};

	if (l->text.len || l->error.kind)
		return;
	if (bad)
		broken(l, bad->text);
	else if (any_read(&any, text, len, &e) < 0)
		broken(l, e.text);
	else if (any_is(&any, "result"))
		on_result(l, any.root);
	else if (any_is(&any, "error"))
		on_error(l, any.root);
	any_release(&any);
}

static void
on_ended(void *ctx)
{
	struct look *l = ctx;

	poll_stop_timer(&l->late);
	if (!l->text.len && !l->error.kind &&
	    child_verdict(&l->child, &l->error) >= 0)
		err_set(&l->error, ERR_INTERNAL, "%s ended without a result",
		    tool_name);
	l->over(l->ctx);
}

static void
on_late(void *ctx)
{
	struct look *l = ctx;

	if (!l->text.len && !l->error.kind)
		err_set(&l->error, ERR_AGAIN, "%s took too long", tool_name);
	child_cancel(&l->child);
}

static int
ask(struct look *l, const char *call, const struct context *who, struct err *e)
{
	char id[ID_LEN + 1];
	struct buf arguments = {0}, line = {0}, name = {0};
	int rc;

	id_new(id);
	buf_fmt(&name, "%s.1", id);
	jsonw_object(&arguments, NULL);
	jsonw_str(&arguments, "call", call);
	jsonw_end_object(&arguments);
	call_write(&line, &(struct call){.id = buf_text(&name),
			      .capability = tool_name,
			      .arguments.text = buf_text(&arguments),
			      .tier = TIER_SCRATCH,
			      .context = *who});
	rc = child_send(&l->child, line.data, line.len - 1, e);
	if (rc < 0 && e->kind == ERR_REFUSED) { /* its end says more */
		*e = (struct err){0};
		rc = 0;
	}
	child_end(&l->child);
	buf_release(&name);
	buf_release(&arguments);
	buf_release(&line);
	return rc;
}

static int
start(struct look *l, struct poll *p, const struct manifest *m, struct err *e)
{
	const char *argv[MANIFEST_COMMAND_MAX + 1] = {0};
	char program[PATH_MAX];
	struct environ env = {0};
	int rc = -1;

	for (int i = 0; m->command[i]; i++)
		argv[i] = m->command[i];
	argv[0] = program;
	if (manifest_program(m, program, e) == 0 &&
	    environ_make(&env, m->needs, e) == 0) {
		l->child = (struct child){
		    .what = {.argv = argv,
			.envp = (const char *const *)env.list},
		    .line = on_line,
		    .ended = on_ended,
		    .ctx = l,
		};
		rc = child_start(&l->child, p, e);
	}
	environ_release(&env);
	return rc;
}

int
look_start(struct look *l, struct poll *p, const char *call,
    const struct context *who, struct err *e)
{
	struct toolset tools = {0};
	const struct manifest *m;
	int rc = -1;

	if (toolset_load(&tools, e) < 0)
		return -1;
	m = toolset_find(&tools, tool_name);
	if (!m || manifest_is_loop(m))
		err_set(e, ERR_CONFIG, "there is no tool %s", tool_name);
	else if (start(l, p, m, e) == 0 && ask(l, call, who, e) == 0) {
		l->late = (struct poll_timer){.fire = on_late, .ctx = l};
		poll_set_timer(p, &l->late,
		    clock_boot_ms() + (int64_t)m->time_limit_s * 1000);
		rc = 0;
	}
	toolset_release(&tools);
	if (rc < 0)
		look_release(l);
	return rc;
}

void
look_release(struct look *l)
{
	poll_stop_timer(&l->late);
	child_release(&l->child);
	buf_release(&l->text);
}
