#include "model/chat_request.h"

#include <stdlib.h>
#include <string.h>

#include "core/base64.h"
#include "core/buf.h"
#include "core/err.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "model/aliases.h"
#include "model/gallery.h"
#include "model/pairs.h"
#include "model/profile.h"
#include "record/exhibit.h"
#include "record/request.h"

struct writing {
	struct buf *body;
	const struct request *request;
	const struct profile *profile;
	struct gallery *gallery;
	struct aliases *names;
};

static void
write_system(const struct writing *w)
{
	struct buf text = {0};

	for (size_t i = 0; i < w->request->message_count; i++) {
		const struct request_message *m = &w->request->messages[i];

		if (m->role != ROLE_SYSTEM || !m->text || !*m->text)
			continue;
		if (text.len)
			buf_str(&text, "\n\n");
		buf_str(&text, m->text);
	}
	if (text.len) {
		jsonw_object(w->body, NULL);
		jsonw_str(w->body, "role", "system");
		jsonw_str(w->body, "content", text.data);
		jsonw_end_object(w->body);
	}
	buf_release(&text);
}

static void
write_calls(const struct writing *w, const struct request_message *m)
{
	jsonw_array(w->body, "tool_calls");
	for (size_t i = 0; i < m->call_count; i++) {
		const struct request_call *c = &m->calls[i];

		jsonw_object(w->body, NULL);
		jsonw_str(w->body, "id", c->id);
		jsonw_str(w->body, "type", "function");
		jsonw_object(w->body, "function");
		jsonw_str(w->body, "name", aliases_wire(w->names, c->name));
		jsonw_str(w->body, "arguments",
		    json_is_object(c->arguments, strlen(c->arguments))
			? c->arguments
			: "{}");
		jsonw_end_object(w->body);
		jsonw_end_object(w->body);
	}
	jsonw_end_array(w->body);
}

/* Send the provider's own fields back, if it wants them, and to none other. */
static void
write_echo(const struct writing *w, const struct request_message *m)
{
	static const char *const fields[] = {"reasoning_content", "reasoning",
	    "reasoning_details"};
	const char *thinker = json_string(m->echo.tree, "model");

	if (w->profile->echo == ECHO_NEVER ||
	    (w->profile->echo == ECHO_CALLS && !m->call_count) ||
	    (thinker && strcmp(thinker, w->profile->model) != 0))
		return;
	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++) {
		const struct json *v = json_get(m->echo.tree, fields[i]);

		if (v)
			jsonw_value(w->body, fields[i], v);
	}
}

/* The text of a message, and what of its media is not shown. */
static void
write_words(const struct writing *w, const struct request_message *m,
    struct buf *text)
{
	bool led = false;

	buf_str(text, m->text);
	for (size_t i = 0; i < m->media_count; i++) {
		const struct gallery_item *item = gallery_find(w->gallery,
		    &m->media[i]);

		if (item->shown)
			continue;
		if (!led && text->len)
			buf_char(text, '\n');
		buf_str(text, led ? "\n" : "[not shown]\n");
		led = true;
		jsonw_object(text, NULL);
		jsonw_str(text, "name", item->exhibit->name);
		jsonw_str(text, "type", item->exhibit->type);
		jsonw_str(text, "why", item->why);
		jsonw_end_object(text);
	}
}

static void
write_picture(const struct writing *w, const struct gallery_item *item)
{
	struct buf url = {0};

	if (!item->exhibit->url) {
		buf_fmt(&url, "data:%s;base64,", item->exhibit->type);
		base64_add(&url, item->bytes.data, item->bytes.len);
	}
	jsonw_str(w->body, "type", "image_url");
	jsonw_object(w->body, "image_url");
	jsonw_str(w->body, "url", url.len ? url.data : item->exhibit->url);
	jsonw_end_object(w->body);
	buf_release(&url);
}

static void
write_sound(const struct writing *w, const struct gallery_item *item)
{
	struct buf data = {0};

	base64_add(&data, item->bytes.data, item->bytes.len);
	jsonw_str(w->body, "type", "input_audio");
	jsonw_object(w->body, "input_audio");
	jsonw_str(w->body, "data", data.data);
	jsonw_str(w->body, "format", item->format);
	jsonw_end_object(w->body);
	buf_release(&data);
}

static void
write_parts(const struct writing *w, const struct request_message *m,
    const char *text)
{
	jsonw_array(w->body, "content");
	if (*text) {
		jsonw_object(w->body, NULL);
		jsonw_str(w->body, "type", "text");
		jsonw_str(w->body, "text", text);
		jsonw_end_object(w->body);
	}
	for (size_t i = 0; i < m->media_count; i++) {
		struct gallery_item *item = gallery_find(w->gallery,
		    &m->media[i]);

		if (!item->shown)
			continue;
		jsonw_object(w->body, NULL);
		if (item->format)
			write_sound(w, item);
		else
			write_picture(w, item);
		jsonw_end_object(w->body);
		buf_release(&item->bytes);
	}
	jsonw_end_array(w->body);
}

static bool
shows(const struct writing *w, const struct request_message *m)
{
	for (size_t i = 0; i < m->media_count; i++)
		if (gallery_find(w->gallery, &m->media[i])->shown)
			return true;
	return false;
}

static void
write_content(const struct writing *w, const struct request_message *m)
{
	struct buf text = {0};

	write_words(w, m, &text);
	if (shows(w, m))
		write_parts(w, m, buf_text(&text));
	else
		jsonw_str(w->body, "content", text.len ? text.data : NULL);
	buf_release(&text);
}

static void
write_message(const struct writing *w, const struct request_message *m)
{
	bool assistant = m->role == ROLE_ASSISTANT;

	jsonw_object(w->body, NULL);
	jsonw_str(w->body, "role", assistant ? "assistant" : "user");
	write_content(w, m);
	if (assistant)
		write_echo(w, m);
	if (m->call_count)
		write_calls(w, m);
	jsonw_end_object(w->body);
}

static void
write_result(const struct writing *w, const char *call, const char *text)
{
	jsonw_object(w->body, NULL);
	jsonw_str(w->body, "role", "tool");
	jsonw_str(w->body, "tool_call_id", call);
	jsonw_str(w->body, "content", text && *text ? text : "(no output)");
	jsonw_end_object(w->body);
}

/* Returns how many messages there are besides the system's. */
static size_t
write_messages(const struct writing *w)
{
	size_t count;
	struct pairs_step *steps = pairs_plan(w->request, &count);

	jsonw_array(w->body, "messages");
	write_system(w);
	for (size_t i = 0; i < count; i++) {
		const struct pairs_step *s = &steps[i];
		const struct request_message *m = &w->request
						       ->messages[s->index];

		if (s->kind == PAIRS_MESSAGE)
			write_message(w, m);
		else if (s->kind == PAIRS_RESULT)
			write_result(w, m->call, m->text);
		else
			write_result(w, m->calls[s->call].id,
			    "There is no result: the call was cancelled.");
	}
	jsonw_end_array(w->body);
	free(steps);
	return count;
}

static void
write_tools(const struct writing *w)
{
	const struct request *r = w->request;

	if (!r->tool_count)
		return;
	jsonw_array(w->body, "tools");
	for (size_t i = 0; i < r->tool_count; i++) {
		const struct request_tool *t = &r->tools[i];

		jsonw_object(w->body, NULL);
		jsonw_str(w->body, "type", "function");
		jsonw_object(w->body, "function");
		jsonw_str(w->body, "name", aliases_wire(w->names, t->name));
		jsonw_str(w->body, "description", t->description);
		value_write_or(w->body, "parameters", &t->parameters,
		    "{\"type\":\"object\",\"properties\":{}}");
		jsonw_end_object(w->body);
		jsonw_end_object(w->body);
	}
	jsonw_end_array(w->body);
}

int
chat_request_write(struct buf *body, const struct request *r,
    const struct profile *p, struct gallery *g, struct aliases *names,
    struct err *e)
{
	struct writing w = {body, r, p, g, names};
	int64_t room = r->max_output > 0 ? r->max_output : p->reserve;

	/* The tools have their names first: no old call may take one. */
	for (size_t i = 0; i < r->tool_count; i++)
		(void)aliases_wire(names, r->tools[i].name);
	jsonw_object(body, NULL);
	jsonw_str(body, "model", p->model);
	if (write_messages(&w) == 0)
		return err_set(e, ERR_INPUT, "request: nothing is asked");
	write_tools(&w);
	jsonw_int(body, p->token_parameter, room);
	jsonw_opt(body, "reasoning_effort", p->effort);
	jsonw_bool(body, "stream", r->stream);
	if (r->stream) {
		jsonw_object(body, "stream_options");
		jsonw_bool(body, "include_usage", true);
		jsonw_end_object(body);
	}
	jsonw_end_object(body);
	return 0;
}

int64_t
chat_request_guess(size_t bytes, size_t messages)
{
	return (int64_t)(bytes * 2 / 7 + messages * 4);
}

int64_t
chat_request_tokens(const struct request *r, unsigned inputs)
{
	size_t bytes = 0, pictures = 0, sounds = 0;

	for (size_t i = 0; i < r->message_count; i++) {
		const struct request_message *m = &r->messages[i];

		bytes += m->text ? strlen(m->text) : 0;
		for (size_t k = 0; k < m->call_count; k++)
			bytes += strlen(m->calls[k].arguments);
		for (size_t k = 0; k < m->media_count; k++)
			*(m->media[k].kind == EXHIBIT_AUDIO ? &sounds
							    : &pictures) += 1;
	}
	return chat_request_guess(bytes, r->message_count) +
	       gallery_tokens(pictures, sounds, inputs);
}
