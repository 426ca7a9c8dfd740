/* What a proposal names as changed. */
#include <inttypes.h>
#include <stdio.h>

#include "discord/parts.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "guild/change.h"
#include "tool/serve.h"

enum { LEVELS = 3 }; /* thread, channel, category */

static void
add(struct change *c, enum proposal_kind kind, uint64_t id, const char *name,
    struct buf *above, struct buf *below)
{
	char text[24];
	struct proposal_target t = {.kind = kind, .id = text, .name = name};

	snprintf(text, sizeof(text), "%" PRIu64, id);
	if (above->len) {
		jsonw_end_array(above);
		jsonw_end_array(below);
		t.above.text = buf_text(above);
		t.below.text = buf_text(below);
	}
	serve_target(c->p, &t);
	buf_release(above);
	buf_release(below);
}

void
change_target(struct change *c, enum proposal_kind kind, uint64_t id,
    const char *name)
{
	add(c, kind, id, name, &(struct buf){0}, &(struct buf){0});
}

/* The channels that this one is in. */
static void
climb(const struct live *l, uint64_t id, struct buf *above)
{
	for (int i = 0; i < LEVELS; i++) {
		id = parts_id(live_channel(l, id), "parent_id", NULL);
		if (!id)
			return;
		jsonw_id(above, NULL, id);
	}
}

/* Those of the list that are in it, and the threads in them. */
static void
dig(const struct live *l, uint64_t id, struct buf *below)
{
	for (size_t i = 0; i < l->realm.channel_count; i++) {
		const struct realm_channel *r = &l->realm.channels[i];
		const struct json *parent = live_channel(l, r->parent);

		if (r->parent == id ||
		    (parent && parts_id(parent, "parent_id", NULL) == id))
			jsonw_id(below, NULL, r->id);
	}
}

void
change_target_channel(struct change *c, uint64_t id, const char *name)
{
	struct buf above = {0}, below = {0};

	jsonw_array(&above, NULL);
	jsonw_array(&below, NULL);
	climb(c->live, id, &above);
	dig(c->live, id, &below);
	add(c, PROPOSAL_CHANNEL, id, name, &above, &below);
}

void
change_target_message(struct change *c, const struct place *p, uint64_t id,
    const char *name)
{
	struct buf above = {0}, below = {0};

	jsonw_array(&above, NULL);
	jsonw_array(&below, NULL);
	jsonw_id(&above, NULL, p->id);
	climb(c->live, p->id, &above);
	add(c, PROPOSAL_MESSAGE, id, name, &above, &below);
}
