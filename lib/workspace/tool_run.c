#include "workspace/tool_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/err.h"
#include "core/lock.h"
#include "core/mem.h"
#include "core/poll.h"
#include "ext/json.h"
#include "record/call.h"
#include "store/artifact.h"
#include "store/task.h"
#include "workspace/attic.h"
#include "workspace/cabinet.h"
#include "workspace/door.h"
#include "workspace/report.h"
#include "workspace/run.h"
#include "workspace/shelf.h"
#include "workspace/toolbox.h"

enum {
	TIME_S = 60,
	TICK_MS = 10000, /* from one word of progress to the next */
};

struct job {
	struct toolbox *box;
	struct serve_talk *talk;
	const char *task; /* NULL: none */
	int64_t call;
	const char **paths;
	struct shelf_pick pick;
	bool bare; /* it wants no file: pick has none for all */
	struct run run;
	struct bundle files;
	struct attic attic;
	struct cabinet cabinet;
	struct door door; /* to one of them */
	struct report report;
	struct lock lock;
	struct poll_timer tick;
	int64_t began_ms;
	bool runs, over;
	struct err why;
};

static void
on_printed(void *ctx, bool error, const char *bytes, size_t len)
{
	struct job *j = ctx;

	excerpt_add(error ? &j->report.error : &j->report.out, bytes, len);
}

static void
on_ended(void *ctx, const struct err *why)
{
	struct job *j = ctx;

	if (why)
		j->why = *why;
	j->over = true;
}

static void
on_cancelled(void *ctx)
{
	struct job *j = ctx;

	if (j->runs)
		run_cancel(&j->run);
}

static void
set_tick(struct job *j)
{
	poll_set_timer(j->talk->poll, &j->tick, clock_boot_ms() + TICK_MS);
}

static void
on_tick(void *ctx)
{
	struct job *j = ctx;
	char text[80];

	snprintf(text, sizeof(text), "the code runs: %d s of %d s",
	    (int)((clock_boot_ms() - j->began_ms) / 1000), j->run.time_s);
	serve_progress(j->talk, text);
	set_tick(j);
}

/* ---- what is asked ---- */

static int
read_paths(struct job *j, const struct json *list, struct err *e)
{
	j->paths = mem_array(json_count(list) + 1, sizeof(*j->paths));
	for (const struct json *v = json_first(list); v; v = json_next(v)) {
		if (!json_text(v))
			return err_set(e, ERR_INPUT, "files: must be paths");
		j->paths[j->pick.count++] = json_text(v);
	}
	j->pick.paths = j->paths;
	j->bare = json_kind(list) == JSON_ARRAY && !j->pick.count;
	return 0;
}

static int
read_call(struct job *j, struct err *e)
{
	const struct call *c = j->talk->call;
	const struct json *a = c->arguments.tree;
	const char *language = json_string(a, "language");
	const char *dot = strrchr(c->id, '.');
	const int64_t time_s = json_int(a, "time", TIME_S);

	if (language)
		j->run.language = run_language(language);
	if (!j->run.language)
		return err_set(e, ERR_INPUT,
		    "language: must be python, javascript or shell");
	j->run.code = json_string(a, "code");
	if (!j->run.code)
		return err_set(e, ERR_INPUT, "code: is missing");
	if (time_s < 1 || time_s > RUN_MOST_S)
		return err_set(e, ERR_INPUT, "time: must be from 1 to %d",
		    RUN_MOST_S);
	j->run.len = strlen(j->run.code);
	j->run.time_s = (int)time_s;
	j->task = c->context.task;
	j->call = dot ? strtoll(dot + 1, NULL, 10) : 0;
	return read_paths(j, json_get(a, "files"), e);
}

/* ---- the files of the task ---- */

static int
take_files(struct job *j, struct err *e)
{
	if (!j->task) {
		if (j->pick.count)
			return err_set(e, ERR_INPUT,
			    "files: without a task there are none");
		j->door = (struct door){&attic_keeper, &j->attic};
		return 0;
	}
	if (toolbox_tasks(j->box, e) < 0 ||
	    task_may_keep(&j->box->tasks, &j->talk->call->context, e) < 0 ||
	    toolbox_lock(&j->lock, j->talk, j->task, e) < 0)
		return -1;
	j->cabinet.mint = (struct mint){.store = &j->box->tasks,
	    .task = j->task,
	    .call = j->call};
	j->door = (struct door){&cabinet_keeper, &j->cabinet};
	if (j->bare)
		return 0;
	return shelf_take(&j->files, &j->box->tasks, j->task, j->call, &j->pick,
	    e);
}

/* ---- the run ---- */

static int
execute(struct job *j, struct err *e)
{
	j->run.engine = settings_text(&j->box->settings, "sandbox.engine");
	j->run.image = settings_text(&j->box->settings, "sandbox.image");
	j->run.files = &j->files;
	j->run.print_most = RUN_FLOOD;
	j->run.handover.answer = door_answer;
	j->run.handover.ctx = &j->door;
	j->run.printed = on_printed;
	j->run.ended = on_ended;
	j->run.ctx = j;
	if (run_start(&j->run, j->talk->poll, e) < 0)
		return -1;
	j->runs = true;
	j->began_ms = clock_boot_ms();
	j->tick = (struct poll_timer){.fire = on_tick, .ctx = j};
	set_tick(j);
	while (!j->over)
		if (poll_step(j->talk->poll, POLL_NEVER, e) < 0)
			return -1;
	if (!j->why.kind || j->run.stopped)
		return 0;
	*e = j->why;
	return -1;
}

/* What the code left must be kept, or it is as if it had been stopped. */
static int
keep_files(struct job *j, struct err *e)
{
	if (!j->task || j->why.kind)
		return 0;
	if (shelf_keep(&j->box->tasks, j->task, j->call, &j->run.harvest,
		&j->why) == 0)
		return 0;
	if (j->why.kind == ERR_REFUSED)
		return 0;
	*e = j->why;
	return -1;
}

static int
list_artifacts(struct job *j, struct err *e)
{
	struct artifact_scan scan = {0};
	struct artifact a;
	int row;

	if (!j->task) {
		report_attic(&j->report, &j->attic);
		return 0;
	}
	artifact_list(&scan, &j->box->tasks, j->task, j->call, MINT_MOST);
	while ((row = artifact_next(&scan, &a, e)) > 0)
		report_artifact(&j->report, &a);
	artifact_end(&scan);
	return row;
}

static void
release(struct job *j)
{
	poll_stop_timer(&j->tick);
	run_release(&j->run);
	lock_drop(&j->lock);
	bundle_release(&j->files);
	attic_release(&j->attic);
	report_release(&j->report);
	free(j->paths);
	free(j);
}

int
tool_run(void *ctx, struct serve_talk *t, struct answer_parts *a, struct err *e)
{
	struct job *j = mem_new(sizeof(*j));
	int result = -1;

	j->box = ctx;
	j->talk = t;
	t->cancelled = on_cancelled;
	t->ctx = j;
	if (toolbox_settings(j->box, e) == 0 && read_call(j, e) == 0 &&
	    take_files(j, e) == 0 && execute(j, e) == 0 &&
	    keep_files(j, e) == 0 && list_artifacts(j, e) == 0) {
		j->report.run = &j->run;
		j->report.why = j->why.kind ? &j->why : NULL;
		j->report.call = j->task ? t->call->id : NULL;
		report_answer(&j->report, a);
		result = 0;
	}
	t->cancelled = NULL;
	release(j);
	return result;
}
