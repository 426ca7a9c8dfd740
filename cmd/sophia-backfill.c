/*
 * sophia-backfill - fetch the history of Discord channels into the index
 * stdout: a `page` for each that was stored
 */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/progress.h"
#include "core/buf.h"
#include "core/clock.h"
#include "core/err.h"
#include "core/id.h"
#include "core/log.h"
#include "core/start.h"
#include "history/crawl.h"
#include "history/crawl_text.h"
#include "store/settings.h"

enum { OPT_WAIT = CLI_LONG, AGAIN_MS = 60000 };

struct backfill {
	struct cli *cli;
	struct crawl crawl;
	struct progress_bar progress;
	struct buf out;
	enum crawl_scope scope;
	uint64_t since;
	bool wait;
	int64_t pages;
};

static int
on_told(void *ctx, const struct crawl_news *news, struct err *e)
{
	struct backfill *b = ctx;
	const struct crawl *c = &b->crawl;
	char text[96];

	crawl_text_progress(text, sizeof(text), c);
	progress_show(&b->progress, text, c->messages,
	    (int64_t)(1000 * c->done_share), 1000 * c->channels);
	if (!news || !b->cli->json)
		return 0;
	crawl_text_page(&b->out, news);
	return cli_put(b->cli, &b->out, e);
}

static int
sum_up(struct backfill *b, struct err *e)
{
	if (b->cli->json)
		return 0;
	crawl_text_sum(&b->out, &b->crawl);
	return cli_out(b->cli, &b->out, e);
}

/* One crawl from begin to end. */
static int
once(struct backfill *b, enum crawl_scope scope, struct err *e)
{
	struct crawl *c = &b->crawl;
	struct settings settings = {0};
	uint64_t channel;
	int result = crawl_open(c, e);

	if (result == 0)
		result = settings_open(&settings, e);
	if (result == 0) {
		c->scope = scope;
		c->since = b->since;
		c->sweep = settings_int(&settings, "history.sweep");
		c->told = on_told;
		c->ctx = b;
		for (int i = 0; i < b->cli->argc; i++)
			if (snowflake_read(&channel, b->cli->argv[i]) == 0)
				crawl_add(c, channel);
		progress_start(&b->progress);
		result = crawl_run(c, e);
		progress_end(&b->progress);
		b->pages += c->pages;
	}
	if (result == 0)
		result = sum_up(b, e);
	settings_close(&settings);
	crawl_close(c);
	return result;
}

/* Do what is queued, or was missed, as it comes. */
static int
stay(struct backfill *b, struct err *e)
{
	int64_t pause_ms = 0;
	int what;

	while ((what = crawl_wait(pause_ms, e)) > CRAWL_NAMED) {
		struct err why = {0};
		int result = once(b, (enum crawl_scope)what, &why);

		if (b->crawl.told_to_stop)
			return 0;
		if (result < 0 &&
		    (why.kind == ERR_CONFIG || why.kind == ERR_IO)) {
			*e = why;
			return -1;
		}
		if (result < 0)
			log_complain(&why);
		pause_ms = result < 0 && !b->crawl.left ? AGAIN_MS : 0;
	}
	return what;
}

static void
read_since(struct backfill *b)
{
	int64_t at_ms;

	if (clock_parse(&at_ms, b->cli->value) < 0)
		cli_usage(b->cli, "'%s' is no time, such as 2026-01-31",
		    b->cli->value);
	b->since = snowflake_first(at_ms);
}

static void
read_options(struct backfill *b)
{
	struct cli *c = b->cli;
	int option, scopes = 0;
	uint64_t channel;

	while ((option = cli_option(c)) != -1)
		switch (option) {
		case 'a': scopes++, b->scope = CRAWL_ALL; break;
		case 'q': scopes++, b->scope = CRAWL_QUEUE; break;
		case 'r': scopes++, b->scope = CRAWL_RECENT; break;
		case 's': read_since(b); break;
		case OPT_WAIT: b->wait = true; break;
		}
	if (scopes + (c->argc > 0) != 1)
		cli_usage(c,
		    "say one of them: channels, --all, --recent or --queue");
	if (b->wait && b->scope != CRAWL_QUEUE)
		cli_usage(c, "--wait goes with --queue");
	for (int i = 0; i < c->argc; i++)
		if (snowflake_read(&channel, c->argv[i]) < 0)
			cli_usage(c, "'%s' is not the id of a channel",
			    c->argv[i]);
}

static int
run(struct cli *c, struct err *e)
{
	struct backfill b = {.cli = c};
	int result;

	c->none = "there was nothing to fetch";
	read_options(&b);
	start_without_sigpipe();
	result = b.wait ? stay(&b, e) : once(&b, b.scope, e);
	buf_release(&b.out);
	return result < 0 ? -1 : b.pages > 0;
}

static const struct cli_option options[] = {
    {'a', "all", NULL, "every channel and thread of the enabled guilds"},
    {'r', "recent", NULL, "the newest messages of each channel"},
    {'q', "queue", NULL, "what was queued"},
    {OPT_WAIT, "wait", NULL, "with --queue: stay, and do what comes"},
    {'s', "since", "time", "no messages from before"},
    {0},
};

static const struct cli_command command = {
    .name = "sophia-backfill",
    .purpose = "fetch the history of Discord channels into the index",
    .args = "[channel] ...",
    .options = options,
    .run = run,
};

int
main(int argc, char **argv)
{
	return cli_main(&command, argc, argv);
}
