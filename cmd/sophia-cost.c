/*
 * sophia-cost - what models have cost, by day, model, purpose, task or person
 * stdout: {"type":"cost",...} a group, and the total
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>

#include "cli/cli.h"
#include "core/buf.h"
#include "core/clock.h"
#include "core/err.h"
#include "store/base.h"
#include "store/cost.h"

struct report {
	struct cli *cli;
	struct buf out;
	enum ledger_order by;
};

/* "1200", "1200 + 2 unknown" or "unknown", in a column. */
static void
column(struct buf *b, const char *known, int64_t unknown, int64_t attempts,
    int width)
{
	char text[96];

	if (unknown == attempts)
		snprintf(text, sizeof(text), "unknown");
	else if (unknown)
		snprintf(text, sizeof(text), "%s + %" PRId64 " unknown", known,
		    unknown);
	else
		snprintf(text, sizeof(text), "%s", known);
	buf_fmt(b, " %*s", width, text);
}

static void
tokens(struct buf *b, const struct cost_sum *s, int64_t attempts)
{
	char known[32];

	snprintf(known, sizeof(known), "%" PRId64, s->known);
	column(b, known, s->unknown, attempts, 20);
}

static void
put(void *ctx, const struct cost *c)
{
	struct report *r = ctx;

	if (r->cli->json) {
		cost_write(&r->out, r->by, c);
		return;
	}
	if (!r->out.len)
		buf_fmt(&r->out, "%-24s %8s %20s %20s %s\n", cost_word(r->by),
		    "requests", "tokens in", "tokens out", "US dollars");
	buf_fmt(&r->out, "%-24s %8" PRId64,
	    !c->key   ? "total"
	    : *c->key ? c->key
		      : "(none)",
	    c->attempts);
	tokens(&r->out, &c->input, c->attempts);
	tokens(&r->out, &c->output, c->attempts);
	column(&r->out, c->money ? c->money : "", c->money_unknown, c->attempts,
	    0);
	buf_str(&r->out, c->estimated ? " (estimated)\n" : "\n");
}

static int
report(struct cli *c, const struct ledger_filter *f, struct err *e)
{
	struct report r = {.cli = c, .by = f->order};
	struct store s = {0};
	int64_t n = store_exists("tasks", e);

	if (n > 0)
		n = store_open(&s, "tasks", STORE_READ, e) < 0 ? -1 : 1;
	if (n > 0)
		n = cost_report(&s, f, put, &r, e);
	store_close(&s);
	if (n > 0)
		n = cli_out(c, &r.out, e) < 0 ? -1 : n;
	buf_release(&r.out);
	return n > 0 ? 1 : (int)n;
}

static int64_t
time_of(const struct cli *c)
{
	int64_t at_ms;

	if (clock_parse(&at_ms, c->value) < 0)
		cli_usage(c, "'%s' is no date such as 2026-11-01", c->value);
	return at_ms;
}

static int
run(struct cli *c, struct err *e)
{
	struct ledger_filter f = {.actor = "local", .to_ms = INT64_MAX};
	int o, by;

	c->none = "no model was used";
	while ((o = cli_option(c)) != -1)
		switch (o) {
		case 'a': f.actor = NULL; break;
		case 'u': f.actor = c->value; break;
		case 't':
			f.actor = NULL;
			f.task = c->value;
			break;
		case 's': f.from_ms = time_of(c); break;
		case 'e': f.to_ms = time_of(c); break;
		case 'b':
			if ((by = cost_by_of(c->value)) < 0)
				cli_usage(c,
				    "--by can't be '%s': it is day, model, "
				    "purpose, task or actor",
				    c->value);
			f.order = (enum ledger_order)by;
			break;
		default: break;
		}
	cli_args(c, 0, 0);
	return report(c, &f, e);
}

static const struct cli_option options[] = {
    {'a', "all", NULL, "the whole installation's, not only one's own"},
    {'b', "by", "what", "group by day, model, purpose, task or actor"},
    {'e', "end", "date", "only what was sent before it (UTC)"},
    {'s', "since", "date", "only what was sent since it (UTC)"},
    {'t', "task", "id", "only of this task"},
    {'u', "user", "id", "only of this person, by Discord id"},
    {0},
};

static const struct cli_command command = {
    .name = "sophia-cost",
    .purpose = "what models have cost",
    .options = options,
    .run = run,
    .notes = "What isn't known is counted as unknown, never as zero.\n",
};

int
main(int argc, char **argv)
{
	return cli_main(&command, argc, argv);
}
