#include "runtime/settle.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/buf.h"
#include "core/err.h"
#include "core/id.h"
#include "ext/jsonw.h"
#include "record/context.h"
#include "store/attest.h"
#include "store/base.h"
#include "store/task.h"
#include "tool/toolset.h"

/* TASK.N: 0, or ERR_INPUT. */
static int
read_call(const char *call, char task[ID_LEN + 1], int64_t *n, struct err *e)
{
	const char *dot = strchr(call, '.');
	char *end = NULL;

	if (dot && dot - call == ID_LEN) {
		memcpy(task, call, ID_LEN);
		task[ID_LEN] = '\0';
		*n = strtoll(dot + 1, &end, 10);
		if (id_valid(task) && end > dot + 1 && !*end && *n > 0)
			return 0;
	}
	return err_set(e, ERR_INPUT,
	    "%.60s is no call: that is TASK.N, as sophia task show TASK "
	    "numbers them",
	    call);
}

int
settle_verify(const char *call, run_put_fn *put, void *ctx, struct err *e)
{
	const struct manifest *tool;
	char task[ID_LEN + 1];
	struct toolset tools;
	struct buf arguments = {0};
	int64_t n;
	int result = -1;

	if (read_call(call, task, &n, e) < 0 || toolset_load(&tools, e) < 0)
		return -1;
	jsonw_object(&arguments, NULL);
	jsonw_str(&arguments, "call", call);
	jsonw_end_object(&arguments);
	tool = toolset_find(&tools, "verify_action");
	if (tool)
		result = run_tool(tool, buf_text(&arguments), arguments.len,
		    task, put, ctx, e);
	else
		err_set(e, ERR_CONFIG, "there is no tool verify_action");
	buf_release(&arguments);
	toolset_release(&tools);
	return result;
}

int
settle_attest(const char *call, bool happened, const char *text, struct err *e)
{
	char task[ID_LEN + 1];
	const struct context me = {.actor = {"local", "operator"}};
	struct store s = {0};
	int64_t n;
	int rc = read_call(call, task, &n, e), there;

	if (rc < 0 || (there = store_exists("tasks", e)) < 0)
		return -1;
	if (!there)
		return task_missing(task, e);
	rc = store_open(&s, "tasks", STORE_WRITE, e);
	if (rc == 0)
		rc = attest_call(&s, task, n, &me, happened, text, e);
	store_close(&s);
	return rc;
}
