/*
 * sophia-model - put requests to a model
 * stdin: request and cancel records; stdout: delta, reasoning, tool_call,
 * usage, and one finish or error that ends each request
 */
#define _GNU_SOURCE /* strsep */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "core/buf.h"
#include "core/err.h"
#include "core/log.h"
#include "core/start.h"
#include "model/catalogue.h"
#include "record/any.h"
#include "record/delta.h"
#include "record/tool_call.h"
#include "runtime/counter.h"

/* What a person sees of a record. */
static void
show(const char *line, size_t len)
{
	struct any a;
	struct delta delta;
	struct tool_call call;
	struct err e = {0};

	if (any_read(&a, line, len, &e) < 0)
		return;
	if (any_is(&a, "delta") && delta_read(&delta, a.root, &e) == 0) {
		cli_print(delta.text);
	} else if (any_is(&a, "tool_call") &&
		   tool_call_read(&call, a.root, &e) == 0) {
		cli_print(call.name);
		fputs(" ", stdout);
		cli_print(call.arguments);
	} else if (any_is(&a, "finish")) {
		fputs("\n", stdout);
	}
	any_release(&a);
}

static int
on_told(void *ctx, struct buf *records, struct err *e)
{
	struct cli *c = ctx;

	if (c->json)
		return cli_put(c, records, e);
	for (const char *line = buf_text(records), *end; *line;
	     line = end + 1) {
		end = strchr(line, '\n');
		show(line, (size_t)(end - line));
	}
	fflush(stdout);
	return 0;
}

static int
list_one(struct cli *c, const char *name, struct err *e)
{
	struct profile p = {0};
	struct buf line = {0};
	enum catalogue_key key;
	int result = -1;

	if (profile_load(&p, name, e) < 0 || catalogue_key(&p, &key, e) < 0)
		goto out;
	if (c->json) {
		catalogue_write(&line, &p, key);
		result = cli_put(c, &line, e);
		goto out;
	}
	printf("%-16s %-11s key %-8s ", p.id, profile_protocol_word(p.protocol),
	    catalogue_key_word(key));
	cli_print(p.model);
	fputs("\n", stdout);
	result = 0;
out:
	buf_release(&line);
	profile_release(&p);
	return result;
}

/* All profiles, or those that are named; a bad one doesn't hide the others. */
static int
list(struct cli *c, struct err *e)
{
	struct buf names = {0};
	char *name, *rest;
	int good = 0;

	for (int i = 0; i < c->argc; i++)
		buf_fmt(&names, "%s\n", c->argv[i]);
	if (!c->argc && profile_names(&names, e) < 0)
		return -1;
	for (rest = names.data; rest && *rest; good += !e->kind) {
		struct err why = {0};

		name = strsep(&rest, "\n");
		if (list_one(c, name, &why) == 0)
			continue;
		if (e->kind)
			log_complain(e);
		*e = why;
	}
	buf_release(&names);
	return e->kind ? -1 : good;
}

/* Answer the words of the command line, or what stdin asks. */
static int
answer(struct cli *c, struct counter *counter, struct err *e)
{
	struct buf words = {0};
	int result = counter_open(counter, e);

	cli_words(c, 0, &words);
	if (result == 0)
		result = c->argc ? counter_ask(counter, buf_text(&words), e)
				 : counter_answer(counter, STDIN_FILENO, e);
	counter_close(counter);
	buf_release(&words);
	return result;
}

static int
run(struct cli *c, struct err *e)
{
	struct counter counter = {.told = on_told, .ctx = c};
	bool listing = false;
	int o;

	while ((o = cli_option(c)) != -1)
		switch (o) {
		case 'p': counter.profile = c->value; break;
		case 's': counter.serve = true; break;
		case 'l': listing = true; break;
		}
	if (listing)
		return list(c, e);
	if (c->argc && (counter.serve || !counter.profile))
		cli_usage(c, "words are for one request, with --profile");
	start_without_sigpipe();
	return answer(c, &counter, e);
}

static const struct cli_option options[] = {
    {'p', "profile", "name", "ask this one, whatever the request says"},
    {'s', "serve", NULL, "answer requests until the end of the input"},
    {'l', "list", NULL, "list the profiles, or check those that are named"},
    {0},
};

static const struct cli_command command = {
    .name = "sophia-model",
    .purpose = "put a request to a model",
    .args = "[word ...]",
    .options = options,
    .run = run,
    .notes = "Without words it reads one request record, see "
	     "sophia-records(5).\nProfiles are in sophia-models(5).\n",
};

int
main(int argc, char **argv)
{
	return cli_main(&command, argc, argv);
}
