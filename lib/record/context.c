#include "record/context.h"

#include <stddef.h>

#include "ext/jsonw.h"
#include "record/field.h"

static const char *const kinds[] = {"local", "guild", "dm", NULL};
static const char *const visibilities[] = {"private", "public", NULL};

void
actor_take(struct actor *a, struct field *f)
{
	struct field in;

	field_inside(&in, f, "actor", "actor");
	a->id = field_id(&in, "id", "local");
	a->name = field_str(&in, "name");
}

void
actor_write(struct buf *b, const struct actor *a)
{
	jsonw_object(b, "actor");
	jsonw_str(b, "id", a->id ? a->id : "local");
	jsonw_str(b, "name", a->name ? a->name : "");
	jsonw_end_object(b);
}

void
location_take(struct location *l, struct field *f)
{
	struct field in;

	field_inside(&in, f, "location", "location");
	l->kind = (enum location_kind)field_word(&in, "kind", kinds);
	l->guild = field_id_opt(&in, "guild");
	l->channel = field_id_opt(&in, "channel");
}

void
location_write(struct buf *b, const struct location *l)
{
	jsonw_object(b, "location");
	jsonw_str(b, "kind", kinds[l->kind]);
	jsonw_opt(b, "guild", l->guild);
	jsonw_opt(b, "channel", l->channel);
	jsonw_end_object(b);
}

enum visibility
visibility_take(struct field *f)
{
	return (enum visibility)field_word(f, "visibility", visibilities);
}

const char *
visibility_word(enum visibility v)
{
	return visibilities[v];
}

void
visibility_write(struct buf *b, enum visibility v)
{
	jsonw_str(b, "visibility", visibility_word(v));
}

void
context_take(struct context *c, struct field *f)
{
	struct field in;

	field_inside(&in, f, "context", "context");
	actor_take(&c->actor, &in);
	location_take(&c->location, &in);
	c->task = field_str_opt(&in, "task");
	c->turn = field_str_opt(&in, "turn");
	c->visibility = visibility_take(&in);
}

void
context_write(struct buf *b, const struct context *c)
{
	jsonw_object(b, "context");
	actor_write(b, &c->actor);
	location_write(b, &c->location);
	jsonw_opt(b, "task", c->task);
	jsonw_opt(b, "turn", c->turn);
	visibility_write(b, c->visibility);
	jsonw_end_object(b);
}
