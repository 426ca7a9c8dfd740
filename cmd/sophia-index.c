/*
 * sophia-index - fill, check and copy the index of messages.
 *
 * import   stdin: an archive, if told so; stdout: a `summary` a file
 * export   stdout: a `message` each
 * status   stdout: one `index`, and a `channel` each
 * verify   stdout: a `finding` each, the last for all of it
 * follow   stdin: an `event` a line, if told so
 * delete, purge  stdout: a `purge`
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/index_text.h"
#include "cli/progress.h"
#include "core/buf.h"
#include "core/clock.h"
#include "core/id.h"
#include "core/log.h"
#include "history/follow.h"
#include "history/import.h"
#include "history/walk.h"
#include "record/index_status.h"
#include "record/purge_status.h"
#include "record/summary.h"
#include "store/base.h"
#include "store/dump.h"
#include "store/health.h"
#include "store/purge.h"
#include "store/rebuild.h"
#include "store/survey.h"
#include "store/tombstone.h"
#include "store/verify.h"

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
show_import(void *ctx, const struct summary *s, int64_t total)
{
	struct job *j = ctx;

	progress_show(&j->progress, s->file, summary_messages(s), s->bytes,
	    total);
}

static void
show_rebuild(void *ctx, int64_t done, int64_t last)
{
	struct job *j = ctx;

	progress_show(&j->progress, "rebuild", done, done, last);
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
	if (j->cli->json)
		summary_write(&j->out, &sum);
	else
		index_text_summary(&j->out, &sum);
	return cli_out(j->cli, &j->out, e);
}

static void
import_options(struct cli *c, struct archive *a, bool *resume)
{
	int option;

	while ((option = cli_option(c)) != -1)
		if (option == 'r')
			*resume = true;
		else if (option == 'f' &&
			 !archive_format_read(&a->format, c->value))
			cli_usage(c,
			    "--format can't be '%s': it is any, export, "
			    "discord or records",
			    c->value);
		else if (option == 'g' &&
			 snowflake_read(&a->guild, c->value) < 0)
			cli_usage(c, "'%s' is not the id of a guild", c->value);
}

static int64_t
rebuild(struct job *j, struct err *e)
{
	int64_t n;

	progress_start(&j->progress);
	n = rebuild_run(&j->base, show_rebuild, j, e);
	progress_end(&j->progress);
	return n;
}

/* Open the index for an import; one made by another analyzer is rebuilt. */
static int
open_import(struct job *j, struct err *e)
{
	int result;

	if (store_open(&j->base, "messages", STORE_WRITE, e) < 0)
		return -1;
	result = import_open(&j->import, &j->base, e);
	if (result <= 0)
		return result;
	log_warn("the analysis of text has changed: rebuilding the index");
	return rebuild(j, e) < 0 ? -1 : 0;
}

static int
close_job(struct job *j, int result)
{
	store_close(&j->base);
	buf_release(&j->out);
	return result;
}

static int
run_import(struct cli *c, struct err *e)
{
	struct job j = {.cli = c, .import.progress = show_import};
	int result;

	j.import.ctx = &j;
	import_options(c, &j.import.archive, &j.import.resume);
	if (!c->argc && isatty(STDIN_FILENO))
		cli_usage(c, "which files are to be read? - is stdin");
	result = open_import(&j, e);
	if (result == 0)
		result = c->argc ? walk(c->argv, c->argc, import_one, &j, e)
				 : import_one(&j, "-", e);
	if (result == 0 && j.bad)
		result = err_set(e, ERR_INPUT,
		    "not all of it could be imported");
	import_close(&j.import);
	return close_job(&j, result < 0 ? -1 : j.messages > 0);
}

static int
dump_channel(struct job *j, uint64_t channel, struct err *e)
{
	struct dump d = {.db = &j->base.db, .only = channel};
	int n;

	while ((n = dump_page(&d, &j->out, e)) > 0 &&
	       cli_put(j->cli, &j->out, e) == 0)
		j->messages += n;
	dump_release(&d);
	return n ? -1 : 0;
}

static int
dump_all(struct job *j, struct err *e)
{
	struct cli *c = j->cli;
	uint64_t channel = 0; /* all */
	int i = 0;

	do {
		if (i < c->argc && snowflake_read(&channel, c->argv[i]) < 0)
			cli_usage(c,
			    "'%s' is not the id of a channel; see "
			    "sophia index status -c",
			    c->argv[i]);
		if (dump_channel(j, channel, e) < 0)
			return -1;
	} while (++i < c->argc);
	return 0;
}

static int
run_export(struct cli *c, struct err *e)
{
	struct job j = {.cli = c};
	int result;

	cli_plain(c, 0, INT_MAX);
	result = store_open_index(&j.base, STORE_READ, e);
	if (result == 0)
		result = dump_all(&j, e);
	return close_job(&j, result < 0 ? -1 : j.messages > 0);
}

static int
put_status(struct job *j, struct err *e)
{
	struct index_status s = {0};
	char path[PATH_MAX];

	if (survey_all(&j->base, &s, path, e) < 0)
		return -1;
	j->messages = s.messages;
	if (j->cli->json)
		index_status_write(&j->out, &s);
	else
		index_text_status(&j->out, &s);
	return cli_out(j->cli, &j->out, e);
}

/* Said when all is read: no view stays open while a pipe is written. */
static int
put_channels(struct job *j, struct err *e)
{
	struct index_channel c = {0};
	struct survey survey = {0};
	int row;

	while ((row = survey_channel(&survey, &j->base.db, &c, e)) > 0) {
		if (j->cli->json)
			index_channel_write(&j->out, &c);
		else
			index_text_channel(&j->out, &c);
	}
	survey_release(&survey);
	return row < 0 ? -1 : cli_out(j->cli, &j->out, e);
}

static int
run_status(struct cli *c, struct err *e)
{
	struct job j = {.cli = c};
	bool channels = false;
	int option, result;

	while ((option = cli_option(c)) != -1)
		channels |= option == 'c';
	cli_args(c, 0, 0);
	result = store_open_index(&j.base, STORE_READ, e);
	if (result == 0)
		result = put_status(&j, e);
	if (result == 0 && channels)
		result = put_channels(&j, e);
	return close_job(&j, result < 0 ? -1 : j.messages > 0);
}

static void
put_finding(void *ctx, const struct finding *f)
{
	struct job *j = ctx;

	if (j->cli->json)
		health_write(&j->out, f);
	else
		buf_fmt(&j->out, "%s\n", f->text);
}

static int
run_verify(struct cli *c, struct err *e)
{
	struct job j = {.cli = c};
	struct verify_count n = {0};
	int result;

	cli_plain(c, 0, 0);
	result = store_open_index(&j.base, STORE_READ, e);
	if (result == 0)
		result = verify_run(&j.base.db, &n, put_finding, &j, e);
	if (result == 0)
		result = cli_out(c, &j.out, e);
	return close_job(&j, result < 0 ? -1 : n.problems == 0);
}

/* Do what changes all of the index, and say how it is then. */
static int
run_job(struct cli *c, int64_t (*work)(struct job *j, struct err *e),
    struct err *e)
{
	struct job j = {.cli = c};
	int result = store_open_index(&j.base, STORE_WRITE, e);

	if (result == 0 && work(&j, e) < 0)
		result = -1;
	if (result == 0)
		result = put_status(&j, e);
	return close_job(&j, result < 0 ? -1 : 1);
}

static int64_t
rebuild_all(struct job *j, struct err *e)
{
	return rebuild_mark(&j->base, e) < 0 ? -1 : rebuild(j, e);
}

static int
run_rebuild(struct cli *c, struct err *e)
{
	cli_plain(c, 0, 0);
	return run_job(c, rebuild_all, e);
}

static int64_t
reset_all(struct job *j, struct err *e)
{
	return rebuild_reset(&j->base, e);
}

static int
run_reset(struct cli *c, struct err *e)
{
	bool yes = false;
	int option;

	while ((option = cli_option(c)) != -1)
		yes |= option == 'y';
	cli_args(c, 0, 0);
	if (!yes && !cli_agreed("Remove every message from the index?"))
		return err_set(e, ERR_APPROVAL,
		    "nothing was removed: say --yes");
	return run_job(c, reset_all, e);
}

static int
run_follow(struct cli *c, struct err *e)
{
	struct follow f;
	bool once = false;
	int option, result;

	while ((option = cli_option(c)) != -1)
		once |= option == 'o';
	cli_args(c, 0, 1);
	if (c->argc && strcmp(c->argv[0], "-") != 0)
		cli_usage(c, "'%s' is not -, which is stdin", c->argv[0]);
	result = follow_open(&f, e);
	if (result == 0)
		result = c->argc ? follow_pipe(&f, STDIN_FILENO, e)
				 : follow_run(&f, once, e);
	follow_close(&f);
	return result < 0 ? -1 : f.told > 0;
}

/* Carry all deletions through, and say what waits still: 1 if nothing does. */
static int
finish_purge(struct cli *c, struct err *e)
{
	struct purge_status status;
	struct buf out = {0};
	int64_t left = purge_all(e) < 0 ? -1 : purge_count(&status, e);

	if (left < 0)
		return -1;
	if (c->json)
		purge_status_write(&out, &status);
	else
		index_text_purge(&out, &status);
	if (cli_out(c, &out, e) < 0)
		left = -1;
	buf_release(&out);
	return left < 0 ? -1 : left == 0;
}

static int
run_purge(struct cli *c, struct err *e)
{
	cli_plain(c, 0, 0);
	return finish_purge(c, e);
}

/* What a person names: an id, or for a message its link. */
static void
bury(struct cli *c, struct graves *g, enum grave_kind kind, const char *text)
{
	struct grave one = {.kind = kind, .at_ms = clock_now_ms()};
	uint64_t channel;

	if (snowflake_read(&one.id, text) < 0 &&
	    (kind != GRAVE_MESSAGE || !tombstone_ids(text, &channel, &one.id)))
		cli_usage(c, "'%s' is not the id of a %s", text,
		    grave_word(kind));
	graves_add(g, &one);
}

static int
run_delete(struct cli *c, struct err *e)
{
	enum grave_kind kind = GRAVE_MESSAGE;
	struct graves graves = {0};
	bool yes = false;
	int option, result = -1;

	while ((option = cli_option(c)) != -1) {
		yes |= option == 'y';
		kind = option == 'c' ? GRAVE_CHANNEL : kind;
	}
	cli_args(c, 1, INT_MAX);
	for (int i = 0; i < c->argc; i++)
		bury(c, &graves, kind, c->argv[i]);
	if (!yes && !cli_agreed("Delete it, and all that was made of it?"))
		err_set(e, ERR_APPROVAL, "nothing was deleted: say --yes");
	else if (tombstones_note(&graves, true, e) == 0)
		result = finish_purge(c, e);
	graves_release(&graves);
	return result;
}

static const struct cli_option delete_table[] = {
    {'c', "channels", NULL, "they are channels or threads, not messages"},
    {'y', "yes", NULL, "do not ask"},
    {0},
};

static const struct cli_option import_table[] = {
    {'f', "format", "format", "any, export, discord or records"},
    {'g', "guild", "id", "the guild of messages that don't tell theirs"},
    {'r', "resume", NULL, "begin where it stopped, skip what is done"},
    {0},
};

static const struct cli_option status_table[] = {
    {'c', "channels", NULL, "a line for each channel"}, {0}};

static const struct cli_option follow_table[] = {
    {'o', "once", NULL, "end when all that is there was read"}, {0}};

static const struct cli_option reset_table[] = {
    {'y', "yes", NULL, "do not ask"}, {0}};

static const struct cli_verb verbs[] = {
    {"import", "[file | folder | -] ...", "read chat archives", import_table,
	run_import},
    {"export", "[channel] ...", "write messages, of these channels or all",
	NULL, run_export},
    {"follow", "[-]", "keep it current with Discord", follow_table, run_follow},
    {"delete", "id ...", "delete messages for good", delete_table, run_delete},
    {"purge", NULL, "carry deletions through, and say what is left", NULL,
	run_purge},
    {"status", NULL, "say what the index holds", status_table, run_status},
    {"verify", NULL, "check that its parts agree", NULL, run_verify},
    {"rebuild", NULL, "make its words anew", NULL, run_rebuild},
    {"reset", NULL, "remove every message", reset_table, run_reset},
    {0},
};

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
