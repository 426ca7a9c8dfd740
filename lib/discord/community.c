#include "discord/community.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/id.h"
#include "core/mem.h"
#include "discord/parts.h"
#include "ext/json.h"

void
community_release(struct community_lists *l)
{
	free(l->overwrites);
	free(l->roles);
	*l = (struct community_lists){0};
}

/* Permissions are written in decimal text; `other` for what is none. */
static uint64_t
bits_of(const struct json *v, const char *key, uint64_t other)
{
	const char *text = json_string(v, key);
	char *end;
	uintmax_t bits;

	if (!text || !*text || text[strspn(text, "0123456789")])
		return other;
	errno = 0;
	bits = strtoumax(text, &end, 10);
	return errno || *end ? other : (uint64_t)bits;
}

static int64_t
time_of(const struct json *v, const char *key)
{
	const char *text = json_string(v, key);
	int64_t at_ms;

	return text && clock_parse(&at_ms, text) == 0 ? at_ms : 0;
}

int
community_guild(struct guild_facts *g, const struct json *v)
{
	*g = (struct guild_facts){
	    .id = parts_id(v, "id", NULL),
	    .owner = parts_id(v, "owner_id", NULL),
	    .name = json_string(v, "name"),
	};
	return g->id != 0;
}

static void
read_overwrites(struct channel_facts *c, struct community_lists *l,
    const struct json *list)
{
	c->has_overwrites = json_kind(list) == JSON_ARRAY;
	if (!json_count(list))
		return;
	if (!l->overwrites)
		l->overwrites = mem_array(OVERWRITES_MOST,
		    sizeof(*l->overwrites));
	for (const struct json *v = json_first(list);
	     v && c->overwrite_count < OVERWRITES_MOST; v = json_next(v)) {
		struct overwrite *o = &l->overwrites[c->overwrite_count];
		const char *type = json_string(v, "type"); /* of old: a word */

		*o = (struct overwrite){
		    .target = parts_id(v, "id", NULL),
		    .member = type ? strcmp(type, "member") == 0
				   : json_int(v, "type", 0) == 1,
		    .allow = bits_of(v, "allow", 0),
		    .deny = bits_of(v, "deny", UINT64_MAX),
		};
		c->overwrite_count += o->target != 0;
	}
	c->overwrites = l->overwrites;
}

int
community_channel(struct channel_facts *c, struct community_lists *l,
    uint64_t guild, const struct json *v)
{
	const struct json *thread = json_get(v, "thread_metadata");
	uint64_t said = parts_id(v, "guild_id", NULL);

	*c = (struct channel_facts){
	    .id = parts_id(v, "id", NULL),
	    .guild = said ? said : guild,
	    .parent = parts_id(v, "parent_id", NULL),
	    .owner = parts_id(v, "owner_id", NULL),
	    .last = parts_id(v, "last_message_id", NULL),
	    .kind = json_int(v, "type", -1),
	    .name = json_string(v, "name"),
	    .topic = json_string(v, "topic"),
	    .position = json_int(v, "position", 0),
	    .nsfw = json_bool(v, "nsfw", false),
	    .archived = json_bool(thread, "archived", false),
	    .locked = json_bool(thread, "locked", false),
	    .archived_ms = time_of(thread, "archive_timestamp"),
	};
	read_overwrites(c, l, json_get(v, "permission_overwrites"));
	return c->id != 0 && c->kind >= 0;
}

int
community_role(struct role_facts *r, uint64_t guild, const struct json *v)
{
	int64_t color = json_int(v, "color", 0);

	*r = (struct role_facts){
	    .id = parts_id(v, "id", NULL),
	    .guild = guild,
	    .permissions = bits_of(v, "permissions", 0),
	    .name = json_string(v, "name"),
	    .position = json_int(v, "position", 0),
	};
	if (color > 0 && color <= 0xffffff)
		snprintf(r->color, sizeof(r->color), "#%06X", (unsigned)color);
	return r->id != 0;
}

static void
read_roles(struct member_facts *m, struct community_lists *l,
    const struct json *list)
{
	m->has_roles = json_kind(list) == JSON_ARRAY;
	if (!json_count(list))
		return;
	if (!l->roles)
		l->roles = mem_array(ROLES_MOST, sizeof(*l->roles));
	for (const struct json *v = json_first(list);
	     v && m->role_count < ROLES_MOST; v = json_next(v)) {
		const char *text = json_text(v);
		uint64_t id;

		if (text && snowflake_read(&id, text) == 0)
			l->roles[m->role_count++] = id;
	}
	m->roles = l->roles;
}

int
community_member(struct member_facts *m, struct community_lists *l,
    uint64_t guild, const struct json *v, const struct json *user)
{
	const struct json *own = json_get(v, "user");
	const char *number;

	user = json_kind(own) == JSON_OBJECT ? own : user;
	number = json_string(user, "discriminator");
	*m = (struct member_facts){
	    .id = parts_id(user, "id", NULL),
	    .guild = guild,
	    .name = parts_text(user, "username", NULL),
	    .display = parts_text(user, "global_name", NULL),
	    .nickname = parts_text(v, "nick", NULL),
	    .bot = json_bool(user, "bot", false),
	    .timeout_ms = time_of(v, "communication_disabled_until"),
	};
	m->has_user = m->name != NULL;
	if (number && number[strspn(number, "0")])
		m->discriminator = number;
	read_roles(m, l, json_get(v, "roles"));
	return m->id != 0;
}
