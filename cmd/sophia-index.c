/*
 * sophia-index - fill, check and copy the index of messages.
 *
 * import   stdin: an archive, if told so; stdout: a `summary` a file
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/progress.h"
#include "core/buf.h"
#include "core/id.h"
#include "core/log.h"
#include "history/import.h"
#include "history/walk.h"
#include "record/summary.h"
#include "store/base.h"

struct job {
	struct cli *cli;
	struct store base;
	struct import import;
	struct progress_bar progress;
	struct buf out;
	int64_t messages;
	int bad; /* files or objects that could not be read */
};

static void
show_progress(void *ctx, const struct summary *s, int64_t total)
{
	struct job *j = ctx;
	struct progress_state state = {
	    .name = s->file,
	    .unit = "messages",
	    .count = summary_messages(s),
	    .done = s->bytes,
	    .total = total,
	};

	progress_show(&j->progress, &state);
}

static void
print_count(const char *word, int64_t n)
{
	char text[PROGRESS_NUMBER];

	progress_number(text, n);
	printf(", %s %s", text, word);
}

static void
print_summary(const struct summary *s)
{
	char text[PROGRESS_NUMBER];

	cli_print(s->file);
	if (s->before) {
		printf(": read before\n");
		return;
	}
	progress_number(text, s->added);
	printf(": %s new", text);
	print_count("changed", s->changed);
	print_count("unchanged", s->unchanged);
	for (int i = 0; i < SKIP_KINDS; i++)
		if (s->skipped[i])
			print_count(summary_skip_word((unsigned)i),
			    s->skipped[i]);
	printf("\n");
}

static int
put_summary(struct job *j, const struct summary *s, struct err *e)
{
	if (!j->cli->json) {
		print_summary(s);
		return 0;
	}
	summary_write(&j->out, s);
	return cli_put(j->cli, &j->out, e);
}

/* Import a file; what is wrong with it doesn't keep us from the next. */
static int
import_one(void *ctx, const char *path, struct err *e)
{
	struct job *j = ctx;
	struct summary sum;
	struct err why = {0};
	int result;

	progress_start(&j->progress);
	result = import_file(&j->import, path, &sum, &why);
	progress_end(&j->progress);
	j->messages += summary_messages(&sum);
	if (result < 0) {
		j->bad++;
		if (why.kind != ERR_INPUT) {
			*e = why;
			return -1;
		}
		log_complain(&why);
	}
	if (sum.first.kind) {
		j->bad++;
		err_in(&sum.first, "%s", path);
		log_complain(&sum.first);
	}
	return put_summary(j, &sum, e);
}

static void
read_format(struct job *j)
{
	static const char *const names[] = {"any", "export", "discord",
	    "records"};

	for (unsigned i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strcmp(j->cli->value, names[i]) == 0) {
			j->import.archive.format = i;
			return;
		}
	cli_usage(j->cli, "format: any, export, discord or records, not %s",
	    j->cli->value);
}

static void
import_options(struct job *j)
{
	int c;

	while ((c = cli_option(j->cli)) != -1)
		switch (c) {
		case 'f': read_format(j); break;
		case 'g':
			if (snowflake_read(&j->import.archive.guild,
				j->cli->value) < 0)
				cli_usage(j->cli, "guild: not an id: %s",
				    j->cli->value);
			break;
		case 'r': j->import.resume = true; break;
		}
}

static int
import_all(struct job *j, struct err *e)
{
	struct cli *c = j->cli;

	for (int i = 0; i < c->argc; i++)
		if (walk(c->argv[i], import_one, j, e) < 0)
			return -1;
	return c->argc ? 0 : import_one(j, "-", e);
}

static int
run_import(struct cli *c, struct err *e)
{
	struct job j = {.cli = c, .import.progress = show_progress};
	int result;

	j.import.ctx = &j;
	import_options(&j);
	result = store_open(&j.base, "messages", STORE_WRITE, e);
	if (result == 0)
		result = import_open(&j.import, &j.base, e);
	if (result == 0)
		result = import_all(&j, e);
	if (result == 0 && j.bad)
		result = err_set(e, ERR_INPUT,
		    "not all of it could be imported");
	import_close(&j.import);
	store_close(&j.base);
	buf_release(&j.out);
	return result < 0 ? -1 : j.messages > 0;
}

static const struct cli_option import_table[] = {
    {'f', "format", "format", "any, export, discord or records"},
    {'g', "guild", "id", "the guild of messages that don't tell theirs"},
    {'r', "resume", NULL, "begin where it stopped, skip what is done"}, {0}};

static const struct cli_verb verbs[] = {{"import", "[file | folder | -] ...",
					    "read chat archives", import_table,
					    run_import},
    {0}};

static const struct cli_command command = {
    .name = "sophia-index",
    .purpose = "fill, check and copy the index of messages",
    .verbs = verbs,
};

int
main(int argc, char **argv)
{
	return cli_main(&command, argc, argv);
}
