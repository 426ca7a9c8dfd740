#include "model/chat_reply.h"

#include <string.h>
#include <strings.h>

#include "core/err.h"
#include "core/utf8.h"
#include "ext/json.h"
#include "model/aliases.h"
#include "model/profile.h"
#include "record/delta.h"
#include "record/error.h"
#include "record/finish.h"
#include "record/reasoning.h"
#include "record/request.h"
#include "record/tool_call.h"

enum { PIECE_MAX = 64 << 10 }; /* bytes of text in a record */

/* What sse's callback needs. */
struct feeding {
	struct chat_reply *reply;
	struct buf *out;
};

static bool
is_one_of(const char *word, const char *const *words)
{
	for (; *words; words++)
		if (strcasecmp(word, *words) == 0)
			return true;
	return false;
}

/* A finish reason in any dialect. An unknown one ends the reply as `stop`. */
static void
take_reason(struct chat_reply *r, const char *word)
{
	static const char *const cut[] = {"length", "max_tokens",
	    "max_output_tokens", "model_length", NULL};
	static const char *const filtered[] = {"content_filter",
	    "content-filter", "safety", "recitation", "blocklist",
	    "prohibited_content", "spii", "refusal", "sensitive", NULL};
	static const char *const failed[] = {"error", "network_error",
	    "malformed_function_call", "insufficient_system_resource", NULL};

	if (!word || !*word)
		return;
	r->finished = true;
	if (is_one_of(word, cut))
		r->cut = true;
	else if (is_one_of(word, filtered))
		r->filtered = true;
	else if (is_one_of(word, failed))
		refusal_set(&r->gave_up, ERR_AGAIN, "provider",
		    "the provider ended the reply with '%.60s'", word);
}

/* Put what was gathered of a payload out, in records of a bounded size. */
static void
flush_text(struct chat_reply *r, struct buf *from, bool reasoning,
    struct buf *out)
{
	struct buf piece = {0};

	for (size_t at = 0, n; at < from->len; at += n) {
		n = utf8_cut(from->data + at, from->len - at, PIECE_MAX);
		buf_clear(&piece);
		buf_add(&piece, from->data + at, n);
		if (reasoning)
			reasoning_write(out,
			    &(struct reasoning){r->request->id, piece.data});
		else
			delta_write(out,
			    &(struct delta){r->request->id, piece.data});
		r->shown = true;
	}
	buf_clear(from);
	buf_release(&piece);
}

/* Text, null, or a list of parts; a refusal is text, too. */
static void
take_content(struct chat_reply *r, const struct json *message)
{
	const struct json *content = json_get(message, "content");

	if (json_kind(content) == JSON_STRING)
		buf_str(&r->text, json_text(content));
	if (json_kind(content) == JSON_ARRAY)
		for (content = json_first(content); content;
		     content = json_next(content)) {
			buf_str(&r->text, json_string(content, "text"));
			buf_str(&r->text, json_string(content, "refusal"));
		}
	buf_str(&r->text, json_string(message, "refusal"));
}

static int
take_message(struct chat_reply *r, const struct json *message, struct err *e)
{
	const struct json *call = json_get(message, "tool_calls");

	thought_add(&r->thought, message, &r->thinking);
	take_content(r, message);
	if (json_kind(call) == JSON_ARRAY)
		for (call = json_first(call); call; call = json_next(call))
			if (calls_add(&r->calls, call, e) < 0)
				return -1;
	return calls_add_legacy(&r->calls, json_get(message, "function_call"),
	    e);
}

static void
too_long(struct chat_reply *r, const char *why)
{
	r->over = true;
	refusal_set(&r->refusal, ERR_REFUSED, "too_long", "%s", why);
}

/* Did that say anything, beside that the server is still there? */
static bool
says(const struct chat_reply *r, const struct json *message)
{
	return r->text.len || r->thinking.len || r->finished ||
	       json_first(json_get(message, "tool_calls")) ||
	       json_get(message, "function_call");
}

static void
take_choice(struct chat_reply *r, const struct json *choice)
{
	const struct json *message = json_get(choice, "delta");
	const char *native = json_string(choice, "native_finish_reason");
	struct err e = {0};

	if (json_int(choice, "index", 0) != 0)
		return; /* one was asked for */
	r->answered = true;
	if (refusal_find(&r->refusal, choice))
		r->over = true;
	if (json_kind(message) != JSON_OBJECT)
		message = json_get(choice, "message");
	if (take_message(r, message, &e) < 0)
		too_long(r, e.text);
	/* A router may say `tool_calls` where only this tells of a cut. */
	if (json_string(choice, "finish_reason"))
		take_reason(r, native);
	take_reason(r, json_string(choice, "finish_reason"));
	r->content += says(r, message);
}

static void
take_payload(struct chat_reply *r, const struct json *root, struct buf *out)
{
	const struct json *choice = json_get(root, "choices");

	meter_add(&r->meter, root);
	if (refusal_find(&r->refusal, root)) {
		r->over = true;
		return;
	}
	if (json_kind(choice) == JSON_ARRAY)
		for (choice = json_first(choice); choice && !r->over;
		     choice = json_next(choice))
			take_choice(r, choice);
	flush_text(r, &r->thinking, true, out);
	flush_text(r, &r->text, false, out);
}

static int
take_text(struct chat_reply *r, const char *data, size_t len, struct buf *out,
    struct err *e)
{
	struct json *root = NULL;
	int result = json_read(&root, data, len, e);

	if (result == 0)
		take_payload(r, root, out);
	json_free(root);
	return result;
}

static int
take_event(void *ctx, const char *name, const char *data, size_t len,
    struct err *e)
{
	struct feeding *f = ctx;
	struct chat_reply *r = f->reply;
	struct err why = {0};

	(void)e;
	if (r->over || !len)
		return 0;
	if (strcmp(data, "[DONE]") == 0) {
		r->over = true;
		r->finished = true;
	} else if (take_text(r, data, len, f->out, &why) < 0 && !r->ending) {
		r->over = true;
		refusal_set(&r->refusal, ERR_AGAIN, "not_json",
		    "in the stream: %s", why.text);
	} else if (strcmp(name, "error") == 0 && !r->refusal.kind) {
		r->over = true;
		refusal_set(&r->refusal, ERR_AGAIN, "provider",
		    "the provider sent an error: %.200s", data);
	}
	return 0;
}

/* Skip the white space that some send first to keep a connection alive. */
static void
skip_blank(struct chat_reply *r, const char **bytes, size_t *len)
{
	while (!r->first && *len) {
		if (!strchr(" \t\r\n", **bytes) || !**bytes) {
			r->first = **bytes;
			if (!r->first)
				r->first = ' ';
			return;
		}
		++*bytes;
		--*len;
	}
}

void
chat_reply_feed(struct chat_reply *r, const char *bytes, size_t len,
    struct buf *out)
{
	r->bytes += len;
	skip_blank(r, &bytes, &len);
	if (r->over || !len)
		return;
	if (r->bytes > CHAT_REPLY_MAX) {
		too_long(r, "the reply is too long");
	} else if (r->first == '{' || r->first == '<') {
		buf_add(&r->whole, bytes, len);
		r->content++;
	} else {
		struct feeding f = {.reply = r, .out = out};
		struct err e = {0};

		if (sse_feed(&r->sse, bytes, len, take_event, &f, &e) < 0)
			too_long(r, e.text);
	}
}

static void
end_whole(struct chat_reply *r, struct buf *out)
{
	struct err e = {0};

	if (r->first != '{' ||
	    take_text(r, buf_text(&r->whole), r->whole.len, out, &e) < 0)
		refusal_set(&r->refusal, ERR_AGAIN, "not_json",
		    "the reply is not the JSON it should be%s%s",
		    e.kind ? ": " : "", e.text);
	else if (!r->answered && !r->refusal.kind)
		refusal_set(&r->refusal, ERR_AGAIN, "provider",
		    "the reply has neither an answer nor an error");
	r->finished = true;
}

static void
write_usage(const struct chat_reply *r, struct buf *out)
{
	char cost[METER_COST_MAX];
	struct usage u = {
	    .id = r->request->id,
	    .task = r->request->task,
	    .profile = r->profile->id,
	    .model = r->profile->model,
	    .purpose = r->request->purpose,
	};

	meter_fill(&r->meter, r->profile->priced ? &r->profile->prices : NULL,
	    cost, &u);
	if (u.input.known || u.output.known || u.cost)
		usage_write(out, &u);
}

static void
write_calls(const struct chat_reply *r, struct buf *out)
{
	for (size_t i = 0; i < r->calls.count; i++) {
		const struct model_call *c = &r->calls.list[i];

		tool_call_write(out,
		    &(struct tool_call){
			.id = r->request->id,
			.index = (int64_t)i,
			.call = c->id,
			.name = aliases_own(r->aliases, c->name ? c->name : ""),
			.arguments = buf_text(&c->arguments),
		    });
	}
}

/* The reply is whole, and is no error. */
static void
finish(struct chat_reply *r, struct buf *out)
{
	struct buf echo = {0};
	bool cut = r->cut || r->filtered || r->gave_up.kind;
	size_t lost = calls_end(&r->calls, cut);
	struct finish f = {.id = r->request->id, .reason = FINISH_STOP};

	if (r->gave_up.kind && !r->calls.count) {
		chat_reply_fail(r, &r->gave_up, 0, out);
		return;
	}
	if (r->calls.count && !lost)
		f.reason = FINISH_CALLS;
	else if (r->filtered)
		f.reason = FINISH_FILTER;
	else if (cut)
		f.reason = FINISH_LENGTH;
	if (thought_write(&r->thought, r->profile->model, &echo))
		f.echo.text = echo.data;
	write_calls(r, out);
	write_usage(r, out);
	finish_write(out, &f);
	buf_release(&echo);
}

void
chat_reply_end(struct chat_reply *r, struct buf *out)
{
	struct feeding f = {.reply = r, .out = out};
	struct err e = {0};

	r->ending = true;
	if (!r->over && (r->first == '{' || r->first == '<'))
		end_whole(r, out);
	else if (!r->over)
		(void)sse_end(&r->sse, take_event, &f, &e);
	if (!r->finished && !r->refusal.kind)
		refusal_set(&r->refusal, ERR_AGAIN, "truncated",
		    "the connection ended before the reply did");
	if (r->refusal.kind)
		chat_reply_fail(r, &r->refusal, 0, out);
	else
		finish(r, out);
}

void
chat_reply_fail(struct chat_reply *r, const struct refusal *why,
    int64_t wait_ms, struct buf *out)
{
	if (why != &r->refusal)
		r->refusal = *why;
	why = &r->refusal;
	refusal_blot(&r->refusal, r->secret);
	write_usage(r, out);
	error_write(out, &(struct error){
			     .id = r->request->id,
			     .kind = why->kind,
			     .text = why->text,
			     .code = why->code,
			     .wait_ms = wait_ms,
			     .limit = why->limit,
			     .over = why->over,
			 });
}

void
chat_reply_release(struct chat_reply *r)
{
	sse_release(&r->sse);
	buf_release(&r->whole);
	buf_release(&r->text);
	buf_release(&r->thinking);
	calls_release(&r->calls);
	thought_release(&r->thought);
	*r = (struct chat_reply){0};
}
