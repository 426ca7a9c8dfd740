#include "tool/builtin.h"

#include <inttypes.h>
#include <string.h>

#include "core/buf.h"
#include "core/err.h"
#include "core/mem.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "ext/text.h"
#include "record/call.h"
#include "record/result.h"
#include "tool/inspect.h"
#include "tool/math.h"
#include "tool/ranking.h"
#include "tool/saved.h"
#include "tool/serve.h"
#include "tool/sift.h"
#include "tool/toolset.h"

enum { SUMMARY_MAX = 200, TOOLS_FOUND = 5, TOOLS_FOUND_MAX = 20 };

static int
need_text(const char **text, const struct call *call, const char *name,
    struct err *e)
{
	*text = json_string(call->arguments.tree, name);
	return *text ? 0
		     : err_set(e, ERR_INPUT, "arguments.%s: is missing", name);
}

static void
write_value(struct answer_parts *a, const struct buf *value, bool exact)
{
	jsonw_object(&a->data, NULL);
	jsonw_str(&a->data, "value", buf_text(value));
	jsonw_bool(&a->data, "exact", exact);
	jsonw_end_object(&a->data);
	if (value->len > SUMMARY_MAX)
		buf_fmt(&a->summary, "a number of %zu characters, %.40s...",
		    value->len, buf_text(value));
	else
		buf_str(&a->summary, buf_text(value));
	if (!exact)
		buf_str(&a->summary, " (rounded)");
}

static int
evaluate_math(void *ctx, const struct call *call, struct answer_parts *a,
    struct err *e)
{
	struct buf value = {0};
	const char *expression;
	bool exact;
	int result;

	(void)ctx;
	if (need_text(&expression, call, "expression", e) < 0)
		return -1;
	result = math_evaluate(&value, &exact, expression, strlen(expression),
	    e);
	if (result == 0)
		write_value(a, &value, exact);
	buf_release(&value);
	return result;
}

static void
write_size(struct buf *b, const struct text_size *n)
{
	jsonw_object(b, NULL);
	jsonw_int(b, "characters", (int64_t)n->graphemes);
	jsonw_int(b, "words", (int64_t)n->words);
	jsonw_int(b, "lines", (int64_t)n->lines);
	jsonw_int(b, "code_points", (int64_t)n->points);
	jsonw_int(b, "utf16_units", (int64_t)n->units);
	jsonw_int(b, "bytes", (int64_t)n->bytes);
	jsonw_end_object(b);
}

static int
measure_text_length(void *ctx, const struct call *call, struct answer_parts *a,
    struct err *e)
{
	struct text_size n;
	struct text *t;
	const char *text;
	int result;

	(void)ctx;
	if (need_text(&text, call, "text", e) < 0)
		return -1;
	t = text_open();
	result = text_measure(t, &n, text, strlen(text), e);
	text_close(t);
	if (result < 0)
		return -1;
	write_size(&a->data, &n);
	buf_fmt(&a->summary,
	    "%" PRIu64 " characters, %" PRIu64 " words, %" PRIu64
	    " lines, %" PRIu64 " bytes",
	    n.graphemes, n.words, n.lines, n.bytes);
	return 0;
}

static void
write_found(struct answer_parts *a, const struct manifest *const *found,
    int count)
{
	jsonw_array(&a->data, NULL);
	jsonw_array(&a->reveal, NULL);
	for (int i = 0; i < count; i++) {
		jsonw_object(&a->data, NULL);
		jsonw_str(&a->data, "name", found[i]->name);
		jsonw_str(&a->data, "description", found[i]->description);
		jsonw_str(&a->data, "tier", tier_word(found[i]->tier));
		jsonw_end_object(&a->data);
		if (!found[i]->visible)
			jsonw_str(&a->reveal, NULL, found[i]->name);
		buf_fmt(&a->summary, "%s%s", i ? ", " : "", found[i]->name);
	}
	jsonw_end_array(&a->data);
	jsonw_end_array(&a->reveal);
	if (!count)
		buf_str(&a->summary, "no tool fits");
}

static int
tool_search(void *ctx, const struct call *call, struct answer_parts *a,
    struct err *e)
{
	const struct manifest *found[TOOLS_FOUND_MAX];
	int64_t limit = json_int(call->arguments.tree, "limit", TOOLS_FOUND);
	struct toolset tools;
	const char *query;
	int count;

	(void)ctx;
	if (limit < 1 || limit > TOOLS_FOUND_MAX)
		limit = TOOLS_FOUND;
	if (need_text(&query, call, "query", e) < 0 ||
	    toolset_load(&tools, e) < 0)
		return -1;
	count = ranking_tools(found, (size_t)limit, &tools, query, e);
	if (count >= 0)
		write_found(a, found, count);
	toolset_release(&tools);
	return count < 0 ? -1 : 0;
}

/* The input of a filter: the JSON text given, or the result of a call. */
static int
find_input(struct json **root, const struct call *call, struct err *e)
{
	const char *data = json_string(call->arguments.tree, "data");
	const char *id = json_string(call->arguments.tree, "call");

	if (!data == !id)
		return err_set(e, ERR_INPUT,
		    "give either data or the id of a call");
	if (id)
		return saved_result(root, id, &call->context, e);
	if (json_read(root, data, strlen(data), e) < 0)
		return err_in(e, "arguments.data");
	return 0;
}

static int
query_json(void *ctx, const struct call *call, struct answer_parts *a,
    struct err *e)
{
	struct json *input = NULL;
	const char *filter;
	int count = -1;

	(void)ctx;
	if (need_text(&filter, call, "filter", e) < 0 ||
	    find_input(&input, call, e) < 0)
		return -1;
	jsonw_array(&a->data, NULL);
	count = sift(&a->data, filter, input, e);
	jsonw_end_array(&a->data);
	json_free(input);
	buf_fmt(&a->summary, count == 1 ? "%d result" : "%d results", count);
	return count < 0 ? -1 : 0;
}

int
builtin_serve(int in, struct err *e)
{
	static const struct serve table[] = {
	    {"evaluate_math", evaluate_math},
	    {"query_json", query_json},
	    {"measure_text_length", measure_text_length},
	    {"tool_search", tool_search},
	    {"inspect_runtime", inspect_runtime},
	    {0},
	};

	return serve_run(in, table, NULL, e);
}
