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
#include "ext/jsonw.h"
#include "record/call.h"
#include "store/artifact.h"
#include "store/task.h"
#include "workspace/cabinet.h"
#include "workspace/shelf.h"
#include "workspace/toolbox.h"
#include "workspace/trial.h"
#include "workspace/wired.h"

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
	struct trial trial;
	struct cabinet cabinet;
	struct lock lock;
	struct poll_timer tick;
	int64_t began_ms;
};

static void
on_cancelled(void *ctx)
{
	struct job *j = ctx;

	trial_stop(&j->trial);
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
	    (int)((clock_boot_ms() - j->began_ms) / 1000), j->trial.run.time_s);
	serve_progress(j->talk, text);
	set_tick(j);
}

/* ---- what is asked ---- */

static int
read_paths(struct job *j, const struct json *list, struct err *e)
{
	if (json_count(list) > BUNDLE_FILES_MOST)
		return err_set(e, ERR_INPUT, "files: at most %d paths",
		    BUNDLE_FILES_MOST);
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
		j->trial.run.language = run_language(language);
	if (!j->trial.run.language)
		return err_set(e, ERR_INPUT,
		    "language: must be python, javascript or shell");
	j->trial.run.code = json_string(a, "code");
	if (!j->trial.run.code)
		return err_set(e, ERR_INPUT, "code: is missing");
	if (time_s < 1 || time_s > RUN_MOST_S)
		return err_set(e, ERR_INPUT, "time: must be from 1 to %d",
		    RUN_MOST_S);
	j->trial.run.len = strlen(j->trial.run.code);
	j->trial.run.time_s = (int)time_s;
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
		return 0;
	}
	if (toolbox_tasks(j->box, e) < 0 ||
	    task_may_keep(&j->box->tasks, &j->talk->call->context, e) < 0 ||
	    toolbox_lock(&j->lock, j->talk, j->task, e) < 0)
		return -1;
	j->cabinet.mint = (struct mint){.store = &j->box->tasks,
	    .task = j->task,
	    .call = j->call};
	j->trial.door = (struct door){&cabinet_keeper, &j->cabinet};
	if (j->bare)
		return 0;
	return shelf_take(&j->trial.files, &j->box->tasks, j->task, j->call,
	    &j->pick, e);
}

/* ---- the run ---- */

static int
execute(struct job *j, struct err *e)
{
	j->began_ms = clock_boot_ms();
	j->tick = (struct poll_timer){.fire = on_tick, .ctx = j};
	set_tick(j);
	return trial_go(&j->trial, j->talk->poll, &j->box->settings, e);
}

/* What the code left must be kept, or it is as if it had been stopped. */
static int
keep_files(struct job *j, struct err *e)
{
	if (!j->task || j->trial.why.kind)
		return 0;
	if (shelf_keep(&j->box->tasks, j->task, j->call, &j->trial.run.harvest,
		&j->trial.why) == 0)
		return 0;
	if (j->trial.why.kind == ERR_REFUSED)
		return 0;
	*e = j->trial.why;
	return -1;
}

static int
list_artifacts(struct job *j, struct err *e)
{
	struct artifact_scan scan = {0};
	struct artifact a;
	int row;

	if (!j->task) {
		report_attic(&j->trial.report, &j->trial.attic);
		return 0;
	}
	artifact_list(&scan, &j->box->tasks, j->task, j->call, MINT_MOST);
	while ((row = artifact_next(&scan, &a, e)) > 0)
		report_artifact(&j->trial.report, &a);
	artifact_end(&scan);
	return row;
}

static void
release(struct job *j)
{
	poll_stop_timer(&j->tick);
	trial_release(&j->trial);
	lock_drop(&j->lock);
	free(j->paths);
	free(j);
}

/* What it handed over is shown, if the model takes pictures. */
static void
show_pictures(struct job *j, struct answer_parts *a)
{
	struct buf media = {0};
	struct err why = {0};

	if (!j->task)
		return;
	lock_drop(&j->lock);
	jsonw_array(&media, NULL);
	if (wired_make(j->box, j->talk, j->call, &media, &why) < 0)
		buf_fmt(&a->summary, " Its pictures can't be shown: %s.",
		    why.text);
	jsonw_end_array(&media);
	if (media.len > strlen("[]"))
		buf_add(&a->media, media.data, media.len);
	buf_release(&media);
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
		j->trial.report.why = j->trial.why.kind ? &j->trial.why : NULL;
		j->trial.report.call = j->task ? t->call->id : NULL;
		report_answer(&j->trial.report, a);
		show_pictures(j, a);
		result = 0;
	}
	t->cancelled = NULL;
	release(j);
	return result;
}
