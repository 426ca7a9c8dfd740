#include "tool/serve.h"

#include <string.h>

#include "core/buf.h"
#include "core/err.h"
#include "core/filter.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "record/any.h"
#include "record/call.h"
#include "record/control.h"
#include "record/error.h"
#include "record/result.h"

struct server {
	FILE *in;
	const struct serve *table;
	const struct serve_change *changes; /* NULL if there are none */
	void *ctx;
};

static const struct serve *
find_answer(const struct serve *table, const char *capability)
{
	while (table->capability && strcmp(table->capability, capability) != 0)
		table++;
	return table->capability ? table : NULL;
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
say_part(const struct part *part, struct err *e)
{
	struct buf line = {0};
	bool said;

	part_write(&line, part);
	said = fwrite(buf_text(&line), 1, line.len, stdout) == line.len &&
	       fflush(stdout) == 0;
	buf_release(&line);
	return said ? 0 : err_sys(e, ERR_REFUSED, "nobody keeps what is done");
}

/* What the line says of that part: 1 it may go, 0 nothing, -1 it may not. */
static int
may_go(const struct serve_act *w, const char *line, size_t len)
{
	struct any any = {0};
	struct control c = {0};
	struct err e = {0};
	int says = 0;

	if (any_read(&any, line, len, &e) == 0 &&
	    control_read(&c, any.root, &e) == 0 && c.id &&
	    strcmp(c.id, w->call->id) == 0) {
		if (c.kind == CONTROL_CANCEL)
			says = -1;
		else if (c.kind == CONTROL_GO && c.n == w->parts)
			says = 1;
	}
	any_release(&any);
	return says;
}

bool
serve_may(const struct serve_act *w, int64_t n)
{
	const struct value *only = &w->call->only;
	int64_t one;

	if (!value_is(only))
		return true;
	for (const struct json *v = json_first(only->tree); v; v = json_next(v))
		if (json_whole(v, &one) == 0 && one == n)
			return true;
	return false;
}

int64_t
serve_part_begin(struct serve_act *w, const char *text, struct err *e)
{
	const struct part part = {.id = w->call->id,
	    .n = ++w->parts,
	    .state = PART_INTENT,
	    .text = text};
	struct buf line = {.limit = FILTER_LINE_MAX};
	int says = 0;

	if (say_part(&part, e) < 0)
		return -1;
	while (says == 0)
		if (filter_line(w->in, &line) <= 0)
			says = -1;
		else
			says = may_go(w, buf_text(&line), line.len);
	buf_release(&line);
	if (says > 0)
		return w->parts;
	return err_set(e, ERR_REFUSED, "the call was given up");
}

int
serve_part_end(struct serve_act *w, enum part_state state, const char *data,
    struct err *e)
{
	return say_part(&(struct part){.id = w->call->id,
			    .n = w->parts,
			    .state = state,
			    .data.text = data},
	    e);
}

static int
answer_change(const struct server *s, const struct serve_change *change,
    const struct call *call, struct buf *out, struct err *e)
{
	struct serve_act act = {.call = call, .in = s->in};
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

static int
answer_plain(const struct server *s, const struct call *call, struct buf *out,
    struct err *e)
{
	const struct serve *serve = find_answer(s->table, call->capability);
	struct answer_parts a = {0};
	int result;

	if (!serve)
		return err_set(e, ERR_INPUT, "%.80s is not served here",
		    call->capability);
	if (call->phase != PHASE_NONE)
		return err_set(e, ERR_REFUSED, "%.80s changes nothing",
		    call->capability);
	result = serve->answer(s->ctx, call, &a, e);
	if (result == 0)
		write_result(out, call, &a);
	else if (a.candidates.len)
		write_ambiguous(out, call, &a, e);
	release(&a);
	return result;
}

static int
answer(const struct server *s, const struct call *call, struct buf *out,
    struct err *e)
{
	const struct serve_change *change = find_change(s->changes,
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

static int
each(void *ctx, const char *line, size_t len, struct err *e)
{
	const struct server *s = ctx;
	struct buf out = {.limit = FILTER_LINE_MAX};
	struct any any = {0};
	struct call call = {0};
	struct err why = {0};

	(void)e; /* whatever is wrong is said on stdout */
	if (any_read(&any, line, len, &why) == 0 && !any_is(&any, "cancel") &&
	    call_read(&call, any.root, &why) == 0)
		answer(s, &call, &out, &why);
	if (why.kind) {
		buf_clear(&out);
		error_write_err(&out, call.id, &why);
	}
	fwrite(buf_text(&out), 1, out.len, stdout);
	buf_release(&out);
	any_release(&any);
	return 1;
}

int
serve_run_changes(FILE *in, const struct serve *table,
    const struct serve_change *changes, void *ctx, struct err *e)
{
	struct server s = {in, table, changes, ctx};

	return filter_run(in, FILTER_LINE_MAX, each, &s, e) < 0 ? -1 : 1;
}

int
serve_run(FILE *in, const struct serve *table, void *ctx, struct err *e)
{
	return serve_run_changes(in, table, NULL, ctx, e);
}
