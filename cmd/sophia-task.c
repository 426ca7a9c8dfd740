/*
 * sophia-task - list, show, steer, stop, resume and forget tasks
 * stdout: {"type":"task",...} a task; {"type":"kept",...} a row of an export
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "core/buf.h"
#include "core/clock.h"
#include "core/err.h"
#include "core/home.h"
#include "record/context.h"
#include "store/base.h"
#include "store/describe.h"
#include "store/export.h"
#include "store/forget.h"
#include "store/recovery.h"
#include "store/settings.h"
#include "store/stop.h"
#include "store/task.h"
#include "tool/worktool.h"

enum { DAY_MS = 86400000 };

static const struct context me = {.actor = {"local", "operator"}};

/* Open the tasks; 0 and none open if there is no store yet, and none made. */
static int
open_tasks(struct store *s, enum store_mode mode, struct err *e)
{
	int there = store_exists("tasks", e);

	*s = (struct store){0};
	if (there <= 0)
		return there;
	return store_open(s, "tasks", mode, e) < 0 ? -1 : 1;
}

/* Of a verb on one task: its id is argument 0, which is what c then holds. */
static int
open_for(struct cli *c, struct store *s, int most, struct err *e)
{
	int there;

	cli_plain(c, 1, most);
	there = open_tasks(s, STORE_WRITE, e);
	return there == 0 ? task_missing(c->argv[0], e) : there;
}

static int
print_tasks(struct cli *c, struct store *s, const struct task_filter *f,
    struct err *e)
{
	struct task_scan scan = {0};
	struct task t;
	struct buf b = {0};
	int row, n = 0;

	task_list(&scan, s, f, &me);
	while ((row = task_next(&scan, &t, e)) > 0) {
		if (c->json)
			task_write(&b, &t);
		else
			describe_line(&b, &t);
		n++;
	}
	task_end(&scan);
	if (row == 0)
		row = cli_out(c, &b, e);
	buf_release(&b);
	return row < 0 ? -1 : n;
}

static int
list(struct cli *c, struct err *e)
{
	struct task_filter f = {0};
	struct buf words = {0};
	struct store s = {0};
	int o, n;

	c->none = "there is no such task";
	while ((o = cli_option(c)) != -1) {
		if (o == 'n')
			f.limit = cli_int(c, 1, 1000000);
		if (o == 's')
			f.state = c->value;
	}
	if (f.state && task_state_of(f.state) < 0)
		cli_usage(c,
		    "there is no state '%s': it is running, paused, "
		    "completed, cancelled or failed",
		    f.state);
	cli_words(c, 0, &words);
	f.words = buf_text(&words);
	n = open_tasks(&s, STORE_READ, e);
	if (n > 0)
		n = print_tasks(c, &s, &f, e);
	store_close(&s);
	buf_release(&words);
	return n;
}

static int
show(struct cli *c, struct err *e)
{
	struct task_scan scan = {0};
	struct store s = {0};
	struct task t;
	struct buf b = {0};
	int rc = open_for(c, &s, 1, e);

	if (rc > 0)
		rc = task_get(&scan, &s, c->argv[0], &me, &t, e);
	if (rc == 0 && c->json)
		task_write(&b, &t);
	else if (rc == 0)
		rc = describe_task(&b, &s, &t, e);
	task_end(&scan);
	store_close(&s);
	if (rc == 0)
		rc = cli_out(c, &b, e);
	buf_release(&b);
	return rc < 0 ? -1 : 1;
}

static int
put_lines(void *ctx, struct buf *lines, struct err *e)
{
	return cli_put(ctx, lines, e);
}

static int export(struct cli *c, struct err *e)
{
	struct task_scan scan = {0};
	struct store s = {0};
	struct task t;
	int rc = open_for(c, &s, 1, e);

	if (rc > 0)
		rc = task_get(&scan, &s, c->argv[0], &me, &t, e);
	task_end(&scan);
	if (rc == 0)
		rc = export_task(&s, c->argv[0], put_lines, c, e);
	store_close(&s);
	return rc < 0 ? -1 : 1;
}

/* Become `sophia-ask --task ID TEXT`, which says all there is to say. */
static int
become_ask(const struct cli *c, const char *task, char *text, struct err *e)
{
	char program[PATH_MAX], option[] = "--task", id[64], end[] = "--";
	char json[] = "--json";
	char *argv[] = {program, option, id, c->json ? json : end,
	    c->json ? end : text, c->json ? text : NULL, NULL};
	int n = snprintf(program, sizeof(program), "%s/sophia-ask", home_bin());

	snprintf(id, sizeof(id), "%s", task);
	fflush(stdout);
	if (n > 0 && n < PATH_MAX)
		execv(program, argv);
	snprintf(program, sizeof(program), "sophia-ask");
	execvp(program, argv);
	return err_sys(e, ERR_CONFIG, "running sophia-ask");
}

/*
 * What a turn says that only goes on: a profile without a model is asked again.
 */
static const char *
restart_text(const struct task *t)
{
	return strcmp(t->profile, "extractive") == 0 ? t->objective
						     : "Go on with this task.";
}

static int
resume(struct cli *c, struct err *e)
{
	struct task_scan scan = {0};
	struct store s = {0};
	struct task t;
	struct buf text = {0};
	int rc = open_for(c, &s, INT_MAX, e);

	cli_words(c, 1, &text);
	if (rc > 0 && (rc = task_get(&scan, &s, c->argv[0], &me, &t, e)) == 0 &&
	    !text.len)
		buf_str(&text, restart_text(&t));
	task_end(&scan);
	store_close(&s);
	if (rc == 0)
		rc = become_ask(c, c->argv[0], text.data, e);
	buf_release(&text);
	return rc;
}

static int
stop(struct cli *c, struct err *e)
{
	static const char *const words[] = {"it will stop", "cancelled",
	    "it had ended before"};
	struct store s = {0};
	int rc = open_for(c, &s, 1, e);

	if (rc > 0)
		rc = stop_task(&s, c->argv[0], &me, e);
	store_close(&s);
	if (rc < 0)
		return -1;
	if (!c->json)
		puts(words[rc]);
	return rc != STOP_OVER;
}

static int
steer(struct cli *c, struct err *e)
{
	struct store s = {0};
	struct buf text = {0};
	int rc = open_for(c, &s, INT_MAX, e);

	cli_words(c, 1, &text);
	if (!text.len)
		cli_usage(c, "what is it to do?");
	if (rc > 0)
		rc = steer_task(&s, c->argv[0], buf_text(&text), &me, e);
	store_close(&s);
	buf_release(&text);
	if (rc < 0)
		return -1;
	if (!c->json)
		puts(rc ? "it is told" : "whoever resumes it is told");
	return 1;
}

static int
forget(struct cli *c, struct err *e)
{
	struct store s = {0};
	int rc = open_for(c, &s, 1, e);

	if (rc > 0)
		rc = forget_task(&s, c->argv[0], &me, e);
	store_close(&s);
	return rc < 0 ? -1 : 1;
}

/* What a setting says is kept no longer; made for cron. */
static int
prune(struct cli *c, struct err *e)
{
	struct settings settings;
	struct store s = {0};
	int64_t days, n;

	cli_plain(c, 0, 0);
	if (settings_open(&settings, e) < 0)
		return -1;
	days = settings_int(&settings, "retention.tasks");
	settings_close(&settings);
	n = days ? open_tasks(&s, STORE_WRITE, e) : 0;
	if (n > 0)
		n = forget_before(&s, clock_now_ms() - days * DAY_MS, e);
	store_close(&s);
	if (n >= 0 && !c->json)
		printf("%d forgotten\n", (int)n);
	return n < 0 ? -1 : n > 0;
}

static int
recover(struct cli *c, struct err *e)
{
	struct recovered found = {0};
	struct store s = {0};
	int rc;

	cli_plain(c, 0, 0);
	rc = open_tasks(&s, STORE_WRITE, e);
	if (rc > 0)
		rc = recovery_run(&s, &found, e);
	store_close(&s);
	if (rc == 0 && !c->json)
		printf("%d paused, %d of their changes unknown\n",
		    (int)found.tasks, (int)found.unknown);
	return rc < 0 ? -1 : (int)found.tasks;
}

/* The tools of a task's working state, for the program that calls them. */
static int
serve(struct cli *c, struct err *e)
{
	struct store s = {0};
	bool serves = false;
	int rc;

	while (cli_option(c) != -1)
		serves = true;
	cli_args(c, 0, 0);
	if (!serves)
		cli_usage(c, "what is to be done?");
	rc = store_open(&s, "tasks", STORE_WRITE, e);
	if (rc == 0)
		rc = worktool_serve(stdin, &s, e);
	store_close(&s);
	return rc;
}

static const struct cli_option options[] = {
    {CLI_LONG, "serve", NULL, "answer calls on stdin, for programs"},
    {0},
};

static const struct cli_option list_options[] = {
    {'n', "limit", "number", "at most so many"},
    {'s', "state", "state", "running, paused, completed, cancelled or failed"},
    {0},
};

static const struct cli_verb verbs[] = {
    {"list", "[word ...]", "tasks that hold all the words, newest first",
	list_options, list},
    {"show", "task", "what was asked and done", NULL, show},
    {"export", "task", "all that is kept of it, as records", NULL, export},
    {"resume", "task [text ...]", "go on with it, in a new turn", NULL, resume},
    {"stop", "task", "stop it, or cancel it if it is paused", NULL, stop},
    {"steer", "task text ...", "correct it while it runs", NULL, steer},
    {"forget", "task", "delete it and all that is kept of it", NULL, forget},
    {"prune", NULL, "forget those older than retention.tasks, for cron", NULL,
	prune},
    {"recover", NULL, "pause the tasks whose process is gone", NULL, recover},
    {0},
};

static const struct cli_command command = {
    .name = "sophia-task",
    .purpose = "list, show, steer, stop, resume and forget tasks",
    .options = options,
    .run = serve,
    .verbs = verbs,
};

int
main(int argc, char **argv)
{
	return cli_main(&command, argc, argv);
}
