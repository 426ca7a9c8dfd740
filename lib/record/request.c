#include "record/request.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/err.h"
#include "core/mem.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "record/exhibit.h"
#include "record/field.h"

static const char *const roles[] = {
    [ROLE_SYSTEM] = "system",
    [ROLE_USER] = "user",
    [ROLE_ASSISTANT] = "assistant",
    [ROLE_TOOL] = "tool",
    NULL,
};

/* What an error calls an item of a list. */
struct item_name {
	char text[64];
};

static struct field
item_field(const struct json *item, struct item_name *where, const char *list,
    size_t at, struct err *e)
{
	struct field f = {.in = item, .record = where->text, .e = e};

	snprintf(where->text, sizeof(where->text), "request: %s[%zu]", list,
	    at);
	return f;
}

static int
read_calls(struct request_message *m, const struct json *list, struct err *e)
{
	const struct json *item = json_first(list);
	size_t count = json_count(list);

	if (count > REQUEST_CALLS_MAX)
		return err_set(e, ERR_INPUT, "request: %zu calls in a message",
		    count);
	m->calls = mem_array(count ? count : 1, sizeof(*m->calls));
	for (; item; item = json_next(item)) {
		struct request_call *c = &m->calls[m->call_count];
		struct item_name where = {{0}};
		struct field f = item_field(item, &where, "calls",
		    m->call_count++, e);

		c->id = field_str(&f, "id");
		c->name = field_str(&f, "name");
		c->arguments = field_str(&f, "arguments");
		if (field_end(&f) < 0)
			return -1;
	}
	return 0;
}

static int
read_message(struct request_message *m, const struct json *item, size_t at,
    struct err *e)
{
	struct item_name where = {{0}};
	struct field f = item_field(item, &where, "messages", at, e);
	const struct json *calls, *media;

	m->role = (enum request_role)field_word(&f, "role", roles);
	m->text = field_str_opt(&f, "text");
	m->label = field_str_opt(&f, "label");
	m->name = field_str_opt(&f, "name");
	if (m->role == ROLE_TOOL)
		m->call = field_str(&f, "call");
	calls = field_array_opt(&f, "calls");
	m->echo.tree = field_object_opt(&f, "echo");
	media = field_array_opt(&f, "media");
	if (field_end(&f) < 0)
		return -1;
	if (m->role == ROLE_USER &&
	    exhibits_read(&m->media, &m->media_count, media, e) < 0)
		return err_in(e, "%s", where.text);
	return m->role == ROLE_ASSISTANT && calls ? read_calls(m, calls, e) : 0;
}

static int
read_messages(struct request *r, const struct json *list, struct err *e)
{
	size_t count = json_count(list);

	r->messages = mem_array(count ? count : 1, sizeof(*r->messages));
	for (const struct json *v = json_first(list); v; v = json_next(v)) {
		size_t at = r->message_count++;

		if (read_message(&r->messages[at], v, at, e) < 0)
			return -1;
	}
	return 0;
}

static int
read_tools(struct request *r, const struct json *list, struct err *e)
{
	size_t count = json_count(list);

	r->tools = mem_array(count ? count : 1, sizeof(*r->tools));
	for (const struct json *v = json_first(list); v; v = json_next(v)) {
		struct request_tool *t = &r->tools[r->tool_count];
		struct item_name where = {{0}};
		struct field f = item_field(v, &where, "tools", r->tool_count++,
		    e);

		t->name = field_str(&f, "name");
		t->description = field_str(&f, "description");
		t->parameters.tree = field_object(&f, "parameters");
		if (field_end(&f) < 0)
			return -1;
	}
	return 0;
}

int
request_read(struct request *r, const struct json *root, struct err *e)
{
	const struct json *messages, *tools;
	struct field f;

	*r = (struct request){0};
	field_start(&f, root, "request", e);
	r->id = field_str(&f, "id");
	r->profile = field_str(&f, "profile");
	r->purpose = field_str(&f, "purpose");
	r->task = field_str_opt(&f, "task");
	r->actor = field_str_opt(&f, "actor");
	r->stream = field_bool(&f, "stream");
	r->must_show = field_bool_opt(&f, "must_show", false);
	r->max_output = field_int_opt(&f, "max_output", 0);
	messages = field_array(&f, "messages");
	tools = field_array(&f, "tools");
	if (field_end(&f) < 0)
		return -1;
	if (read_messages(r, messages, e) == 0 && read_tools(r, tools, e) == 0)
		return 0;
	request_release(r);
	return -1;
}

void
request_calls_write(struct buf *b, const struct request_call *calls,
    size_t count)
{
	jsonw_array(b, "calls");
	for (size_t i = 0; i < count; i++) {
		jsonw_object(b, NULL);
		jsonw_str(b, "id", calls[i].id);
		jsonw_str(b, "name", calls[i].name);
		jsonw_str(b, "arguments", calls[i].arguments);
		jsonw_end_object(b);
	}
	jsonw_end_array(b);
}

void
request_calls_free(struct request_call *calls, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		mem_drop(calls[i].id);
		mem_drop(calls[i].name);
		mem_drop(calls[i].arguments);
	}
	free(calls);
}

static void
write_message(struct buf *b, const struct request_message *m)
{
	jsonw_object(b, NULL);
	jsonw_str(b, "role", roles[m->role]);
	jsonw_str(b, "text", m->text ? m->text : "");
	jsonw_opt(b, "label", m->label);
	if (m->call_count)
		request_calls_write(b, m->calls, m->call_count);
	jsonw_opt(b, "call", m->call);
	jsonw_opt(b, "name", m->name);
	value_write(b, "echo", &m->echo);
	exhibits_write(b, m->media, m->media_count);
	jsonw_end_object(b);
}

static void
write_tool(struct buf *b, const struct request_tool *t)
{
	jsonw_object(b, NULL);
	jsonw_str(b, "name", t->name);
	jsonw_str(b, "description", t->description);
	value_write_or(b, "parameters", &t->parameters, "{}");
	jsonw_end_object(b);
}

void
request_write(struct buf *b, const struct request *r)
{
	jsonw_object(b, NULL);
	jsonw_str(b, "type", "request");
	jsonw_str(b, "id", r->id);
	jsonw_str(b, "profile", r->profile);
	jsonw_str(b, "purpose", r->purpose);
	jsonw_opt(b, "task", r->task);
	jsonw_opt(b, "actor", r->actor);
	jsonw_bool(b, "stream", r->stream);
	if (r->must_show)
		jsonw_bool(b, "must_show", true);
	jsonw_array(b, "messages");
	for (size_t i = 0; i < r->message_count; i++)
		write_message(b, &r->messages[i]);
	jsonw_end_array(b);
	jsonw_array(b, "tools");
	for (size_t i = 0; i < r->tool_count; i++)
		write_tool(b, &r->tools[i]);
	jsonw_end_array(b);
	if (r->max_output)
		jsonw_int(b, "max_output", r->max_output);
	jsonw_line(b);
}

void
request_release(struct request *r)
{
	for (size_t i = 0; i < r->message_count; i++) {
		free(r->messages[i].calls);
		free(r->messages[i].media);
	}
	free(r->messages);
	free(r->tools);
	*r = (struct request){0};
}
