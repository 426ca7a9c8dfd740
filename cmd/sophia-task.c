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
#include "core/err.h"
#include "core/home.h"
#include "runtime/settle.h"
#include "runtime/tend.h"
#include "store/base.h"
#include "store/recovery.h"
#include "store/stop.h"
#include "store/task.h"
#include "tool/worktool.h"

/* The id of the task that a verb is about; at most so many words come. */
static const char *
the_task(struct cli *c, int most)
{
	cli_plain(c, 1, most);
	return c->argv[0];
}

static int
list(struct cli *c, struct err *e)
{
	struct task_filter f = {0};
	struct buf words = {0}, b = {0};
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
	n = tend_list(&b, &f, c->json, e);
	if (n > 0 && cli_out(c, &b, e) < 0)
		n = -1;
	buf_release(&words);
	buf_release(&b);
	return n;
}

static int
show(struct cli *c, struct err *e)
{
	const char *task = the_task(c, 1);
	struct buf b = {0};
	int rc = tend_show(&b, task, c->json, e);

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
	bool contents = true;

	while (cli_option(c) != -1)
		contents = false;
	cli_args(c, 1, 1);
	return tend_export(c->argv[0], contents, put_lines, c, e) < 0 ? -1 : 1;
}

/* Become `sophia-ask --task ID TEXT`, which says all there is to say. */
static int
become_ask(const struct cli *c, const char *task, const char *mode, char *text,
    struct err *e)
{
	char program[PATH_MAX], id[64], approve[64], end[] = "--";
	char json[] = "--json", as_text[] = "--text";
	char *argv[] = {program, id, approve, c->json ? json : as_text, end,
	    text, NULL};
	int n = snprintf(program, sizeof(program), "%s/sophia-ask", home_bin());

	snprintf(id, sizeof(id), "--task=%s", task);
	snprintf(approve, sizeof(approve), "--approve=%s", mode);
	fflush(stdout);
	if (n > 0 && n < PATH_MAX)
		execv(program, argv);
	snprintf(program, sizeof(program), "sophia-ask");
	execvp(program, argv);
	return err_sys(e, ERR_CONFIG, "running sophia-ask");
}

static int
resume(struct cli *c, struct err *e)
{
	const char *task, *mode = "ask";
	struct buf text = {0};
	int rc;

	while (cli_option(c) != -1)
		mode = c->value;
	cli_args(c, 1, INT_MAX);
	task = c->argv[0];
	cli_words(c, 1, &text);
	rc = tend_resume(&text, task, e);
	if (rc == 0)
		rc = become_ask(c, task, mode, text.data, e);
	buf_release(&text);
	return rc;
}

static int
stop(struct cli *c, struct err *e)
{
	static const char *const words[] = {"it will stop", "cancelled",
	    "it had ended before"};
	int rc = tend_stop(the_task(c, 1), e);

	if (rc < 0)
		return -1;
	if (!c->json)
		puts(words[rc]);
	return rc != STOP_OVER;
}

static int
steer(struct cli *c, struct err *e)
{
	const char *task = the_task(c, INT_MAX);
	struct buf text = {0};
	int rc;

	cli_words(c, 1, &text);
	if (!text.len)
		cli_usage(c, "what is it to do?");
	rc = tend_steer(task, buf_text(&text), e);
	buf_release(&text);
	if (rc < 0)
		return -1;
	if (!c->json)
		puts(rc ? "it is told" : "whoever resumes it is told");
	return 1;
}

/* For a person without the data, which are the line below the words. */
static int
put_found(void *ctx, struct buf *record, const char *text, struct err *e)
{
	const char *data = text, *line;
	struct cli *c = ctx;
	struct buf words = {0};

	if (c->json)
		return cli_put(c, record, e);
	while ((line = strstr(data, "\n{")))
		data = line + 1;
	buf_add(&words, text,
	    data > text ? (size_t)(data - text) : strlen(text));
	cli_print(buf_text(&words));
	buf_release(&words);
	return 0;
}

static int
verify(struct cli *c, struct err *e)
{
	return settle_verify(the_task(c, 1), put_found, c, e);
}

static int
attest(struct cli *c, struct err *e)
{
	struct buf text = {0};
	bool happened;
	int rc;

	cli_plain(c, 3, INT_MAX);
	happened = strcmp(c->argv[1], "happened") == 0;
	if (!happened && strcmp(c->argv[1], "not") != 0)
		cli_usage(c, "has it happened, or not?");
	cli_words(c, 2, &text);
	rc = settle_attest(c->argv[0], happened, buf_text(&text), e);
	buf_release(&text);
	if (rc < 0)
		return -1;
	if (!c->json)
		puts("it is on record");
	return 1;
}

static int
collaborate(struct cli *c, struct err *e)
{
	bool may = true;
	int rc;

	while (cli_option(c) != -1)
		may = false;
	cli_args(c, 2, 2);
	rc = tend_collaborate(c->argv[0], c->argv[1], may, e);
	if (rc >= 0 && !c->json)
		puts(may ? "they may correct it" : "they may not correct it");
	return rc;
}

static int
handoff(struct cli *c, struct err *e)
{
	cli_plain(c, 2, 2);
	if (tend_handoff(c->argv[0], c->argv[1], e) < 0)
		return -1;
	if (!c->json)
		puts("it is there now, for its owner alone");
	return 1;
}

static int
forget(struct cli *c, struct err *e)
{
	return tend_forget(the_task(c, 1), e) < 0 ? -1 : 1;
}

static int
prune(struct cli *c, struct err *e)
{
	int64_t n;

	cli_plain(c, 0, 0);
	n = tend_prune(e);
	if (n >= 0 && !c->json)
		printf("%d forgotten\n", (int)n);
	return n < 0 ? -1 : n > 0;
}

static int
recover(struct cli *c, struct err *e)
{
	struct recovered found = {0};

	cli_plain(c, 0, 0);
	if (tend_recover(&found, e) < 0)
		return -1;
	if (!c->json)
		printf("%d paused, %d of their changes unknown\n",
		    (int)found.tasks, (int)found.unknown);
	return (int)found.tasks;
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
		rc = worktool_serve(STDIN_FILENO, &s, e);
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

static const struct cli_option export_options[] = {
    {'b', "brief", NULL, "not what its files hold"},
    {0},
};

static const struct cli_option resume_options[] = {
    {'a', "approve", "mode",
	"changes: ask (default), auto as granted, or deny"},
    {0},
};

static const struct cli_option collaborate_options[] = {
    {'r', "remove", NULL, "they may no longer"},
    {0},
};

static const struct cli_verb verbs[] = {
    {"list", "[word ...]", "tasks that hold all the words, newest first",
	list_options, list},
    {"show", "task", "what was asked and done", NULL, show},
    {"export", "task", "all that is kept of it, as records", export_options,
	export},
    {"resume", "task [text ...]", "go on with it, in a new turn",
	resume_options, resume},
    {"stop", "task", "stop it, or cancel it if it is paused", NULL, stop},
    {"steer", "task text ...", "correct it while it runs", NULL, steer},
    {"verify", "call", "see whether a change has happened", NULL, verify},
    {"attest", "call happened|not text ...", "put on record what you saw of it",
	NULL, attest},
    {"collaborate", "task user", "let a user correct a public task",
	collaborate_options, collaborate},
    {"handoff", "task place", "move it to another place, for its owner alone",
	NULL, handoff},
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
