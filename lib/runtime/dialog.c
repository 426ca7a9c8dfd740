#include "runtime/dialog.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/buf.h"
#include "core/mem.h"
#include "model/chat_request.h"
#include "model/gallery.h"
#include "record/exhibit.h"
#include "record/gap.h"

enum { FACTOR_MIN = 300, FACTOR_MAX = 4000 };

/* What a message owns beside its texts, and what may be left out of it. */
struct dialog_extra {
	char *stored; /* of a result: where it is kept */
	bool left_out;
	int64_t round;
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
	d->extra[d->count++] = (struct dialog_extra){.round = d->round};
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
dialog_show(struct dialog *d, const char *label, const char *text,
    const struct exhibit *list, size_t count)
{
	struct request_message *m;

	dialog_add(d, ROLE_USER, label, text);
	m = &d->messages[d->count - 1];
	m->media = count ? mem_array(count, sizeof(*list)) : NULL;
	m->media_count = count;
	for (size_t i = 0; i < count; i++)
		m->media[i] = (struct exhibit){
		    .kind = list[i].kind,
		    .type = own(list[i].type),
		    .name = own(list[i].name),
		    .blob = list[i].blob ? own(list[i].blob) : NULL,
		    .url = list[i].url ? own(list[i].url) : NULL,
		    .at_ms = list[i].at_ms,
		};
}

static void
drop_media(struct request_message *m)
{
	for (size_t i = 0; i < m->media_count; i++) {
		mem_drop(m->media[i].type);
		mem_drop(m->media[i].name);
		mem_drop(m->media[i].blob);
		mem_drop(m->media[i].url);
	}
	free(m->media);
	m->media = NULL;
	m->media_count = 0;
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
	size_t bytes = tools_len, pictures = 0;
	int64_t tokens;

	for (size_t i = 0; i < d->count; i++) {
		bytes += weight(&d->messages[i]);
		pictures += d->messages[i].media_count;
	}
	tokens = chat_request_guess(bytes, d->count) +
		 gallery_tokens(pictures, 0, d->inputs);
	return d->factor ? tokens * d->factor / 1000 : tokens;
}

/* The words about them stay. */
static void
leave_pictures(struct request_message *m)
{
	struct buf text = {0};

	drop_media(m);
	buf_fmt(&text, "%s\n[The pictures were left out to save room.]",
	    m->text);
	mem_drop(m->text);
	m->text = buf_take(&text);
}

static void
leave_out(struct dialog *d, size_t i)
{
	struct request_message *m = &d->messages[i];
	char text[256];

	if (m->media_count) {
		leave_pictures(m);
		return;
	}
	snprintf(text, sizeof(text),
	    "[The result of %.64s was left out to save room. It is kept as %s; "
	    "query_json can read it.]",
	    m->name, d->extra[i].stored);
	mem_drop(m->text);
	m->text = mem_dup(text);
	d->extra[i].left_out = true;
}

/* The newest results, and what they show, have not been read yet. */
static bool
is_new(const struct request_message *m)
{
	return m->role == ROLE_TOOL || m->media_count;
}

static bool
can_go(const struct dialog *d, size_t i)
{
	return d->messages[i].media_count ||
	       (d->messages[i].role == ROLE_TOOL && !d->extra[i].left_out);
}

int
dialog_fit(struct dialog *d, size_t tools_len, int64_t limit)
{
	size_t last = d->count;
	bool changed = false;

	if (dialog_tokens(d, tools_len) <= limit)
		return 0;
	while (last > 0 && is_new(&d->messages[last - 1]))
		last--;
	for (size_t i = 0; i < last; i++) {
		if (!can_go(d, i))
			continue;
		leave_out(d, i);
		changed = true;
		if (dialog_tokens(d, tools_len) <= limit - limit / 3)
			break;
	}
	for (size_t i = last; i < d->count; i++)
		if (d->messages[i].media_count &&
		    dialog_tokens(d, tools_len) > limit) {
			leave_pictures(&d->messages[i]);
			changed = true;
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

const char *
dialog_stored(const struct dialog *d, size_t i)
{
	return d->extra[i].left_out ? NULL : d->extra[i].stored;
}

void
dialog_replace(struct dialog *d, size_t i, const char *text)
{
	mem_drop(d->messages[i].text);
	d->messages[i].text = mem_dup(text);
}

static void
drop(struct dialog *d, size_t i)
{
	struct request_message *m = &d->messages[i];

	request_calls_free(m->calls, m->call_count);
	drop_media(m);
	mem_drop(m->text);
	mem_drop(m->label);
	mem_drop(m->call);
	mem_drop(m->name);
	mem_drop(m->echo.text);
	free(d->extra[i].stored);
}

void
dialog_reopen(struct dialog *d, size_t count, struct dialog *fresh)
{
	for (size_t i = 0; i < count; i++)
		drop(d, i);
	for (size_t i = count; i < d->count; i++) {
		append(fresh, ROLE_USER);
		fresh->messages[fresh->count - 1] = d->messages[i];
		fresh->extra[fresh->count - 1] = d->extra[i];
	}
	free(d->messages);
	free(d->extra);
	d->messages = fresh->messages;
	d->extra = fresh->extra;
	d->count = fresh->count;
	d->room = fresh->room;
	*fresh = (struct dialog){0};
}

/* A reply without its words: the calls have to stay, for their results. */
static void
gap_reply(struct request_message *m, gap_name_fn *known, void *ctx)
{
	mem_drop(m->echo.text);
	m->echo.text = NULL;
	mem_drop(m->text);
	m->text = mem_dup(gap_text);
	for (size_t i = 0; i < m->call_count; i++) {
		struct request_call *c = &m->calls[i];

		mem_drop(c->arguments);
		c->arguments = mem_dup("{}");
		if (known(ctx, c->name))
			continue;
		mem_drop(c->name);
		c->name = mem_dup(gap_name);
	}
}

void
dialog_gap(struct dialog *d, size_t first, int64_t round, gap_name_fn *known,
    void *ctx)
{
	for (size_t i = first; i < d->count; i++) {
		struct request_message *m = &d->messages[i];

		if (m->media_count && d->extra[i].round >= round - 1) {
			drop_media(m);
			dialog_replace(d, i, gap_text);
		}
		if (d->extra[i].round < round)
			continue;
		if (m->role == ROLE_ASSISTANT) {
			gap_reply(m, known, ctx);
		} else if (m->label && strcmp(m->label, "note") == 0) {
			dialog_replace(d, i, gap_text);
		} else if (m->role == ROLE_TOOL && !known(ctx, m->name)) {
			mem_drop(m->name);
			m->name = mem_dup(gap_name);
		}
	}
}

void
dialog_release(struct dialog *d)
{
	for (size_t i = 0; i < d->count; i++)
		drop(d, i);
	free(d->messages);
	free(d->extra);
	*d = (struct dialog){0};
}
