#include "model/calls.h"

#include <stdlib.h>
#include <string.h>

#include "core/err.h"
#include "core/mem.h"
#include "ext/json.h"
#include "ext/jsonw.h"

enum { ID_ROOM = 32 };

/* What a piece of a call has; each may be missing. */
struct piece {
	const char *id, *name, *arguments;
	const struct json *object; /* arguments that are no text */
	bool indexed;
	int64_t index;
};

static const char *
no_empty(const char *text)
{
	return text && *text ? text : NULL;
}

static bool
blank(const char *text)
{
	return text[strspn(text, " \t\r\n")] == '\0';
}

static struct piece
read_piece(const struct json *item)
{
	const struct json *function = json_get(item, "function");
	const struct json *arguments = json_get(function, "arguments");
	struct piece p = {
	    .id = no_empty(json_string(item, "id")),
	    .name = no_empty(json_string(function, "name")),
	};

	if (json_kind(arguments) == JSON_STRING)
		p.arguments = json_text(arguments);
	else if (json_kind(arguments) == JSON_OBJECT)
		p.object = arguments;
	p.indexed = json_whole(json_get(item, "index"), &p.index) == 0;
	return p;
}

static struct model_call *
find(const struct calls *c, const struct piece *p)
{
	if (p->id)
		for (size_t i = 0; i < c->count; i++)
			if (c->list[i].id && strcmp(c->list[i].id, p->id) == 0)
				return &c->list[i];
	if (p->indexed)
		for (size_t i = c->count; i-- > 0;)
			if (c->list[i].indexed && c->list[i].index == p->index)
				return &c->list[i];
	if (p->indexed && p->name)
		return NULL; /* a name on a new index: not the last one's */
	return c->last;
}

/* Does the piece begin a call of its own rather than go on with this one? */
static bool
begins(const struct piece *p, const struct model_call *m)
{
	if (p->id)
		return m->id && strcmp(m->id, p->id) != 0;
	if (!p->name || !m->name)
		return false;
	if (strcmp(p->name, m->name) != 0)
		return true;
	return (p->object || (p->arguments && !blank(p->arguments))) &&
	       json_is_object(buf_text(&m->arguments), m->arguments.len);
}

static struct model_call *
new_call(struct calls *c, struct err *e)
{
	if (c->count == CALLS_MAX) {
		err_set(e, ERR_INPUT, "the reply asks for more than %d calls",
		    CALLS_MAX);
		return NULL;
	}
	if (!c->list)
		c->list = mem_array(CALLS_MAX, sizeof(*c->list));
	return &c->list[c->count++];
}

static int
take(struct calls *c, struct model_call *m, const struct piece *p,
    struct err *e)
{
	size_t before = m->arguments.len;

	if (p->id && !m->id)
		m->id = mem_dup(p->id);
	if (p->name && !m->name)
		m->name = mem_dup(p->name);
	if (p->indexed) {
		m->indexed = true;
		m->index = p->index;
	}
	m->arguments.limit = CALLS_TEXT_MAX;
	if (p->object && !m->whole) {
		buf_clear(&m->arguments);
		jsonw_value(&m->arguments, NULL, p->object);
		m->whole = true;
	} else if (p->arguments && !m->whole) {
		buf_str(&m->arguments, p->arguments);
	}
	c->bytes += m->arguments.len - before;
	c->last = m;
	if (!m->arguments.full && c->bytes <= CALLS_TEXT_MAX)
		return 0;
	return err_set(e, ERR_INPUT,
	    "the arguments of the calls are longer than %d bytes",
	    CALLS_TEXT_MAX);
}

static int
add(struct calls *c, const struct piece *p, struct err *e)
{
	struct model_call *m = find(c, p);

	if (!m || begins(p, m))
		m = new_call(c, e);
	return m ? take(c, m, p, e) : -1;
}

int
calls_add(struct calls *c, const struct json *piece, struct err *e)
{
	struct piece p = read_piece(piece);

	return add(c, &p, e);
}

int
calls_add_legacy(struct calls *c, const struct json *piece, struct err *e)
{
	struct piece p = {
	    .name = no_empty(json_string(piece, "name")),
	    .arguments = no_empty(json_string(piece, "arguments")),
	};

	return p.name || p.arguments ? add(c, &p, e) : 0;
}

static bool
id_taken(const struct calls *c, const char *id)
{
	for (size_t i = 0; i < c->count; i++)
		if (c->list[i].id && strcmp(c->list[i].id, id) == 0)
			return true;
	return false;
}

static void
name_calls(struct calls *c)
{
	unsigned n = 0;
	char id[ID_ROOM];

	for (size_t i = 0; i < c->count; i++) {
		if (c->list[i].id)
			continue;
		do
			snprintf(id, sizeof(id), "call_%u", n++);
		while (id_taken(c, id));
		c->list[i].id = mem_dup(id);
	}
}

static void
release_call(struct model_call *m)
{
	free(m->id);
	free(m->name);
	buf_release(&m->arguments);
	*m = (struct model_call){0};
}

/* A tool without arguments is called with none, with "" or with null. */
static bool
no_arguments(const struct buf *arguments)
{
	const char *text = buf_text(arguments);

	text += strspn(text, " \t\r\n");
	return !*text || (strncmp(text, "null", 4) == 0 && blank(text + 4));
}

/* Nothing came that a call could be made of. */
static bool
is_nothing(const struct model_call *m)
{
	return !m->name && blank(buf_text(&m->arguments));
}

size_t
calls_end(struct calls *c, bool cut)
{
	size_t kept = 0, dropped = 0;

	for (size_t i = 0; i < c->count; i++) {
		struct model_call *m = &c->list[i];
		bool lost = cut && !json_is_object(buf_text(&m->arguments),
				       m->arguments.len);

		if (lost || is_nothing(m)) {
			dropped += lost;
			release_call(m);
			continue;
		}
		if (no_arguments(&m->arguments)) {
			buf_clear(&m->arguments);
			buf_str(&m->arguments, "{}");
		}
		if (kept != i) {
			c->list[kept] = *m;
			*m = (struct model_call){0};
		}
		kept++;
	}
	c->count = kept;
	c->last = NULL;
	name_calls(c);
	return dropped;
}

void
calls_release(struct calls *c)
{
	for (size_t i = 0; i < c->count; i++)
		release_call(&c->list[i]);
	free(c->list);
	*c = (struct calls){0};
}
