/* create_channel, create_category */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/buf.h"
#include "core/err.h"
#include "core/mem.h"
#include "discord/parts.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "guild/change.h"
#include "guild/changes.h"
#include "guild/hindsight.h"
#include "guild/live.h"
#include "guild/overwrites.h"
#include "guild/places.h"
#include "guild/power.h"
#include "guild/traits.h"
#include "record/community.h"
#include "tool/serve.h"

enum { PATH = 64 };

static const struct kind {
	const char *word;
	int64_t kind;
	bool communities; /* have them, and no others */
} kinds[] = {
    {"text", CHANNEL_TEXT, false},
    {"voice", CHANNEL_VOICE, false},
    {"news", CHANNEL_NEWS, true},
    {"stage", CHANNEL_STAGE, true},
    {"forum", CHANNEL_FORUM, true},
};

static int
take_kind(struct change *c, const struct kind **kind, struct err *e)
{
	const char *word = json_string(c->in, "kind");

	*kind = &kinds[0];
	for (size_t i = 0; word && i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strcmp(kinds[i].word, word) == 0)
			*kind = &kinds[i];
	if (word && strcmp((*kind)->word, word) != 0)
		return err_set(e, ERR_INPUT, "'%.40s' is no kind of channel",
		    word);
	if ((*kind)->communities && !places_is_community(c))
		return err_set(e, ERR_REFUSED,
		    "only a server that is a community has %s channels",
		    (*kind)->word);
	return 0;
}

/* Who sees it, if not everybody: into the body. */
static int
take_audience(struct change *c, struct traits *t, const struct place *in,
    int64_t kind, struct err *e)
{
	const struct json *who = json_get(c->in, "private_to");
	const struct realm_channel *category = in->id ? realm_channel(
							    &c->live->realm,
							    in->id)
						      : NULL;
	struct overwrites o = {0};
	struct buf list = {0};
	int result;

	if (!who)
		return 0;
	buf_str(&t->text, "\nvisible to nobody but ");
	result = overwrites_private(&o, c, who, category, kind, &t->text, e);
	if (result == 0) {
		overwrites_write(&o, &list);
		traits_add(t, "permission_overwrites", buf_text(&list), NULL);
	}
	buf_release(&list);
	overwrites_release(&o);
	return result;
}

/* Where its name and topic will be read. */
static int
take_destination(struct change *c, const struct place *in, struct err *e)
{
	if (!in->id || json_get(c->in, "private_to"))
		return places_for_all(c, e);
	buf_fmt(&c->p->destination, "%" PRIu64, in->id);
	return 0;
}

static int
check_room(struct change *c, struct err *e)
{
	if (change_need_guild(c, PERMIT_MANAGE_CHANNELS, e) < 0)
		return -1;
	if (json_count(c->live->channels) >= CHANNELS_MOST)
		return err_set(e, ERR_REFUSED,
		    "the server is full: it has %d channels and categories",
		    CHANNELS_MOST);
	return 0;
}

/* All but what is said first. */
static int
propose(struct change *c, struct traits *t, const struct place *in,
    int64_t kind, struct err *e)
{
	char number[24];

	snprintf(number, sizeof(number), "%" PRId64, kind);
	traits_add(t, "type", number, NULL);
	if (!json_get(c->in, "name"))
		return err_set(e, ERR_INPUT, "name is missing");
	if (traits_channel(t, c, kind, NULL, e) < 0 ||
	    take_audience(c, t, in, kind, e) < 0 ||
	    take_destination(c, in, e) < 0)
		return -1;
	jsonw_id(&c->p->plan, "guild", c->live->id);
	jsonw_int(&c->p->plan, "kind", kind);
	traits_plan(t, c);
	buf_str(&c->p->text, buf_text(&t->text));
	return 0;
}

int
create_channel_check(struct change *c, struct err *e)
{
	struct place in = {0};
	const struct kind *kind;
	struct traits t;
	char id[32];
	int result = -1;

	if (change_begin(c, 0, e) < 0 || check_room(c, e) < 0 ||
	    take_kind(c, &kind, e) < 0)
		return -1;
	traits_start(&t);
	buf_fmt(&c->p->text, "make a %s channel", kind->word);
	if (json_get(c->in, "category")) {
		if (places_category(c, 0, &in, e) < 0)
			goto out;
		snprintf(id, sizeof(id), "\"%" PRIu64 "\"", in.id);
		traits_add(&t, "parent_id", id, NULL);
		buf_str(&c->p->text, " in the category ");
		change_name(&c->p->text, "", in.name, in.id);
		if (!json_get(c->in, "private_to"))
			buf_str(&c->p->text, ", with its permissions");
		change_target_channel(c, in.id, in.name);
	}
	buf_char(&c->p->text, ':');
	result = propose(c, &t, &in, kind->kind, e);
out:
	traits_release(&t);
	return result;
}

int
create_category_check(struct change *c, struct err *e)
{
	const struct place in = {0};
	struct traits t;
	int result;

	if (change_begin(c, 0, e) < 0 || check_room(c, e) < 0)
		return -1;
	traits_start(&t);
	buf_str(&c->p->text, "make a category:");
	result = propose(c, &t, &in, CHANNEL_CATEGORY, e);
	traits_release(&t);
	return result;
}

int
create_channel_act(struct change *c, struct err *e)
{
	struct buf body = {0};
	char path[PATH];
	const struct change_request r = {"POST", path, &body, false, NULL};
	struct json *made = NULL;
	uint64_t id;
	int result;

	snprintf(path, sizeof(path), "/guilds/%" PRIu64 "/channels",
	    change_id(c->plan, "guild"));
	jsonw_value(&body, NULL, json_get(c->plan, "body"));
	result = change_send(c, &r, &made, e);
	buf_release(&body);
	id = change_id(made, "id");
	if (result == 0 && !id)
		result = err_set(e, ERR_UNKNOWN,
		    "Discord's answer names no channel");
	if (result == 0)
		places_told(c,
		    json_int(c->plan, "kind", 0) == CHANNEL_CATEGORY
			? "made the category"
			: "made",
		    id, json_string(made, "name"));
	json_free(made);
	return result;
}

int
create_channel_verify(struct change *c, struct err *e)
{
	return hindsight_made(c, MADE_CHANNEL, e);
}
