#include "record/gap.h"

#include <string.h>

#include "core/buf.h"
#include "ext/json.h"
#include "ext/jsonw.h"

enum { ID_LEAST = 17, ID_MOST = 20, LEVELS = 8 };

const char gap_text[] = "(Left out: a message that this rested on was deleted, "
			"or may not be read any more.)";

const char gap_name[] = "unknown";

static void
keep(struct buf *b, const struct json *v, const char *key)
{
	if (json_get(v, key))
		jsonw_value(b, key, json_get(v, key));
}

static void
put_source(struct buf *b, const char *key, const struct json *source)
{
	static const char *const kept[] = {"type", "id", "kind", "url",
	    "revision", "author", "channel", "at"};

	jsonw_object(b, key);
	for (size_t i = 0; i < sizeof(kept) / sizeof(*kept); i++)
		keep(b, source, kept[i]);
	jsonw_bool(b, "gone", true);
	jsonw_end_object(b);
}

/* An id of Discord's, bare or in a mention: "<@&123>". */
static bool
is_id(const char *text)
{
	size_t n;

	if (!text)
		return false;
	if (*text == '<')
		text += 1 + strspn(text + 1, "@#&!");
	n = strspn(text, "0123456789");
	return n >= ID_LEAST && n <= ID_MOST &&
	       (!text[n] || (text[n] == '>' && !text[n + 1]));
}

static void put_data(struct buf *b, const char *key, const struct json *v,
    int level);

static void /* NOLINTNEXTLINE(misc-no-recursion): LEVELS */
put_members(struct buf *b, const struct json *v, int level)
{
	for (v = json_first(v); v; v = json_next(v))
		put_data(b, json_key(v), v, level);
}

/* A key may be data, too: only short words of a schema are kept. */
static bool
is_word(const char *key)
{
	return !key ||
	       strspn(key, "abcdefghijklmnopqrstuvwxyz_") == strlen(key);
}

static void /* NOLINTNEXTLINE(misc-no-recursion): LEVELS */
put_data(struct buf *b, const char *key, const struct json *v, int level)
{
	if (level > LEVELS || !is_word(key))
		return;
	switch (json_kind(v)) {
	case JSON_OBJECT:
		jsonw_object(b, key);
		put_members(b, v, level + 1);
		jsonw_end_object(b);
		break;
	case JSON_ARRAY:
		jsonw_array(b, key);
		put_members(b, v, level + 1);
		jsonw_end_array(b);
		break;
	case JSON_STRING:
		if (is_id(json_text(v)))
			jsonw_value(b, key, v);
		break;
	case JSON_BOOL: jsonw_value(b, key, v); break;
	case JSON_NUMBER: /* of few digits: a count, a place */
		if (strlen(json_text(v)) <= 6)
			jsonw_value(b, key, v);
		break;
	default: break;
	}
}

void
gap_data(struct buf *b, const char *key, const struct json *v)
{
	put_data(b, key, v, 0);
}

void
gap_said(struct buf *b, const struct json *record)
{
	jsonw_object(b, NULL);
	for (const struct json *m = json_first(record); m; m = json_next(m))
		if (strcmp(json_key(m), "text") == 0)
			jsonw_str(b, "text", gap_text);
		else if (strcmp(json_key(m), "sources") != 0)
			jsonw_value(b, json_key(m), m);
	if (json_get(record, "sources")) {
		jsonw_array(b, "sources");
		jsonw_end_array(b);
	}
	jsonw_end_object(b);
}

static bool
is_message(const struct json *source)
{
	const char *kind = json_string(source, "kind");

	return !kind || strcmp(kind, "message") == 0;
}

static bool
is_gone(const struct json *source, gap_fn *gone, void *ctx)
{
	const char *url = json_string(source, "url");

	return json_bool(source, "gone", false) || (url && gone(ctx, url));
}

static bool
any_gone(const struct json *sources, gap_fn *gone, void *ctx)
{
	for (const struct json *s = json_first(sources); s; s = json_next(s))
		if (is_gone(s, gone, ctx))
			return true;
	return false;
}

static void
put_sources(struct buf *b, const struct json *sources, bool derived,
    gap_fn *gone, void *ctx)
{
	jsonw_array(b, "sources");
	for (const struct json *s = json_first(sources); s; s = json_next(s))
		if (derived && !is_message(s))
			continue;
		else if (is_gone(s, gone, ctx))
			put_source(b, NULL, s);
		else
			jsonw_value(b, NULL, s);
	jsonw_end_array(b);
}

bool
gap_record(struct buf *b, const struct json *record, bool derived, gap_fn *gone,
    void *ctx)
{
	static const char *const safe[] = {"type", "id", "ok", "kind", "code",
	    "wait_ms", "effect", "reveal"};
	const struct json *sources = json_get(record, "sources");
	const bool met = any_gone(sources, gone, ctx);

	if (!met && !derived) {
		jsonw_value(b, NULL, record);
		return false;
	}
	jsonw_object(b, NULL);
	for (size_t i = 0; i < sizeof(safe) / sizeof(*safe); i++)
		keep(b, record, safe[i]);
	if (json_get(record, "summary"))
		jsonw_str(b, "summary", gap_text);
	if (json_get(record, "text"))
		jsonw_str(b, "text", gap_text);
	gap_data(b, "data", json_get(record, "data"));
	if (sources)
		put_sources(b, sources, derived, gone, ctx);
	if (!derived) {
		keep(b, record, "cursor");
		keep(b, record, "coverage");
	}
	jsonw_end_object(b);
	return met;
}

void
gap_message(struct buf *b, const struct json *message, gap_name_fn *known,
    void *ctx)
{
	const char *name;
	const struct json *c = json_first(json_get(message, "calls"));

	jsonw_object(b, NULL);
	jsonw_str(b, "role", "assistant");
	jsonw_str(b, "text", gap_text);
	jsonw_array(b, "calls");
	for (; c; c = json_next(c)) {
		jsonw_object(b, NULL);
		jsonw_opt(b, "id", json_string(c, "id"));
		name = json_string(c, "name");
		jsonw_str(b, "name",
		    name && known(ctx, name) ? name : gap_name);
		jsonw_str(b, "arguments", "{}");
		jsonw_end_object(b);
	}
	jsonw_end_array(b);
	jsonw_end_object(b);
}
