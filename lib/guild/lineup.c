#include "guild/lineup.h"

#include <stdlib.h>
#include <string.h>

#include "core/buf.h"
#include "core/mem.h"
#include "discord/parts.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "record/community.h"

struct lineup_row {
	uint64_t id;
	int64_t position;
};

int
lineup_group(int64_t kind)
{
	if (kind == CHANNEL_CATEGORY)
		return LINEUP_CATEGORIES;
	return kind == CHANNEL_VOICE || kind == CHANNEL_STAGE ? LINEUP_HEARD
							      : LINEUP_READ;
}

static int
by_position(const void *a, const void *b)
{
	const struct lineup_row *x = a, *y = b;

	if (x->position != y->position)
		return x->position < y->position ? -1 : 1;
	return x->id < y->id ? -1 : x->id > y->id;
}

void
lineup_start(struct lineup *l, const struct json *channels,
    const struct json *self, uint64_t in)
{
	const struct json *v = json_first(channels);
	int group = lineup_group(json_int(self, "type", 0));

	*l = (struct lineup){
	    .rows = mem_array(json_count(channels) + 1, sizeof(*l->rows)),
	    .self = parts_id(self, "id", NULL),
	    .was = json_int(self, "position", 0),
	    .in = in,
	};
	for (; v; v = json_next(v)) {
		uint64_t id = parts_id(v, "id", NULL);

		if (id == l->self || parts_id(v, "parent_id", NULL) != in ||
		    lineup_group(json_int(v, "type", 0)) != group)
			continue;
		l->rows[l->count++] = (struct lineup_row){
		    .id = id,
		    .position = json_int(v, "position", 0),
		};
	}
	qsort(l->rows, l->count, sizeof(*l->rows), by_position);
}

void
lineup_release(struct lineup *l)
{
	free(l->rows);
	*l = (struct lineup){0};
}

void
lineup_enter(struct lineup *l, uint64_t beside, bool after)
{
	size_t at = l->count;

	for (size_t i = 0; beside && i < l->count; i++)
		if (l->rows[i].id == beside)
			at = after ? i + 1 : i;
	memmove(l->rows + at + 1, l->rows + at,
	    (l->count - at) * sizeof(*l->rows));
	l->rows[at] = (struct lineup_row){.id = l->self, .position = l->was};
	l->count++;
}

/* They stand so already. */
static bool
in_order(const struct lineup *l)
{
	for (size_t i = 1; i < l->count; i++)
		if (by_position(&l->rows[i - 1], &l->rows[i]) > 0)
			return false;
	return true;
}

int
lineup_write(const struct lineup *l, bool elsewhere, bool sync,
    struct buf *body, struct buf *from)
{
	bool keep = in_order(l);
	int count = 0;

	for (size_t i = 0; i < l->count; i++) {
		const struct lineup_row *r = &l->rows[i];
		bool comes = r->id == l->self && (elsewhere || sync);
		int64_t at = keep ? r->position : (int64_t)i;

		if (r->position == at && !comes)
			continue;
		count++;
		jsonw_object(body, NULL);
		jsonw_id(body, "id", r->id);
		jsonw_int(body, "position", at);
		if (comes && l->in)
			jsonw_id(body, "parent_id", l->in);
		else if (comes)
			jsonw_null(body, "parent_id");
		if (comes && sync)
			jsonw_bool(body, "lock_permissions", true);
		jsonw_end_object(body);
		jsonw_object(from, NULL);
		jsonw_id(from, "id", r->id);
		jsonw_int(from, "position", r->position);
		jsonw_end_object(from);
	}
	return count;
}

bool
lineup_is(const struct json *lines, const struct json *channels)
{
	for (const struct json *r = json_first(lines); r; r = json_next(r)) {
		const struct json *v = json_first(channels);

		while (v && parts_id(v, "id", NULL) != parts_id(r, "id", NULL))
			v = json_next(v);
		if (!v ||
		    json_int(v, "position", -1) != json_int(r, "position", -2))
			return false;
	}
	return true;
}
