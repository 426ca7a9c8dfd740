/*
 * sophia-sandbox - run code where it can do no harm
 * stdin: code, if the file is -; stdout: what it prints, or a `result`
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "core/buf.h"
#include "core/err.h"
#include "core/file.h"
#include "store/file.h"
#include "workspace/cut.h"
#include "workspace/glance.h"
#include "workspace/hand.h"
#include "workspace/hand_import.h"
#include "workspace/hand_run.h"
#include "workspace/keeper.h"
#include "workspace/preview.h"
#include "workspace/run.h"
#include "workspace/seconds.h"
#include "workspace/stretch.h"
#include "workspace/sweep.h"
#include "workspace/toolbox.h"

enum { TIME_S = 60, OPT_TASK = CLI_LONG + 1 };

/* As it comes, to where it belongs. */
static void
on_printed(void *ctx, bool error, const char *bytes, size_t len)
{
	FILE *to = error ? stderr : stdout;

	(void)ctx;
	fwrite(bytes, 1, len, to);
	fflush(to);
}

static void
read_options(struct cli *c, struct hand_run *w)
{
	const char *language = NULL;
	int o;

	w->time_s = TIME_S;
	while ((o = cli_option(c)) != -1)
		switch (o) {
		case 'i': w->in = c->value; break;
		case 'l': language = c->value; break;
		case 'o': w->out = c->value; break;
		case OPT_TASK: w->task = c->value; break;
		case 't': w->time_s = (int)cli_int(c, 1, RUN_MOST_S); break;
		}
	cli_args(c, 1, 1);
	if (w->in && w->task)
		cli_usage(c, "its files are those of a folder or of a task");
	w->file = c->argv[0];
	w->language = language ? run_language(language)
			       : run_language_of(w->file);
	if (!w->language)
		cli_usage(c, "'%s' is none of python, javascript, shell",
		    language);
	w->printed = c->json ? NULL : on_printed;
}

static int
run(struct cli *c, struct err *e)
{
	struct hand_run w = {0};
	struct buf told = {0};
	int status, result;

	read_options(c, &w);
	result = hand_run(&told, &w, &status, e);
	if (result == 0 && c->json)
		result = cli_put(c, &told, e);
	else if (result == 0)
		fputs(buf_text(&told), stderr);
	c->told = result == 0;
	buf_release(&told);
	return result < 0 ? -1 : status == 0;
}

static int
gc(struct cli *c, struct err *e)
{
	struct sweep found = {0};

	cli_plain(c, 0, 0);
	if (sweep_all(&found, e) < 0)
		return -1;
	if (found.off)
		fputs("running code is switched off: no container is looked "
		      "for\n",
		    stderr);
	fprintf(stderr, "%d containers removed\n", found.containers);
	if (found.contents)
		fprintf(stderr, "%d files removed that nothing needed\n",
		    (int)found.contents);
	return found.containers + (int)found.contents;
}

/* ---- the files of a task ---- */

enum { WORD, TASK, PATH, HERE }; /* the arguments */

static int
files_list(struct cli *c, struct buf *b, struct err *e)
{
	int n;

	cli_args(c, TASK + 1, TASK + 1);
	n = hand_list(b, c->argv[TASK], c->json, e);
	return n > 0 && cli_out(c, b, e) < 0 ? -1 : n;
}

/* To the file that is named; else to stdout, but no bytes to a terminal. */
static int
files_get(struct cli *c, struct buf *b, int64_t version, struct err *e)
{
	const char *here = c->argc > HERE ? c->argv[HERE] : NULL;
	bool text;

	cli_args(c, PATH + 1, HERE + 1);
	if (hand_get(b, c->argv[TASK], c->argv[PATH], version, &text, e) < 0)
		return -1;
	if (here && strcmp(here, "-") != 0)
		return file_replace(here, buf_text(b), b->len, e) < 0 ? -1 : 1;
	if (!here && c->tty && !text)
		return err_set(e, ERR_INPUT,
		    "it is no text: name a file to put it in, or - for here");
	if (!here && c->tty)
		cli_print(buf_text(b));
	else if (fwrite(buf_text(b), 1, b->len, stdout) < b->len ||
		 fflush(stdout) != 0)
		return err_sys(e, ERR_IO, "stdout");
	return 1;
}

static int
files_put(struct cli *c, struct buf *b, struct err *e)
{
	const char *here = c->argc > HERE ? c->argv[HERE] : "-";
	struct buf bytes = {.limit = FILE_BYTES_MOST};
	int rc;

	cli_args(c, PATH + 1, HERE + 1);
	if (strcmp(here, "-") == 0)
		rc = file_read_fd(&bytes, STDIN_FILENO, "stdin", ERR_IO, e);
	else
		rc = file_read(&bytes, here, e);
	if (rc > 0 || (rc < 0 && bytes.len >= bytes.limit))
		rc = err_set(e, ERR_REFUSED, "a file of more than %d MiB",
		    FILE_BYTES_MOST >> 20);
	if (rc == 0)
		rc = hand_put(b, c->argv[TASK], c->argv[PATH], buf_text(&bytes),
		    bytes.len, e);
	buf_release(&bytes);
	if (rc == 0 && c->json)
		rc = cli_put(c, b, e);
	return rc < 0 ? -1 : 1;
}

static int
files_rm(struct cli *c, struct err *e)
{
	cli_args(c, PATH + 1, INT_MAX);
	return hand_remove(c->argv[TASK], c->argv + PATH, c->argc - PATH, e);
}

static int
files(struct cli *c, struct err *e)
{
	const char *word;
	struct buf b = {0};
	int64_t version = 0;
	int n = -1;

	while (cli_option(c) != -1)
		version = cli_int(c, -1000000, 1000000);
	cli_args(c, TASK + 1, INT_MAX);
	word = c->argv[WORD];
	if (strcmp(word, "list") == 0)
		n = files_list(c, &b, e);
	else if (strcmp(word, "get") == 0)
		n = files_get(c, &b, version, e);
	else if (strcmp(word, "put") == 0)
		n = files_put(c, &b, e);
	else if (strcmp(word, "rm") == 0)
		n = files_rm(c, e);
	else
		cli_usage(c, "'%s' is none of list, get, put, rm", word);
	buf_release(&b);
	return n;
}

/* An attachment of a message in Discord becomes such a file. */
static int
import(struct cli *c, struct err *e)
{
	struct hand_import w = {0};
	struct buf b = {0};
	int result;

	while (cli_option(c) != -1)
		w.link = c->value;
	cli_args(c, 3, 3);
	w.task = c->argv[0];
	w.attachment = c->argv[1];
	w.path = c->argv[2];
	result = hand_import(&b, &w, e);
	if (result == 0 && c->json)
		result = cli_put(c, &b, e);
	buf_release(&b);
	return result < 0 ? -1 : 1;
}

static int
spare(struct cli *c, struct err *e)
{
	cli_plain(c, 0, 0);
	if (isatty(STDERR_FILENO))
		fputs("a container is kept ready until this is interrupted\n",
		    stderr);
	return keeper_run(e);
}

/* c->value in milliseconds. */
static int64_t
seconds(const struct cli *c)
{
	struct err why = {0};
	int64_t ms = 0;

	if (seconds_read(&ms, c->value, &why) < 0)
		cli_usage(c, "%s", why.text);
	return ms;
}

static int
cut(struct cli *c, struct err *e)
{
	int64_t start_ms = 0, length_ms = CUT_MOST_MS;
	int o;

	while ((o = cli_option(c)) != -1)
		if (o == 's')
			start_ms = seconds(c);
		else
			length_ms = seconds(c);
	cli_args(c, 2, 2);
	if (c->tty)
		cli_usage(c, "sound is not for a terminal: send it to a file");
	return stretch_write(STDOUT_FILENO, c->argv[0], c->argv[1], start_ms,
		   length_ms, e) < 0
		   ? -1
		   : 1;
}

static int
inspect(struct cli *c, struct err *e)
{
	struct glance g = {.folder = "."};
	struct buf record = {0};
	int o, made;

	while ((o = cli_option(c)) != -1)
		if (o == 'o')
			g.folder = c->value;
		else if (g.times < PREVIEW_MOST)
			g.at_ms[g.times++] = seconds(c);
		else
			cli_usage(c, "at most %d times", PREVIEW_MOST);
	cli_args(c, 1, g.times ? 1 : PREVIEW_MOST);
	g.paths = c->argv;
	g.count = (size_t)c->argc;
	made = glance_make(&g, &record, c->json, e);
	if (made >= 0 && cli_out(c, &record, e) < 0)
		made = -1;
	buf_release(&record);
	return made;
}

static int
serve(struct cli *c, struct err *e)
{
	bool serves = false;

	while (cli_option(c) != -1)
		serves = true;
	cli_args(c, 0, 0);
	if (!serves)
		cli_usage(c, "what is to be done?");
	return toolbox_serve(STDIN_FILENO, e);
}

static const struct cli_option options[] = {
    {CLI_LONG, "serve", NULL, "answer calls on stdin, for programs"},
    {0},
};

static const struct cli_option run_options[] = {
    {'i', "in", "folder", "the files that the code finds"},
    {'l', "language", "language",
	"python, javascript or shell; else by the name"},
    {'o', "out", "folder", "where files go that it changed or attached"},
    {OPT_TASK, "task", "task", "the code finds copies of its files"},
    {'t', "time", "seconds", "how long it may run (60; at most 300)"},
    {0},
};

static const struct cli_option files_options[] = {
    {'n', "number", "version", "this one of an artifact; from the end if < 0"},
    {0},
};

static const struct cli_option cut_options[] = {
    {'s', "start", "seconds", "where it begins (0)"},
    {'n', "length", "seconds", "how long it is (180, which is the most)"},
    {0},
};

static const struct cli_option import_options[] = {
    {'m', "message", "link", "of its message; else the index is searched"},
    {0},
};

static const struct cli_option inspect_options[] = {
    {'a', "at", "seconds", "a frame of a video, at that time; again for more"},
    {'o', "out", "folder", "where the copies go (.)"},
    {0},
};

static const struct cli_verb verbs[] = {
    {"run", "file", "run code from a file, or from stdin (-)", run_options,
	run},
    {"files", "list|get|put|rm task [path [file]]", "the files of a task",
	files_options, files},
    {"inspect", "file ...", "what a model is shown of pictures, or of a video",
	inspect_options, inspect},
    {"cut", "task path", "a stretch of a task's recording, as WAV on stdout",
	cut_options, cut},
    {"import", "task attachment path", "a file of Discord's into a task",
	import_options, import},
    {"gc", NULL, "remove what dead programs left", NULL, gc},
    {"spare", NULL, "keep a container ready for the next run", NULL, spare},
    {0},
};

static const struct cli_command command = {
    .name = "sophia-sandbox",
    .purpose = "run code where it can do no harm",
    .options = options,
    .run = serve,
    .verbs = verbs,
    .notes =
	"Code runs in a container without network, which is gone when the\n"
	"command ends. It is off until sandbox.enabled is on.\n",
};

int
main(int argc, char **argv)
{
	return cli_main(&command, argc, argv);
}
