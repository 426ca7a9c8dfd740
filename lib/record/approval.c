#include "record/approval.h"

#include <stdlib.h>

#include "core/clock.h"
#include "core/err.h"
#include "core/mem.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "record/field.h"

static int
item_read(struct approval_item *i, const struct json *root, struct err *e)
{
	struct field f = {.in = root, .record = "approval: item", .e = e};

	i->call = field_str(&f, "call");
	i->n = field_int(&f, "n");
	i->capability = field_str(&f, "capability");
	i->tier = tier_take(&f);
	i->confirm = field_bool_opt(&f, "confirm", false);
	i->arguments.tree = field_object_opt(&f, "arguments");
	i->category = field_str(&f, "category");
	i->text = field_str(&f, "text");
	return field_end(&f);
}

static int
items_read(struct approval *x, const struct json *list, struct err *e)
{
	size_t count = json_count(list);

	if (!count || count > APPROVAL_ITEMS_MAX)
		return err_set(e, ERR_INPUT, "approval: items must be 1 to %d",
		    APPROVAL_ITEMS_MAX);
	x->items = mem_array(count, sizeof(*x->items));
	for (list = json_first(list); list; list = json_next(list))
		if (item_read(&x->items[x->count++], list, e) < 0)
			return -1;
	return 0;
}

int
approval_read(struct approval *x, const struct json *root, struct err *e)
{
	const struct json *items;
	const char *expires;
	struct field f;
	int rc;

	*x = (struct approval){0};
	field_start(&f, root, "approval", e);
	x->id = field_str(&f, "id");
	x->task = field_str(&f, "task");
	x->turn = field_str(&f, "turn");
	x->text = field_str(&f, "text");
	x->confirm = field_bool(&f, "confirm");
	expires = field_str(&f, "expires");
	items = field_array(&f, "items");
	rc = field_end(&f);
	if (rc == 0 && clock_parse(&x->expires_ms, expires) < 0)
		rc = err_set(e, ERR_INPUT, "approval: expires is no time");
	if (rc == 0)
		rc = items_read(x, items, e);
	if (rc < 0)
		approval_release(x);
	return rc;
}

static void
item_write(struct buf *b, const struct approval_item *i)
{
	jsonw_object(b, NULL);
	jsonw_str(b, "call", i->call);
	jsonw_int(b, "n", i->n);
	jsonw_str(b, "capability", i->capability);
	jsonw_str(b, "tier", tier_word(i->tier));
	if (i->confirm)
		jsonw_bool(b, "confirm", true);
	value_write(b, "arguments", &i->arguments);
	jsonw_str(b, "category", i->category);
	jsonw_str(b, "text", i->text);
	jsonw_end_object(b);
}

void
approval_write(struct buf *b, const struct approval *x)
{
	jsonw_object(b, NULL);
	jsonw_str(b, "type", "approval");
	jsonw_str(b, "id", x->id);
	jsonw_str(b, "task", x->task);
	jsonw_str(b, "turn", x->turn);
	jsonw_str(b, "text", x->text);
	jsonw_bool(b, "confirm", x->confirm);
	jsonw_time(b, "expires", x->expires_ms);
	jsonw_array(b, "items");
	for (size_t i = 0; i < x->count; i++)
		item_write(b, &x->items[i]);
	jsonw_end_array(b);
	jsonw_line(b);
}

void
approval_release(struct approval *x)
{
	free(x->items);
	*x = (struct approval){0};
}
