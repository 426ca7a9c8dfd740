#include "discord/verdict.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "core/buf.h"
#include "core/utf8.h"
#include "ext/json.h"

enum {
	UNAUTHORIZED = 401,
	TOO_MANY = 429,
	SERVER_ERROR = 500,
	PLACE_MAX = 160, /* bytes of a place in a form */
	TEXT_MAX = 380,
	ROOM = 4 * TEXT_MAX,
};

static enum err_kind
kind_of(int status)
{
	if (status >= 200 && status < 300)
		return ERR_NONE;
	if (status == UNAUTHORIZED)
		return ERR_CONFIG;
	return status == TOO_MANY || status >= SERVER_ERROR ? ERR_AGAIN
							    : ERR_REFUSED;
}

/* A place being walked to, and the deepest that was found. */
struct walk {
	struct buf place, deepest;
	const struct json *fault;
	int depth;
};

static void
add_step(struct buf *place, const char *key)
{
	bool number = *key && strspn(key, "0123456789") == strlen(key);

	if (number)
		buf_fmt(place, "[%s]", key);
	else
		buf_fmt(place, "%s%s", place->len ? "." : "", key);
}

static void
keep(struct walk *w, const struct json *faults, int depth)
{
	if (depth <= w->depth || !json_first(faults))
		return;
	w->depth = depth;
	w->fault = json_first(faults);
	buf_clear(&w->deepest);
	buf_str(&w->deepest, buf_text(&w->place));
}

static void /* NOLINTNEXTLINE(misc-no-recursion): JSON_DEPTH */
walk(struct walk *w, const struct json *v, int depth)
{
	const struct json *m = json_kind(v) == JSON_OBJECT ? json_first(v)
							   : NULL;
	size_t len = w->place.len;

	for (; m; m = json_next(m)) {
		if (strcmp(json_key(m), "_errors") == 0) {
			keep(w, m, depth);
			continue;
		}
		add_step(&w->place, json_key(m));
		walk(w, m, depth + 1);
		w->place.len = len;
		w->place.full = false;
		if (w->place.data)
			w->place.data[len] = '\0';
	}
}

static void
add_fault(struct buf *text, const struct json *errors)
{
	struct walk w = {.place.limit = PLACE_MAX, .deepest.limit = PLACE_MAX};
	const char *why;

	walk(&w, errors, 1);
	if (w.fault) {
		why = json_string(w.fault, "message");
		if (!why)
			why = json_string(w.fault, "code");
		buf_str(text, ": ");
		if (w.deepest.len)
			buf_fmt(text, "%s: ", buf_text(&w.deepest));
		buf_str(text, why ? why : "it is wrong");
	}
	buf_release(&w.place);
	buf_release(&w.deepest);
}

/* Of a proxy's page nobody needs more than that there was one. */
static void
describe(struct buf *text, struct verdict *v, int status,
    const struct json *root)
{
	const char *message = json_string(root, "message");

	v->code = json_int(root, "code", 0);
	if (v->code)
		buf_fmt(text, "%lld ", (long long)v->code);
	else
		buf_fmt(text, "HTTP %d", status);
	if (message)
		buf_fmt(text, "%s%.200s", v->code ? "" : ": ", message);
	add_fault(text, json_get(root, "errors"));
}

void
verdict_read(struct verdict *v, int status, const char *body, size_t len)
{
	struct buf text = {.limit = ROOM};
	struct json *root = NULL;
	struct err e = {0};

	*v = (struct verdict){.kind = kind_of(status)};
	if (!v->kind)
		return;
	(void)json_object(&root, body, len, &e);
	describe(&text, v, status, root);
	utf8_tame(v->text, TEXT_MAX, buf_text(&text));
	json_free(root);
	buf_release(&text);
}
