#include "model/thought.h"

#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "ext/json.h"
#include "ext/jsonw.h"

/* The members of a part that are joined, then those that are set once. */
enum { JOINED = 3, MEMBERS = 7 };

static const char *const members[MEMBERS] = {
    "text",
    "summary",
    "data",
    "id",
    "format",
    "signature",
    "type",
};

enum { TYPE = MEMBERS - 1 };

struct thought_part {
	bool indexed;
	int64_t index;
	bool has[MEMBERS];
	struct buf value[MEMBERS];
};

static void
keep(struct thought *t, struct buf *to, const char *text)
{
	t->bytes += strlen(text);
	t->lost = t->lost || t->bytes > THOUGHT_MAX;
	if (!t->lost)
		buf_str(to, text);
}

static bool
same_type(const struct thought_part *p, const char *type)
{
	return !type || !p->has[TYPE] ||
	       strcmp(buf_text(&p->value[TYPE]), type) == 0;
}

/* The part that a piece belongs to, or a new one, or NULL: too many. */
static struct thought_part *
part_of(struct thought *t, const struct json *piece)
{
	const char *type = json_string(piece, "type");
	int64_t index;
	bool indexed = json_whole(json_get(piece, "index"), &index) == 0;

	for (size_t i = t->count; i-- > 0;) {
		struct thought_part *p = &t->parts[i];

		if (p->indexed == indexed && (!indexed || p->index == index) &&
		    same_type(p, type))
			return p;
		if (!indexed)
			break;
	}
	if (t->count == THOUGHT_PARTS_MAX) {
		t->lost = true;
		return NULL;
	}
	if (!t->parts)
		t->parts = mem_array(THOUGHT_PARTS_MAX, sizeof(*t->parts));
	t->parts[t->count].indexed = indexed;
	t->parts[t->count].index = indexed ? index : 0;
	return &t->parts[t->count++];
}

static void
add_part(struct thought *t, const struct json *piece)
{
	struct thought_part *p;

	if (json_kind(piece) != JSON_OBJECT || !(p = part_of(t, piece)))
		return;
	for (size_t i = 0; i < MEMBERS; i++) {
		const char *text = json_string(piece, members[i]);

		if (!text || (i >= JOINED && p->has[i]))
			continue;
		p->has[i] = true;
		keep(t, &p->value[i], text);
	}
}

/* Mistral's way: a part of the content, with parts of its own. */
static void
show_thinking(const struct json *part, struct buf *shown)
{
	const struct json *inner = json_get(part, "thinking");

	buf_str(shown, json_text(inner));
	for (inner = json_first(inner); inner; inner = json_next(inner))
		buf_str(shown, json_string(inner, "text"));
}

static void
show_details(const struct json *details, struct buf *shown)
{
	for (const struct json *v = json_first(details); v; v = json_next(v)) {
		buf_str(shown, json_string(v, "text"));
		buf_str(shown, json_string(v, "summary"));
	}
}

void
thought_add(struct thought *t, const struct json *message, struct buf *shown)
{
	const char *content = json_string(message, "reasoning_content");
	const char *reasoning = json_string(message, "reasoning");
	const struct json *details = json_get(message, "reasoning_details");
	const struct json *parts = json_get(message, "content");

	if (content)
		keep(t, &t->content, content);
	if (reasoning)
		keep(t, &t->reasoning, reasoning);
	if (json_kind(details) != JSON_ARRAY)
		details = NULL;
	for (const struct json *v = json_first(details); v; v = json_next(v))
		add_part(t, v);
	if (content)
		buf_str(shown, content);
	else if (reasoning)
		buf_str(shown, reasoning);
	else
		show_details(details, shown);
	if (json_kind(parts) == JSON_ARRAY)
		for (parts = json_first(parts); parts; parts = json_next(parts))
			show_thinking(parts, shown);
}

static void
write_part(const struct thought_part *p, struct buf *out)
{
	jsonw_object(out, NULL);
	for (size_t i = 0; i < MEMBERS; i++)
		if (p->has[i])
			jsonw_strn(out, members[i], buf_text(&p->value[i]),
			    p->value[i].len);
	if (p->indexed)
		jsonw_int(out, "index", p->index);
	jsonw_end_object(out);
}

bool
thought_write(const struct thought *t, const char *model, struct buf *out)
{
	if (t->lost || (!t->content.len && !t->reasoning.len && !t->count))
		return false;
	jsonw_object(out, NULL);
	jsonw_str(out, "model", model);
	if (t->content.len)
		jsonw_str(out, "reasoning_content", t->content.data);
	if (t->count) { /* says more than its plain text */
		jsonw_array(out, "reasoning_details");
		for (size_t i = 0; i < t->count; i++)
			write_part(&t->parts[i], out);
		jsonw_end_array(out);
	} else if (t->reasoning.len) {
		jsonw_str(out, "reasoning", t->reasoning.data);
	}
	jsonw_end_object(out);
	return true;
}

void
thought_release(struct thought *t)
{
	for (size_t i = 0; i < t->count; i++)
		for (size_t k = 0; k < MEMBERS; k++)
			buf_release(&t->parts[i].value[k]);
	free(t->parts);
	buf_release(&t->content);
	buf_release(&t->reasoning);
	*t = (struct thought){0};
}
