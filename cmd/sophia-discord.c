/*
 * sophia-discord - put requests to Discord
 * stdin: discord_request records; stdout: a discord_answer for each
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "core/buf.h"
#include "core/err.h"
#include "core/start.h"
#include "discord/errands.h"
#include "record/any.h"
#include "record/discord_answer.h"
#include "record/discord_request.h"
#include "record/value.h"

struct work {
	struct cli *cli;
	bool words; /* of one request; its answer's body is what is wanted */
	bool told;  /* something was, on stdout */
};

/* What a person wants to see of the answer: what Discord sent. */
static void
show(const char *line, size_t len)
{
	struct buf body = {0};
	struct any a;
	struct discord_answer answer;
	struct err e = {0};

	if (any_read(&a, line, len, &e) < 0)
		return;
	if (any_is(&a, "discord_answer") &&
	    discord_answer_read(&answer, a.root, &e) == 0) {
		value_write(&body, NULL, &answer.body);
		if (answer.page)
			buf_str(&body, answer.page);
	}
	if (body.len) {
		cli_print(buf_text(&body));
		fputs("\n", stdout);
	}
	buf_release(&body);
	any_release(&a);
}

static int
on_told(void *ctx, struct buf *records, struct err *e)
{
	struct work *w = ctx;

	w->told = true;
	if (w->cli->json || !w->words)
		return cli_put(w->cli, records, e);
	show(buf_text(records), records->len - 1);
	fflush(stdout);
	return 0;
}

static int
work(struct work *w, struct discord_request *q, struct err *e)
{
	struct errands x = {.told = on_told, .ctx = w};
	struct cli *c = w->cli;
	int result = errands_open(&x, e);

	if (result == 0 && w->words) {
		q->method = c->argv[0];
		q->path = c->argv[1];
		q->body.text = c->argc > 2 ? c->argv[2] : NULL;
		result = errands_ask(&x, q, e);
	} else if (result == 0) {
		result = errands_answer(&x, STDIN_FILENO, e);
	}
	errands_close(&x);
	return result;
}

static int
run(struct cli *c, struct err *e)
{
	struct work w = {.cli = c};
	struct discord_request q = {0};
	bool serve = false;
	int result, o;

	while ((o = cli_option(c)) != -1)
		switch (o) {
		case 's': serve = true; break;
		case 'r': q.reason = c->value; break;
		case 't': q.timeout_ms = cli_int(c, 1, 86400) * 1000; break;
		}
	if (c->argc)
		cli_args(c, 2, 3);
	if (c->argc && serve)
		cli_usage(c, "a request in words is one, without --serve");
	if (!c->argc && (q.reason || q.timeout_ms))
		cli_usage(c, "a record says its own reason and time");
	w.words = c->argc > 0;
	start_without_sigpipe();
	result = work(&w, &q, e);
	c->told = w.told && c->json && e->kind != ERR_CONFIG;
	if (serve && result < 0 && e->kind != ERR_CONFIG) {
		*e = (struct err){0}; /* it was told in records */
		return 1;
	}
	return result;
}

static const struct cli_option options[] = {
    {'r', "reason", "text", "for the server's audit log"},
    {'t', "timeout", "s", "give up if it isn't sent by then"},
    {'s', "serve", NULL, "tell what fails in records only"},
    {0},
};

static const struct cli_command command = {
    .name = "sophia-discord",
    .purpose = "put requests to Discord, within its rate limits",
    .args = "[method path [json]]",
    .options = options,
    .run = run,
    .notes = "Without words it answers a discord_request record a line, see "
	     "sophia-records(5).\n",
};

int
main(int argc, char **argv)
{
	return cli_main(&command, argc, argv);
}
