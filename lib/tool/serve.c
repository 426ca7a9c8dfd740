#include "tool/serve.h"

#include <stdlib.h>
#include <string.h>

#include "core/buf.h"
#include "core/err.h"
#include "core/filter.h"
#include "core/log.h"
#include "core/signals.h"
#include "ext/jsonw.h"
#include "record/any.h"
#include "record/call.h"
#include "record/error.h"
#include "record/result.h"
#include "tool/hearing.h"
#include "tool/talk.h"

struct server {
	struct hearing hearing;
	const struct serve_tables *tables;
	void *ctx;
	bool stopped; /* by a signal, while a call ran */
};

static const struct serve *
find_answer(const struct serve *table, const char *capability)
{
	while (table && table->capability &&
	       strcmp(table->capability, capability) != 0)
		table++;
	return table && table->capability ? table : NULL;
}

static const struct serve_long *
find_long(const struct serve_long *table, const char *capability)
{
	while (table && table->capability &&
	       strcmp(table->capability, capability) != 0)
		table++;
	return table && table->capability ? table : NULL;
}

static const struct serve_change *
find_change(const struct serve_change *table, const char *capability)
{
	while (table && table->capability &&
	       strcmp(table->capability, capability) != 0)
		table++;
	return table && table->capability ? table : NULL;
}

static const char *
text_or_none(const struct buf *b)
{
	return b->len ? buf_text(b) : NULL;
}

static void
write_result(struct buf *out, const struct call *call,
    const struct answer_parts *a)
{
	const struct result r = {
	    .id = call->id,
	    .ok = !a->partly,
	    .summary = buf_text(&a->summary),
	    .data.text = text_or_none(&a->data),
	    .sources.text = text_or_none(&a->sources),
	    .cursor = text_or_none(&a->cursor),
	    .coverage.text = text_or_none(&a->coverage),
	    .reveal.text = text_or_none(&a->reveal),
	    .artifacts.text = text_or_none(&a->artifacts),
	    .media.text = text_or_none(&a->media),
	    .more.text = text_or_none(&a->more),
	};

	result_write(out, &r);
}

static void
release(struct answer_parts *a)
{
	buf_release(&a->summary);
	buf_release(&a->cursor);
	buf_release(&a->data);
	buf_release(&a->sources);
	buf_release(&a->coverage);
	buf_release(&a->reveal);
	buf_release(&a->artifacts);
	buf_release(&a->media);
	buf_release(&a->more);
	buf_release(&a->candidates);
}

/* It failed since one of several could be meant: these are told. */
static void
write_ambiguous(struct buf *out, const struct call *call,
    const struct answer_parts *a, struct err *e)
{
	error_write(out, &(struct error){.id = call->id,
			     .kind = e->kind,
			     .text = e->text,
			     .code = "ambiguous",
			     .candidates.text = buf_text(&a->candidates)});
	*e = (struct err){0};
}

static void
release_proposal(struct proposal_parts *p)
{
	buf_release(&p->text);
	buf_release(&p->guild);
	buf_release(&p->destination);
	buf_release(&p->targets);
	buf_release(&p->items);
	buf_release(&p->plan);
}

void
serve_target(struct proposal_parts *p, const struct proposal_target *t)
{
	if (!p->targets.len)
		jsonw_array(&p->targets, NULL);
	proposal_target_write(&p->targets, t);
}

void
serve_item(struct proposal_parts *p, const char *category, const char *text)
{
	if (!p->items.len)
		jsonw_array(&p->items, NULL);
	proposal_item_write(&p->items, &(struct proposal_item){.n = ++p->count,
					   .category = category,
					   .text = text});
}

static void
write_proposal(struct buf *out, const struct call *call,
    struct proposal_parts *p)
{
	struct proposal x = {
	    .id = call->id,
	    .text = buf_text(&p->text),
	    .guild = text_or_none(&p->guild),
	    .destination = text_or_none(&p->destination),
	};

	if (p->targets.len) {
		jsonw_end_array(&p->targets);
		x.targets.text = buf_text(&p->targets);
	}
	if (p->count > 1) {
		jsonw_end_array(&p->items);
		x.items.text = buf_text(&p->items);
	}
	jsonw_end_object(&p->plan);
	if (strcmp(buf_text(&p->plan), "{}") != 0)
		x.plan.text = buf_text(&p->plan);
	proposal_write(out, &x);
}

static int
answer_change(struct server *s, const struct serve_change *change,
    const struct call *call, struct buf *out, struct err *e)
{
	struct serve_act act = {.call = call, .hearing = &s->hearing};
	struct proposal_parts p = {0};
	struct answer_parts a = {0};
	int result;

	if (call->phase == PHASE_NONE)
		return err_set(e, ERR_REFUSED,
		    "%.80s changes something: the call must say whether it is "
		    "to be checked or made",
		    call->capability);
	if (call->phase == PHASE_CHECK) {
		jsonw_object(&p.plan, NULL);
		result = change->check(s->ctx, call, &p, e);
		if (result == 0)
			write_proposal(out, call, &p);
	} else {
		result = change->act(s->ctx, &act, &a, e);
		if (result == 0)
			write_result(out, call, &a);
	}
	release_proposal(&p);
	release(&a);
	return result;
}

/* A signal is like a cancel, and nothing is served after it. */
static void
on_signal(void *ctx, int sig)
{
	struct serve_talk *t = ctx;

	(void)sig;
	t->stopped = true;
	talk_give_up(t);
}

static int
answer_long(struct server *s, const struct serve_long *row,
    const struct call *call, struct answer_parts *a, struct err *e)
{
	struct serve_talk t = {.call = call, .poll = &s->hearing.poll};
	struct signals signals = {.got = on_signal, .ctx = &t};
	int result = -1;

	s->hearing.told = talk_told;
	s->hearing.ctx = &t;
	hearing_offer(&s->hearing);
	if (t.given_up)
		err_set(e, ERR_AGAIN, "the call was given up");
	else if (signals_start(&signals, t.poll, e) == 0)
		result = row->answer(s->ctx, &t, a, e);
	signals_stop(&signals);
	s->hearing.told = NULL;
	s->stopped = t.stopped;
	return result;
}

static int
answer_any(struct server *s, const struct call *call, struct answer_parts *a,
    struct err *e)
{
	const struct serve *plain = find_answer(s->tables->plain,
	    call->capability);
	const struct serve_long *row = find_long(s->tables->longs,
	    call->capability);

	if (!plain && !row)
		return err_set(e, ERR_INPUT, "%.80s is not served here",
		    call->capability);
	if (call->phase != PHASE_NONE)
		return err_set(e, ERR_REFUSED, "%.80s changes nothing",
		    call->capability);
	return plain ? plain->answer(s->ctx, call, a, e)
		     : answer_long(s, row, call, a, e);
}

static int
answer_plain(struct server *s, const struct call *call, struct buf *out,
    struct err *e)
{
	struct answer_parts a = {0};
	int result = answer_any(s, call, &a, e);

	if (result == 0)
		write_result(out, call, &a);
	else if (a.candidates.len)
		write_ambiguous(out, call, &a, e);
	release(&a);
	return result;
}

static int
answer(struct server *s, const struct call *call, struct buf *out,
    struct err *e)
{
	const struct serve_change *change = find_change(s->tables->changes,
	    call->capability);
	int result = change ? answer_change(s, change, call, out, e)
			    : answer_plain(s, call, out, e);

	if (!out->full)
		return result;
	if (call->phase == PHASE_ACT) /* it was done all the same */
		return err_set(e, ERR_UNKNOWN,
		    "what was done is longer to tell than a record may be");
	return err_set(e, ERR_REFUSED,
	    "the result is longer than a record may be");
}

/* One line; whatever is wrong with it is said on stdout. */
static void
each(struct server *s, const char *line, size_t len, struct err *e)
{
	struct buf out = {.limit = FILTER_LINE_MAX};
	struct any any = {0};
	struct call call = {0};
	struct err why = {0};

	if (any_read(&any, line, len, &why) == 0 && !any_is(&any, "cancel") &&
	    call_read(&call, any.root, &why) == 0)
		answer(s, &call, &out, &why);
	if (why.kind) {
		buf_clear(&out);
		error_write_err(&out, call.id, &why);
	}
	talk_say(&out, ERR_IO, e);
	any_release(&any);
}

/* A bad line: it is complained of, and the next may be good. */
static void
pass_over(struct err *e, int64_t *bad)
{
	if (e->kind != ERR_INPUT)
		return;
	log_complain(e);
	*e = (struct err){0};
	++*bad;
}

int
serve_run_all(int in, const struct serve_tables *tables, void *ctx,
    struct err *e)
{
	struct server s = {.tables = tables, .ctx = ctx};
	int64_t bad = 0;
	char *line;
	size_t len;
	int got = 1;

	hearing_open(&s.hearing, in);
	while (got != 0 && !e->kind && !s.stopped) {
		got = hearing_next(&s.hearing, &line, &len, e);
		if (got < 0) {
			pass_over(e, &bad);
		} else if (got > 0) {
			each(&s, line, len, e);
			free(line);
		}
	}
	hearing_close(&s.hearing);
	if (e->kind)
		return -1;
	if (s.stopped)
		return err_set(e, ERR_AGAIN, "stopped by a signal");
	if (bad)
		return err_set(e, ERR_INPUT, "%d bad records", (int)bad);
	return 1;
}

int
serve_run_changes(int in, const struct serve *table,
    const struct serve_change *changes, void *ctx, struct err *e)
{
	return serve_run_all(in,
	    &(struct serve_tables){.plain = table, .changes = changes}, ctx, e);
}

int
serve_run(int in, const struct serve *table, void *ctx, struct err *e)
{
	return serve_run_all(in, &(struct serve_tables){.plain = table}, ctx,
	    e);
}
