/*
 * sophia-retrieve - search and read the message history
 * arguments: words; or stdin: a request a line; stdout: messages, page,
 * coverage
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "core/buf.h"
#include "core/err.h"
#include "core/filter.h"
#include "retrieve/lookup.h"
#include "retrieve/tools.h"
#include "retrieve/wish.h"

enum {
	OPT_AFTER = CLI_LONG,
	OPT_BEFORE,
	OPT_HAS,
	OPT_AROUND,
	OPT_ORDER,
	OPT_LANE,
	OPT_THREAD,
	OPT_REPLY_CHAIN,
	OPT_ANY,
	OPT_ALL,
	OPT_PHRASE,
	OPT_RANDOM,
	OPT_STRUCTURE,
	OPT_SERVE
};

static const struct cli_option options[] = {
    {'c', "channel", "name", "only this channel or category; repeatable"},
    {'a', "author", "name", "only messages of this member; repeatable"},
    {OPT_AFTER, "after", "time", "only after a time or message id"},
    {OPT_BEFORE, "before", "time", "only before a time or message id"},
    {OPT_HAS, "has", "what", "attachment, embed, pin or edit; repeatable"},
    {OPT_THREAD, "thread", "name", "only this thread; repeatable"},
    {OPT_AROUND, "around", "message", "what was said around a message"},
    {OPT_REPLY_CHAIN, "reply-chain", "message",
	"the replies a message is part of"},
    {OPT_ALL, "all", NULL, "messages that have all the words"},
    {OPT_ANY, "any", NULL, "messages that have any of the words"},
    {OPT_PHRASE, "phrase", NULL, "messages that have the words in a row"},
    {OPT_LANE, "lane", "lane", "relevance or chronological"},
    {OPT_ORDER, "order", "order", "newest or oldest first"},
    {'n', "limit", "count", "messages a page, 10 ranked or 50 in order"},
    {'C', "context", "count", "neighbours on each side of a hit, usually 3"},
    {OPT_RANDOM, "random", NULL, "one message by chance"},
    {OPT_STRUCTURE, "structure", NULL, "guilds, channels and threads"},
    {'k', "cursor", "cursor", "go on where a page ended"},
    {OPT_SERVE, "serve", NULL, "answer tool calls, one a line, on stdin"}, {0}};

struct retrieve {
	struct cli *cli;
	struct lookup lookup;
	struct wish wish;
	bool random, structure, serve;
	bool asked; /* an option says what to read */
};

/* One of a few words, or wrong usage. */
static int
word(struct cli *c, const char *option, const char *words, int found)
{
	if (found < 0)
		cli_usage(c, "--%s can't be '%s': it is %s", option, c->value,
		    words);
	return found;
}

static void
repeat(struct cli *c, struct texts *t)
{
	struct err e = {0};

	if (wish_add(t, c->value, &e) < 0)
		cli_usage(c, "%s", e.text);
}

/* Options that say what to do, and how; false if it is another. */
static bool
take_way(struct cli *c, int option, struct retrieve *r)
{
	struct wish *w = &r->wish;

	switch (option) {
	case OPT_ORDER:
		w->order = (enum wish_order)word(c, "order", "newest or oldest",
		    wish_order(c->value));
		r->asked = true;
		return true;
	case OPT_LANE:
		w->lane = (enum wish_lane)word(c, "lane",
		    "relevance or chronological", wish_lane(c->value));
		return true;
	case OPT_ANY: w->match = MATCH_ANY; return true;
	case OPT_ALL: w->match = MATCH_ALL; return true;
	case OPT_PHRASE: w->match = MATCH_PHRASE; return true;
	case 'n': w->limit = (int)cli_int(c, 1, WISH_LIMIT); return true;
	case 'C': w->context = (int)cli_int(c, 0, WISH_CONTEXT); return true;
	case OPT_RANDOM: r->asked = r->random = true; return true;
	case OPT_STRUCTURE: r->asked = r->structure = true; return true;
	case OPT_SERVE: r->serve = true; return true;
	default: return false;
	}
}

static void
take_scope(struct cli *c, int option, struct wish *w)
{
	switch (option) {
	case 'c': repeat(c, &w->channels); break;
	case 'a': repeat(c, &w->authors); break;
	case OPT_AFTER: w->after = c->value; break;
	case OPT_BEFORE: w->before = c->value; break;
	case OPT_HAS:
		w->has |= (unsigned)word(c, "has",
		    "attachment, embed, pin or edit", wish_has(c->value));
		break;
	case OPT_THREAD: repeat(c, &w->threads); break;
	case OPT_AROUND: w->around = c->value; break;
	case OPT_REPLY_CHAIN: w->reply_chain = c->value; break;
	case 'k': w->cursor = c->value; break;
	default: break;
	}
}

static int
run_wish(struct retrieve *r, const struct wish *w, struct err *e)
{
	struct buf out = {.limit = LOOKUP_MAX};
	bool people = !r->cli->json;
	struct err later = {0};
	int found;

	if (r->random)
		found = lookup_random(&r->lookup, w, &out, people, e);
	else if (r->structure)
		found = lookup_structure(&r->lookup, &out, people, e);
	else
		found = lookup_page(&r->lookup, w, &out, people, e);
	if (cli_out(r->cli, &out, found < 0 ? &later : e) < 0)
		found = -1;
	buf_release(&out);
	return found;
}

static int
run_line(void *ctx, const char *line, size_t len, struct err *e)
{
	struct retrieve *r = ctx;
	struct wish wish = r->wish;
	struct json *root = NULL;
	int found = -1;

	if (lookup_read(&wish, &root, line, len, e) == 0)
		found = run_wish(r, &wish, e);
	lookup_free(root);
	return found;
}

/* Words on the command line, or nothing but options: one answer. */
static int
run_words(struct retrieve *r, struct err *e)
{
	struct buf words = {0};
	int found;

	cli_words(r->cli, 0, &words);
	if (words.len)
		r->wish.query = words.data;
	found = run_wish(r, &r->wish, e);
	buf_release(&words);
	return found;
}

/* Without an index each call says so, until there is one. */
static int
serve(struct retrieve *r, struct err *e)
{
	struct err later = {0};

	lookup_open(&r->lookup, &later);
	return tools_serve(&r->lookup, STDIN_FILENO, e);
}

static int
run(struct cli *c, struct err *e)
{
	struct retrieve r = {.cli = c};
	int option, found = -1;

	c->none = "nothing was found; --structure shows what is indexed";
	wish_start(&r.wish);
	while ((option = cli_option(c)) != -1)
		if (!take_way(c, option, &r)) {
			take_scope(c, option, &r.wish);
			r.asked = true;
		}
	if (r.serve && c->argc)
		cli_usage(c, "--serve takes no words");
	if (r.serve)
		found = serve(&r, e);
	else if (lookup_open(&r.lookup, e) < 0)
		goto out;
	else if (r.asked || c->argc)
		found = run_words(&r, e);
	else if (isatty(STDIN_FILENO))
		cli_usage(c, "what is to be found?");
	else
		found = filter_run(stdin, FILTER_LINE_MAX, run_line, &r, e);
out:
	lookup_close(&r.lookup);
	return found;
}

static const struct cli_command command = {
    .name = "sophia-retrieve",
    .purpose = "search and read the message history",
    .args = "[word ...]",
    .options = options,
    .run = run,
    .notes =
	"Without words and options, requests are read from stdin: a JSON object a\n"
	"line, such as {\"query\":\"roof leak\",\"channels\":[\"general\"]}.\n",
};

int
main(int argc, char **argv)
{
	return cli_main(&command, argc, argv);
}
