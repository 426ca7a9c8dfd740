#include "tool/serve.h"

#include <string.h>

#include "core/buf.h"
#include "core/err.h"
#include "core/filter.h"
#include "record/any.h"
#include "record/call.h"
#include "record/error.h"
#include "record/result.h"

struct server {
	const struct serve *table;
	void *ctx;
};

static const struct serve *
find(const struct serve *table, const char *capability)
{
	while (table->capability && strcmp(table->capability, capability) != 0)
		table++;
	return table->capability ? table : NULL;
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
	    .ok = true,
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
}

static int
answer(const struct server *s, const struct call *call, struct buf *out,
    struct err *e)
{
	const struct serve *serve = find(s->table, call->capability);
	struct answer_parts a = {0};
	int result;

	if (!serve)
		return err_set(e, ERR_INPUT, "%.80s is not served here",
		    call->capability);
	result = serve->answer(s->ctx, call, &a, e);
	if (result == 0)
		write_result(out, call, &a);
	if (out->full)
		result = err_set(e, ERR_REFUSED,
		    "the result is longer than a record may be");
	release(&a);
	return result;
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
serve_run(FILE *in, const struct serve *table, void *ctx, struct err *e)
{
	struct server s = {table, ctx};

	return filter_run(in, FILTER_LINE_MAX, each, &s, e) < 0 ? -1 : 1;
}
