#include "deliver/trace.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/err.h"
#include "core/id.h"
#include "core/utf8.h"
#include "deliver/setback.h"
#include "discord/breaks.h"
#include "ext/json.h"
#include "store/letter.h"

enum { LETTER_BYTES = 4 }; /* at most; the NUL ends it before */

enum { PAGE = 100, PAGES_MAX = 50, UNAUTHORIZED = 401 };

static void on_page(void *ctx);

static void
finish(struct trace *t, enum trace_end end, const char *why)
{
	t->end = end;
	snprintf(t->why, sizeof(t->why), "%s", why);
	t->ended(t->ctx);
}

static int
ask(struct trace *t, struct err *e)
{
	buf_clear(&t->path);
	if (t->probe)
		buf_fmt(&t->path, "/channels/%s/messages?limit=1", t->channel);
	else
		buf_fmt(&t->path, "/channels/%s/messages?limit=%d&after=%s",
		    t->channel, PAGE, t->after);
	t->call.method = "GET";
	t->call.path = buf_text(&t->path);
	t->call.ended = on_page;
	t->call.ctx = t;
	return rest_start(t->rest, &t->call, e);
}

static void
go_on(struct trace *t)
{
	struct err e = {0};

	if (ask(t, &e) < 0)
		finish(t, TRACE_LATER, e.text);
}

/* The next character that is not white space; 0 at the end. */
static uint32_t
next_shown(const char **text)
{
	bool holds, blank = true;
	uint32_t cp = 0;

	while (blank && **text) {
		*text += utf8_next(*text, LETTER_BYTES, &cp);
		blank = breaks_blank(cp, &holds);
	}
	return blank ? 0 : cp;
}

/* Discord takes white space away; who knows where, next year. */
static bool
reads_alike(const char *a, const char *b)
{
	uint32_t cp;

	do {
		cp = next_shown(&a);
		if (cp != next_shown(&b))
			return false;
	} while (cp);
	return true;
}

/* Has the message a row with a button of that custom id? */
static bool
has_button(const struct json *m, const char *custom_id)
{
	const struct json *row = json_first(json_get(m, "components"));

	for (; row; row = json_next(row)) {
		const struct json *b = json_first(json_get(row, "components"));

		for (; b; b = json_next(b)) {
			const char *id = json_string(b, "custom_id");

			if (id && strcmp(id, custom_id) == 0)
				return true;
		}
	}
	return false;
}

/* Is this message the one: 1, 0 or -1. */
static int
is_it(const struct trace *t, const struct json *m, struct err *e)
{
	const char *author = json_string(json_get(m, "author"), "id");
	const char *text = json_string(m, "content");
	const char *id = json_string(m, "id");
	const char *nonce = json_text(json_get(m, "nonce"));
	const char *reply = json_string(json_get(m, "message_reference"),
	    "message_id");
	int known;

	if (!author || strcmp(author, t->us) != 0 || !text || !id)
		return 0;
	known = letter_known(t->tasks, id, e);
	if (known == 0 && t->known)
		known = t->known(t->ctx, id, e);
	if (known != 0)
		return known < 0 ? -1 : 0;
	if (t->button)
		return has_button(m, t->button);
	if (t->is)
		return t->is(t->ctx, m);
	if (nonce)
		return strcmp(nonce, t->nonce) == 0;
	if (reply && (!t->reply || strcmp(reply, t->reply) != 0))
		return 0;
	return reads_alike(text, t->text);
}

/* Look at a page: 1 found, 0 not, -1. The newest id is where to go on. */
static int
look(struct trace *t, const struct json *page, bool *last, struct err *e)
{
	uint64_t newest = 0, id;
	int found = 0;

	for (const struct json *m = json_first(page); m && !found;
	     m = json_next(m)) {
		const char *text = json_string(m, "id");

		if (snowflake_read(&id, text) < 0)
			continue;
		t->seen = true;
		if (id > newest)
			newest = id;
		found = is_it(t, m, e);
		if (found > 0)
			snprintf(t->message, sizeof(t->message), "%s", text);
	}
	*last = json_count(page) < PAGE || !newest ||
		snowflake_ms(newest) > t->to_ms;
	snprintf(t->after, sizeof(t->after), "%" PRIu64, newest);
	return found;
}

static void
take(struct trace *t, const struct json *page)
{
	struct err e = {0};
	bool last = true;
	int found = look(t, page, &last, &e);

	if (found < 0)
		finish(t, TRACE_LATER, e.text);
	else if (found)
		finish(t, TRACE_FOUND, "");
	else if (t->probe && !t->seen)
		finish(t, TRACE_UNSEEN,
		    "the channel's history can't be read, so I can't tell "
		    "whether it arrived");
	else if (t->probe || (last && t->seen))
		finish(t, TRACE_ABSENT, "");
	else if (!last && ++t->pages >= PAGES_MAX)
		finish(t, TRACE_UNSEEN,
		    "too much was written since to tell whether it arrived");
	else {
		t->probe = last; /* nothing since then: is it readable? */
		go_on(t);
	}
}

static void
on_page(void *ctx)
{
	struct trace *t = ctx;
	struct json *page = NULL;
	struct err e = {0};
	char why[400];

	if (t->call.end != REST_ANSWERED)
		finish(t,
		    t->call.verdict.kind == ERR_CONFIG ? TRACE_STOP
						       : TRACE_LATER,
		    t->call.verdict.text);
	else if (t->call.status == UNAUTHORIZED)
		finish(t, TRACE_STOP, t->call.verdict.text);
	else if (t->call.verdict.kind == ERR_AGAIN)
		finish(t, TRACE_LATER, t->call.verdict.text);
	else if (t->call.verdict.kind) {
		setback_reason(why, sizeof(why), &t->call);
		finish(t, TRACE_UNSEEN, why);
	} else if (json_read(&page, buf_text(&t->call.reply), t->call.reply.len,
		       &e) < 0 ||
		   json_kind(page) != JSON_ARRAY)
		finish(t, TRACE_LATER, "Discord's answer is no list");
	else
		take(t, page);
	json_free(page);
}

int
trace_start(struct trace *t, struct err *e)
{
	t->end = TRACE_RUNS;
	t->pages = 0;
	t->seen = t->probe = false;
	snprintf(t->after, sizeof(t->after), "%" PRIu64,
	    snowflake_first(t->from_ms));
	return ask(t, e);
}

void
trace_release(struct trace *t)
{
	rest_release(&t->call);
	buf_release(&t->path);
	*t = (struct trace){0};
}
