#include "retrieve/tools.h"

#include <string.h>

#include "core/buf.h"
#include "core/err.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "record/call.h"
#include "record/message.h"
#include "retrieve/chance.h"
#include "retrieve/fetch.h"
#include "retrieve/indexing.h"
#include "retrieve/lookup.h"
#include "record/source.h"
#include "retrieve/output.h"
#include "retrieve/page.h"
#include "retrieve/places.h"
#include "retrieve/wish.h"
#include "tool/serve.h"

static void
add_counts(struct answer_parts *a, const struct page *p)
{
	struct buf *s = &a->summary;

	if (p->lane == CURSOR_RELEVANCE)
		buf_fmt(s,
		    "%zu matching messages and their neighbours, best "
		    "exchange first",
		    p->hits);
	else
		buf_fmt(s, "%zu messages in order of time", p->hits);
	if (!p->hits)
		buf_str(s, "; see coverage for what was searched");
	buf_str(s, p->more ? "; the cursor leads to more" : "; no more");
	jsonw_object(&a->data, NULL);
	jsonw_int(&a->data, "count", (int64_t)p->hits);
	if (p->found >= 0)
		jsonw_int(&a->data, "found", p->found);
	else if (p->scope.chosen)
		jsonw_int(&a->data, "found_at_most",
		    (int64_t)p->scope.only.count);
	jsonw_bool(&a->data, "more", p->more);
	jsonw_end_object(&a->data);
	if (p->more)
		buf_str(&a->cursor, buf_text(&p->cursor));
}

static int
answer_page(struct lookup *l, const struct call *call, const struct wish *w,
    struct answer_parts *a, struct err *e)
{
	struct page p = {0};
	int result = -1;

	if (corpus_begin_for(&l->corpus, &call->context, e) < 0)
		return -1;
	if (page_find(&p, &l->corpus, w, e) < 0 ||
	    output_sources(&a->sources, &l->corpus, &p, e) < 0 ||
	    output_coverage(&a->coverage, &p, e) < 0)
		goto out;
	add_counts(a, &p);
	result = 0;
out:
	page_release(&p);
	corpus_end(&l->corpus);
	return result;
}

/*
 * The wish in a call's arguments, with the limits that the manifests promise.
 */
static int
read_wish(struct wish *w, const struct call *call, struct err *e)
{
	wish_start(w);
	w->limit = TOOLS_LIMIT;
	w->context = TOOLS_CONTEXT;
	return wish_read(w, call->arguments.tree, e);
}

static int
retrieve_messages(void *ctx, const struct call *call, struct answer_parts *a,
    struct err *e)
{
	struct wish w;

	if (read_wish(&w, call, e) < 0)
		return -1;
	return answer_page(ctx, call, &w, a, e);
}

static int
search_messages(void *ctx, const struct call *call, struct answer_parts *a,
    struct err *e)
{
	struct wish w;

	if (read_wish(&w, call, e) < 0)
		return -1;
	if (!w.query)
		return err_set(e, ERR_INPUT, "text is missing");
	if (w.match == MATCH_BEST)
		w.match = MATCH_ALL;
	return answer_page(ctx, call, &w, a, e);
}

static int
add_picked(struct lookup *l, uint32_t ord, int64_t of, struct answer_parts *a,
    struct err *e)
{
	struct fetch f = {.corpus = &l->corpus, .plain = true};
	struct message m = {0};
	int row = ord ? fetch_message(&f, ord, &m, e) : 0;

	jsonw_array(&a->sources, NULL);
	if (row > 0)
		source_of_message(&a->sources, &m);
	jsonw_end_array(&a->sources);
	buf_fmt(&a->summary,
	    row > 0 ? "one of %lld messages" : "none of %lld messages",
	    (long long)of);
	jsonw_object(&a->data, NULL);
	jsonw_int(&a->data, "picked_from", of);
	jsonw_end_object(&a->data);
	fetch_release(&f);
	message_release(&m);
	return row < 0 ? -1 : 0;
}

static int
random_channel_message(void *ctx, const struct call *call,
    struct answer_parts *a, struct err *e)
{
	struct lookup *l = ctx;
	struct scope scope = {0};
	struct wish w;
	uint32_t ord = 0;
	int64_t of;
	int result = -1;

	if (read_wish(&w, call, e) < 0 ||
	    corpus_begin_for(&l->corpus, &call->context, e) < 0)
		return -1;
	if (scope_open(&scope, &l->corpus, &w, e) == 0 &&
	    chance_pick(&scope, &ord, &of, e) == 0)
		result = add_picked(l, ord, of, a, e);
	scope_release(&scope);
	corpus_end(&l->corpus);
	return result;
}

static int
resolve_member_identity(void *ctx, const struct call *call,
    struct answer_parts *a, struct err *e)
{
	struct lookup *l = ctx;
	const struct json *in = call->arguments.tree;
	const char *name = json_string(in, "name");
	int64_t limit = json_int(in, "limit", 10);
	int result;

	if (!name)
		return err_set(e, ERR_INPUT, "name is missing");
	if (limit < 1 || limit > TARGETS_MAX)
		return err_set(e, ERR_INPUT, "limit is no number from 1 to %d",
		    TARGETS_MAX);
	if (corpus_begin_for(&l->corpus, &call->context, e) < 0)
		return -1;
	result = places_member(&l->corpus, name, (size_t)limit, &a->data,
	    &a->summary, e);
	corpus_end(&l->corpus);
	return result;
}

static int
resolve_channel_targets(void *ctx, const struct call *call,
    struct answer_parts *a, struct err *e)
{
	struct lookup *l = ctx;
	const struct json *names = json_get(call->arguments.tree, "names");
	int result;

	if (json_kind(names) != JSON_ARRAY)
		return err_set(e, ERR_INPUT, "names is no list");
	if (json_count(names) > TARGETS_MAX)
		return err_set(e, ERR_INPUT, "more than %d names", TARGETS_MAX);
	if (corpus_begin_for(&l->corpus, &call->context, e) < 0)
		return -1;
	result = places_channels(&l->corpus, names, &a->data, &a->summary, e);
	corpus_end(&l->corpus);
	return result;
}

static int
list_guild_structure(void *ctx, const struct call *call, struct answer_parts *a,
    struct err *e)
{
	struct lookup *l = ctx;
	const struct json *in = call->arguments.tree;
	struct places_wish w = {.category = json_string(in, "category"),
	    .threads = json_bool(in, "threads", false),
	    .limit = json_int(in, "limit", 100),
	    .cursor = json_string(in, "cursor")};
	int result;

	if (w.limit < 1 || w.limit > PLACES_LIMIT)
		return err_set(e, ERR_INPUT, "limit is no number from 1 to %d",
		    PLACES_LIMIT);
	if (corpus_begin_for(&l->corpus, &call->context, e) < 0)
		return -1;
	result = places_list(&l->corpus, &w, &a->data, &a->summary, &a->cursor,
	    e);
	corpus_end(&l->corpus);
	return result;
}

static int
index_channel(void *ctx, const struct call *call, struct answer_parts *a,
    struct err *e)
{
	struct lookup *l = ctx;

	return indexing_queue(&l->corpus, call, a, e);
}

int
tools_serve(struct lookup *l, int in, struct err *e)
{
	static const struct serve table[] = {
	    {"retrieve_messages", retrieve_messages},
	    {"search_messages", search_messages},
	    {"random_channel_message", random_channel_message},
	    {"resolve_member_identity", resolve_member_identity},
	    {"resolve_channel_targets", resolve_channel_targets},
	    {"list_guild_structure", list_guild_structure},
	    {"index_channel", index_channel},
	    {NULL, NULL},
	};

	return serve_run(in, table, l, e);
}
