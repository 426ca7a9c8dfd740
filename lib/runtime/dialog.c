#include "runtime/dialog.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "model/chat_request.h"

enum { FACTOR_MIN = 300, FACTOR_MAX = 4000 };

/* What a message owns beside its texts, and what may be left out of it. */
struct dialog_extra {
	char *stored; /* of a result: where it is kept */
	bool left_out;
};

static char *
own(const char *text)
{
	return mem_dup(text ? text : "");
}

static struct request_message *
append(struct dialog *d, enum request_role role)
{
	struct request_message *m;

	if (d->count == d->room) {
		d->room = d->room ? d->room * 2 : 16;
		d->messages = mem_resize(d->messages, d->room,
		    sizeof(*d->messages));
		d->extra = mem_resize(d->extra, d->room, sizeof(*d->extra));
	}
	m = &d->messages[d->count];
	*m = (struct request_message){.role = role};
	d->extra[d->count++] = (struct dialog_extra){0};
	return m;
}

void
dialog_add(struct dialog *d, enum request_role role, const char *label,
    const char *text)
{
	struct request_message *m = append(d, role);

	m->label = label ? mem_dup(label) : NULL;
	m->text = own(text);
}

void
dialog_reply(struct dialog *d, const char *text,
    const struct request_call *calls, size_t count, const char *echo)
{
	struct request_message *m = append(d, ROLE_ASSISTANT);

	m->text = own(text);
	m->echo.text = echo ? mem_dup(echo) : NULL;
	m->calls = count ? mem_array(count, sizeof(*calls)) : NULL;
	m->call_count = count;
	for (size_t i = 0; i < count; i++)
		m->calls[i] = (struct request_call){
		    .id = own(calls[i].id),
		    .name = own(calls[i].name),
		    .arguments = own(calls[i].arguments),
		};
}

void
dialog_result(struct dialog *d, const char *call, const char *name,
    const char *text, const char *stored)
{
	struct request_message *m = append(d, ROLE_TOOL);

	m->call = own(call);
	m->name = own(name);
	m->text = own(text);
	d->extra[d->count - 1].stored = own(stored);
}

/* Bytes of a message that a tokenizer would see. */
static size_t
weight(const struct request_message *m)
{
	size_t n = m->text ? strlen(m->text) : 0;

	for (size_t i = 0; i < m->call_count; i++)
		n += strlen(m->calls[i].name) + strlen(m->calls[i].arguments);
	return n + (m->echo.text ? strlen(m->echo.text) : 0);
}

int64_t
dialog_tokens(const struct dialog *d, size_t tools_len)
{
	size_t bytes = tools_len;
	int64_t tokens;

	for (size_t i = 0; i < d->count; i++)
		bytes += weight(&d->messages[i]);
	tokens = chat_request_guess(bytes, d->count);
	return d->factor ? tokens * d->factor / 1000 : tokens;
}

static void
leave_out(struct dialog *d, size_t i)
{
	struct request_message *m = &d->messages[i];
	char text[256];

	snprintf(text, sizeof(text),
	    "[The result of %.64s was left out to save room. It is kept as %s; "
	    "query_json can read it.]",
	    m->name, d->extra[i].stored);
	mem_drop(m->text);
	m->text = mem_dup(text);
	d->extra[i].left_out = true;
}

int
dialog_fit(struct dialog *d, size_t tools_len, int64_t limit)
{
	size_t last = d->count;
	bool changed = false;

	if (dialog_tokens(d, tools_len) <= limit)
		return 0;
	while (last > 0 && d->messages[last - 1].role == ROLE_TOOL)
		last--; /* the newest results have not been read yet */
	for (size_t i = 0; i < last; i++) {
		if (d->messages[i].role != ROLE_TOOL || d->extra[i].left_out)
			continue;
		leave_out(d, i);
		changed = true;
		if (dialog_tokens(d, tools_len) <= limit - limit / 3)
			break;
	}
	return dialog_tokens(d, tools_len) <= limit ? changed : -1;
}

void
dialog_learn(struct dialog *d, int64_t estimate, int64_t counted)
{
	int64_t now = d->factor ? d->factor : 1000, seen;

	if (estimate <= 0 || counted <= 0)
		return;
	seen = now * counted / estimate;
	now = (now + seen) / 2; /* half of the way: short requests mislead */
	d->factor = now < FACTOR_MIN   ? FACTOR_MIN
		    : now > FACTOR_MAX ? FACTOR_MAX
				       : now;
}

void
dialog_release(struct dialog *d)
{
	for (size_t i = 0; i < d->count; i++) {
		struct request_message *m = &d->messages[i];

		request_calls_free(m->calls, m->call_count);
		mem_drop(m->text);
		mem_drop(m->label);
		mem_drop(m->call);
		mem_drop(m->name);
		mem_drop(m->echo.text);
		free(d->extra[i].stored);
	}
	free(d->messages);
	free(d->extra);
	*d = (struct dialog){0};
}
