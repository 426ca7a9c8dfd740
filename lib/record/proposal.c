#include "record/proposal.h"

#include <stddef.h>
#include <string.h>

#include "core/err.h"
#include "core/id.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "record/field.h"

static const char *const kinds[] = {
    [PROPOSAL_CHANNEL] = "channel",
    [PROPOSAL_ROLE] = "role",
    [PROPOSAL_MEMBER] = "member",
    [PROPOSAL_MESSAGE] = "message",
    [PROPOSAL_TASK] = "task",
    NULL,
};

int
proposal_target_read(struct proposal_target *t, const struct json *v,
    struct err *e)
{
	struct field f = {.in = v, .record = "proposal: targets", .e = e};

	*t = (struct proposal_target){0};
	t->kind = (enum proposal_kind)field_word(&f, "kind", kinds);
	t->id = t->kind == PROPOSAL_TASK ? field_str(&f, "id")
					 : field_id(&f, "id", NULL);
	t->name = field_str_opt(&f, "name");
	t->above.tree = field_ids_opt(&f, "above");
	t->below.tree = field_ids_opt(&f, "below");
	return field_end(&f);
}

void
proposal_target_write(struct buf *b, const struct proposal_target *t)
{
	jsonw_object(b, NULL);
	jsonw_str(b, "kind", kinds[t->kind]);
	jsonw_str(b, "id", t->id);
	jsonw_opt(b, "name", t->name);
	value_write(b, "above", &t->above);
	value_write(b, "below", &t->below);
	jsonw_end_object(b);
}

int
proposal_item_read(struct proposal_item *x, const struct json *v, struct err *e)
{
	struct field f = {.in = v, .record = "proposal: items", .e = e};

	*x = (struct proposal_item){0};
	x->n = field_int(&f, "n");
	x->category = field_str(&f, "category");
	x->text = field_str(&f, "text");
	return field_end(&f);
}

void
proposal_item_write(struct buf *b, const struct proposal_item *x)
{
	jsonw_object(b, NULL);
	jsonw_int(b, "n", x->n);
	jsonw_str(b, "category", x->category);
	jsonw_str(b, "text", x->text);
	jsonw_end_object(b);
}

/* They are numbered 1, 2, 3, so that a number names one of them. */
static int
check_items(const struct json *items, struct err *e)
{
	int64_t n = 0;

	for (const struct json *v = json_first(items); v; v = json_next(v)) {
		struct proposal_item x;

		if (proposal_item_read(&x, v, e) < 0)
			return -1;
		if (x.n != ++n)
			return err_set(e, ERR_INPUT,
			    "proposal: items are not numbered in order");
	}
	if (n == 1)
		return err_set(e, ERR_INPUT, "proposal: a lone item");
	return 0;
}

static int
check_destination(const char *to, struct err *e)
{
	uint64_t id;

	if (!to || strcmp(to, PROPOSAL_ASKER) == 0 ||
	    snowflake_read(&id, to) == 0)
		return 0;
	return err_set(e, ERR_INPUT, "proposal: 'destination' is no id");
}

int
proposal_read(struct proposal *x, const struct json *root, struct err *e)
{
	struct proposal_target t;
	struct field f;

	*x = (struct proposal){0};
	field_start(&f, root, "proposal", e);
	x->id = field_str_opt(&f, "id");
	x->text = field_str(&f, "text");
	x->guild = field_id_opt(&f, "guild");
	x->targets.tree = field_array(&f, "targets");
	x->destination = field_str_opt(&f, "destination");
	x->items.tree = field_array_opt(&f, "items");
	x->plan.tree = field_object_opt(&f, "plan");
	if (field_end(&f) < 0 || check_destination(x->destination, e) < 0)
		return -1;
	for (const struct json *v = json_first(x->targets.tree); v;
	     v = json_next(v))
		if (proposal_target_read(&t, v, e) < 0)
			return -1;
	return check_items(x->items.tree, e);
}

void
proposal_write(struct buf *b, const struct proposal *x)
{
	jsonw_object(b, NULL);
	jsonw_str(b, "type", "proposal");
	jsonw_opt(b, "id", x->id);
	jsonw_str(b, "text", x->text);
	jsonw_opt(b, "guild", x->guild);
	value_write_or(b, "targets", &x->targets, "[]");
	jsonw_opt(b, "destination", x->destination);
	value_write(b, "items", &x->items);
	value_write(b, "plan", &x->plan);
	jsonw_line(b);
}
