#include "store/cost.h"

#include <stdlib.h>
#include <string.h>

#include "core/buf.h"
#include "core/clock.h"
#include "core/err.h"
#include "core/mem.h"
#include "ext/jsonw.h"
#include "ext/num.h"

static const char *const words[] = {"day", "model", "purpose", "task", "actor"};

const char *
cost_word(enum ledger_order by)
{
	return words[by];
}

int
cost_by_of(const char *word)
{
	for (int i = LEDGER_DAY; i <= LEDGER_ACTOR; i++)
		if (strcmp(words[i], word) == 0)
			return i;
	return -1;
}

/* A group that is being summed up. */
struct group {
	struct cost cost;
	char *key;
	struct num *money;
	int64_t priced;
};

static void
group_start(struct group *g, const char *key)
{
	*g = (struct group){.key = mem_dup(key), .money = num_new()};
}

static void
group_end(struct group *g, cost_fn *put, void *ctx)
{
	struct buf money = {0};

	num_write(&money, g->money);
	g->cost.key = g->key;
	g->cost.money = g->priced ? buf_text(&money) : NULL;
	if (g->cost.attempts)
		put(ctx, &g->cost);
	buf_release(&money);
	num_free(g->money);
	free(g->key);
	*g = (struct group){0};
}

static void
sum(struct cost_sum *s, int64_t n)
{
	if (n == TOKENS_UNKNOWN || n > INT64_MAX - s->known)
		s->unknown++;
	else
		s->known += n;
}

static int
group_add(struct group *g, const struct ledger_row *r, struct err *e)
{
	struct num *n;
	int rc = 0;

	g->cost.attempts++;
	g->cost.failed += strcmp(r->state, "ok") != 0;
	sum(&g->cost.input, r->input);
	sum(&g->cost.output, r->output);
	sum(&g->cost.cached, r->cached);
	sum(&g->cost.reasoning, r->reasoning);
	if (!r->cost) {
		g->cost.money_unknown++;
		return 0;
	}
	n = num_new();
	rc = num_read(n, r->cost, strlen(r->cost), e);
	if (rc == 0)
		rc = num_add(g->money, n, e);
	num_free(n);
	g->priced++;
	g->cost.estimated |= r->estimated;
	return rc;
}

/* What the row is grouped by; a day is written to day. */
static const char *
key_of(const struct ledger_row *r, enum ledger_order by, char day[CLOCK_TEXT])
{
	switch (by) {
	case LEDGER_MODEL: return r->model;
	case LEDGER_PURPOSE: return r->purpose;
	case LEDGER_TASK: return r->task;
	case LEDGER_ACTOR: return r->actor;
	case LEDGER_DAY: break;
	}
	clock_text(day, r->sent_ms);
	day[10] = '\0';
	return day;
}

int64_t
cost_report(struct store *s, const struct ledger_filter *f, cost_fn *put,
    void *ctx, struct err *e)
{
	struct group one = {0}, all = {0};
	struct ledger_scan scan = {0};
	struct ledger_row r;
	char day[CLOCK_TEXT];
	int64_t attempts;
	int row, rc = 0;

	group_start(&all, NULL);
	ledger_list(&scan, s, f);
	while (rc == 0 && (row = ledger_next(&scan, &r, e)) != 0) {
		const char *key = row > 0 ? key_of(&r, f->order, day) : "";

		if (row > 0 && (!one.key || strcmp(one.key, key) != 0)) {
			if (one.key)
				group_end(&one, put, ctx);
			group_start(&one, key);
		}
		rc = row < 0 || group_add(&one, &r, e) < 0 ||
			     group_add(&all, &r, e) < 0
			 ? -1
			 : 0;
	}
	ledger_end(&scan);
	attempts = all.cost.attempts;
	if (one.key)
		group_end(&one, put, ctx);
	group_end(&all, put, ctx);
	return rc < 0 ? -1 : attempts;
}

static void
put_sum(struct buf *b, const char *name, const struct cost_sum *s,
    int64_t attempts)
{
	jsonw_object(b, name);
	if (s->unknown < attempts)
		jsonw_int(b, "known", s->known);
	if (s->unknown)
		jsonw_int(b, "unknown", s->unknown);
	jsonw_end_object(b);
}

void
cost_write(struct buf *b, enum ledger_order by, const struct cost *c)
{
	jsonw_object(b, NULL);
	jsonw_str(b, "type", "cost");
	jsonw_str(b, "by", c->key ? words[by] : "total");
	jsonw_opt(b, "key", c->key);
	jsonw_int(b, "attempts", c->attempts);
	jsonw_int(b, "failed", c->failed);
	put_sum(b, "input", &c->input, c->attempts);
	put_sum(b, "output", &c->output, c->attempts);
	put_sum(b, "cached", &c->cached, c->attempts);
	put_sum(b, "reasoning", &c->reasoning, c->attempts);
	jsonw_object(b, "cost");
	jsonw_opt(b, "known", c->money);
	if (c->money_unknown)
		jsonw_int(b, "unknown", c->money_unknown);
	jsonw_bool(b, "estimated", c->estimated);
	jsonw_end_object(b);
	jsonw_line(b);
}
