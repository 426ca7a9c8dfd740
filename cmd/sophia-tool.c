/*
 * sophia-tool - list, show and check tools, and run one by hand
 * stdin: the arguments of run; stdout: tools, or what one gives; with --serve
 * calls in, results out
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "core/buf.h"
#include "core/err.h"
#include "core/file.h"
#include "core/filter.h"
#include "tool/builtin.h"
#include "tool/fault.h"
#include "tool/run.h"
#include "tool/show.h"
#include "tool/sift.h"
#include "tool/toolset.h"

enum { OPT_SERVE = CLI_LONG, OPT_SIFT };

static int
list(struct cli *c, struct err *e)
{
	struct toolset tools;
	struct buf b = {0};
	int count = -1;

	cli_plain(c, 0, 0);
	if (toolset_load(&tools, e) < 0)
		return -1;
	for (size_t i = 0; i < tools.count; i++) {
		if (c->json)
			show_record(&b, &tools.tools[i], false);
		else
			show_line(&b, &tools.tools[i]);
	}
	if (cli_out(c, &b, e) == 0)
		count = (int)tools.count;
	buf_release(&b);
	toolset_release(&tools);
	return count;
}

static int
no_such_tool(const char *name, struct err *e)
{
	return err_set(e, ERR_INPUT,
	    "there is no tool %.80s; see sophia tool list", name);
}

static int
show(struct cli *c, struct err *e)
{
	const struct manifest *m;
	struct toolset tools;
	struct buf b = {0};
	int result = -1;

	cli_plain(c, 1, 1);
	if (toolset_load(&tools, e) < 0)
		return -1;
	m = toolset_find(&tools, c->argv[0]);
	if (!m) {
		no_such_tool(c->argv[0], e);
	} else {
		if (c->json)
			show_record(&b, m, true);
		else
			show_text(&b, m);
		result = cli_out(c, &b, e) < 0 ? -1 : 1;
	}
	buf_release(&b);
	toolset_release(&tools);
	return result;
}

static int
check(struct cli *c, struct err *e)
{
	struct faults f = {0};
	struct buf b = {0};
	int good, result = -1;

	cli_plain(c, 0, INT_MAX);
	good = toolset_check(&f, (const char *const *)c->argv, c->argc, e);
	if (good >= 0) {
		if (c->json)
			show_check(&b, &f, good);
		else
			buf_fmt(&b, "%s%d tools can be used, %zu faults\n",
			    buf_text(&f.text), good, f.count);
		result = cli_out(c, &b, e);
	}
	if (result == 0 && f.count)
		result = err_set(e, ERR_CONFIG, "%zu faults", f.count);
	buf_release(&b);
	fault_release(&f);
	return result < 0 ? -1 : 1;
}

static int
put(void *ctx, struct buf *record, const char *text, struct err *e)
{
	struct cli *c = ctx;

	if (c->json)
		return cli_put(c, record, e);
	cli_print(text);
	return 0;
}

static int
read_stdin(struct buf *b, struct err *e)
{
	int rest = file_read_fd(b, STDIN_FILENO, "reading stdin", ERR_IO, e);

	return rest > 0 ? err_set(e, ERR_INPUT, "stdin is too long") : rest;
}

/* The arguments: the last word, else stdin, else none. */
static int
read_arguments(struct buf *b, const struct cli *c, struct err *e)
{
	if (c->argc > 1 && strcmp(c->argv[1], "-") != 0)
		buf_str(b, c->argv[1]);
	else if (c->argc > 1 || !isatty(STDIN_FILENO))
		return read_stdin(b, e);
	return 0;
}

static int
run(struct cli *c, struct err *e)
{
	const char *task = NULL;
	struct toolset tools;
	struct buf arguments = {.limit = FILTER_LINE_MAX};
	const struct manifest *m;
	int result = -1, o;

	while ((o = cli_option(c)) != -1)
		if (o == 't')
			task = c->value;
	cli_args(c, 1, 2);
	if (toolset_load(&tools, e) < 0)
		return -1;
	m = toolset_find(&tools, c->argv[0]);
	if (!m)
		no_such_tool(c->argv[0], e);
	else if (read_arguments(&arguments, c, e) == 0)
		result = run_tool(m, buf_text(&arguments), arguments.len, task,
		    put, c, e);
	buf_release(&arguments);
	toolset_release(&tools);
	return result;
}

static int
serve(struct cli *c, struct err *e)
{
	int o, what = 0;

	while ((o = cli_option(c)) != -1)
		what = o;
	cli_args(c, 0, 0);
	if (what == OPT_SIFT)
		sift_child();
	if (what != OPT_SERVE)
		cli_usage(c, "what is to be done?");
	return builtin_serve(STDIN_FILENO, e);
}

static const struct cli_option run_options[] = {
    {'t', "task", "task", "make the call as one of this task"},
    {0},
};

static const struct cli_option serve_options[] = {
    {OPT_SERVE, "serve", NULL, "answer the calls on stdin"},
    {OPT_SIFT, "sift", NULL, NULL},
    {0},
};

static const struct cli_verb verbs[] = {
    {"list", NULL, "all tools, by name", NULL, list},
    {"show", "name", "one tool with its arguments", NULL, show},
    {"check", "[file ...]", "say all that is wrong with manifests", NULL,
	check},
    {"run", "name [arguments]", "make one call, with arguments as JSON",
	run_options, run},
    {0},
};

static const struct cli_command command = {
    .name = "sophia-tool",
    .purpose = "list, show and check tools, and run one by hand",
    .options = serve_options,
    .run = serve,
    .verbs = verbs,
    .notes =
	"Tools are described by the files in share/tools and in the state\n"
	"folder's tools/, see sophia-tool(5).\n",
};

int
main(int argc, char **argv)
{
	return cli_main(&command, argc, argv);
}
