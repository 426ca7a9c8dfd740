#include "record/turn.h"

#include <stddef.h>

#include "ext/jsonw.h"
#include "record/field.h"

static const char *const modes[] = {"ask", "auto", NULL};

const char *
approval_mode_word(enum approval_mode mode)
{
	return modes[mode];
}

int
turn_read(struct turn *t, const struct json *root, struct err *e)
{
	struct field f;

	*t = (struct turn){0};
	field_start(&f, root, "turn", e);
	t->id = field_str(&f, "id");
	actor_take(&t->actor, &f);
	location_take(&t->location, &f);
	t->visibility = visibility_take(&f);
	t->text = field_str(&f, "text");
	t->attachments.tree = field_array(&f, "attachments");
	t->reply.tree = field_object_opt(&f, "reply");
	t->more.tree = field_object_opt(&f, "more");
	t->task = field_str_opt(&f, "task");
	t->approval = (enum approval_mode)field_word(&f, "approval", modes);
	t->profile = field_str_opt(&f, "profile");
	t->options.tree = field_object_opt(&f, "options");
	return field_end(&f);
}

void
turn_write(struct buf *b, const struct turn *t)
{
	jsonw_object(b, NULL);
	jsonw_str(b, "type", "turn");
	jsonw_str(b, "id", t->id);
	actor_write(b, &t->actor);
	location_write(b, &t->location);
	visibility_write(b, t->visibility);
	jsonw_str(b, "text", t->text);
	value_write_or(b, "attachments", &t->attachments, "[]");
	value_write(b, "reply", &t->reply);
	value_write(b, "more", &t->more);
	jsonw_opt(b, "task", t->task);
	jsonw_str(b, "approval", approval_mode_word(t->approval));
	jsonw_opt(b, "profile", t->profile);
	value_write(b, "options", &t->options);
	jsonw_line(b);
}
