#include "guild/describe.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/buf.h"
#include "core/clock.h"
#include "core/id.h"
#include "discord/parts.h"
#include "discord/permission.h"
#include "discord/permits.h"
#include "discord/raw.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "guild/live.h"
#include "record/community.h"
#include "record/message.h"
#include "record/source.h"

void
describe_named(struct buf *b, const char *key, const struct json *v)
{
	jsonw_object(b, key);
	jsonw_str(b, "id", json_string(v, "id"));
	jsonw_str(b, "name", json_string(v, "name"));
	jsonw_end_object(b);
}

/* A time of Discord's, in our form. */
static void
add_time(struct buf *b, const char *key, const char *text)
{
	int64_t at_ms;

	if (text && clock_parse(&at_ms, text) == 0)
		jsonw_time(b, key, at_ms);
}

static void
add_thread(struct buf *b, const struct json *v)
{
	const struct json *meta = json_get(v, "thread_metadata");
	uint64_t last = parts_id(v, "last_message_id", NULL);

	jsonw_bool(b, "archived", json_bool(meta, "archived", false));
	jsonw_bool(b, "locked", json_bool(meta, "locked", false));
	jsonw_int(b, "messages", json_int(v, "message_count", 0));
	jsonw_int(b, "members", json_int(v, "member_count", 0));
	jsonw_opt(b, "owner", json_string(v, "owner_id"));
	jsonw_time(b, "created_at", snowflake_ms(parts_id(v, "id", NULL)));
	if (last)
		jsonw_time(b, "last_message_at", snowflake_ms(last));
}

void
describe_channel(struct buf *b, const char *key, const struct live *l,
    const struct json *v)
{
	int64_t kind = json_int(v, "type", -1);
	const struct json *parent = live_channel(l,
	    parts_id(v, "parent_id", NULL));
	const char *topic = json_string(v, "topic");

	jsonw_object(b, key);
	jsonw_str(b, "id", json_string(v, "id"));
	jsonw_str(b, "name", json_string(v, "name"));
	jsonw_str(b, "kind", channel_kind_word(kind));
	if (topic && *topic)
		jsonw_str(b, "topic", topic);
	if (parent)
		describe_named(b, "parent", parent);
	if (channel_is_thread(kind))
		add_thread(b, v);
	jsonw_end_object(b);
}

void
describe_permissions(struct buf *b, const char *key, uint64_t bits)
{
	jsonw_array(b, key);
	for (int i = 0; i < PERMITS; i++)
		if ((bits & UINT64_C(1) << i) && permit_name(i))
			jsonw_str(b, NULL, permit_name(i));
	jsonw_end_array(b);
}

uint64_t
describe_bits(const struct json *v, const char *key)
{
	const char *text = json_string(v, key);

	return text ? (uint64_t)strtoumax(text, NULL, 10) : 0;
}

void
describe_role(struct buf *b, const char *key, const struct json *role)
{
	uint64_t bits = describe_bits(role, "permissions");
	int64_t color = json_int(role, "color", 0);
	char hex[16];

	jsonw_object(b, key);
	jsonw_str(b, "id", json_string(role, "id"));
	jsonw_str(b, "name", json_string(role, "name"));
	jsonw_int(b, "position", json_int(role, "position", 0));
	if (color > 0) {
		snprintf(hex, sizeof(hex), "#%06" PRIX64,
		    (uint64_t)color & 0xffffff);
		jsonw_str(b, "color", hex);
	}
	jsonw_bool(b, "administrator", bits & PERMIT_ADMINISTRATOR);
	jsonw_bool(b, "apart_in_list", json_bool(role, "hoist", false));
	jsonw_bool(b, "mentionable", json_bool(role, "mentionable", false));
	jsonw_bool(b, "managed", json_bool(role, "managed", false));
	jsonw_end_object(b);
}

const char *
describe_member_name(const struct json *m)
{
	const struct json *user = json_get(m, "user");
	const char *name = json_string(m, "nick");

	if (!name || !*name)
		name = json_string(user, "global_name");
	if (!name || !*name)
		name = json_string(user, "username");
	return name ? name : "";
}

static void
add_roles(struct buf *b, const struct live *l, const struct json *ids)
{
	const struct json *roles = json_get(l->guild, "roles");

	jsonw_array(b, "roles");
	for (const struct json *i = json_first(ids); i; i = json_next(i))
		for (const struct json *r = json_first(roles); r;
		     r = json_next(r))
			if (json_text(i) && json_string(r, "id") &&
			    strcmp(json_text(i), json_string(r, "id")) == 0)
				describe_named(b, NULL, r);
	jsonw_end_array(b);
}

void
describe_member(struct buf *b, const char *key, const struct live *l,
    const struct json *m)
{
	const struct json *user = json_get(m, "user");
	uint64_t id = parts_id(user, "id", NULL);

	jsonw_object(b, key);
	jsonw_id(b, "id", id);
	jsonw_str(b, "name", describe_member_name(m));
	jsonw_opt(b, "username", json_string(user, "username"));
	jsonw_opt(b, "nickname", json_string(m, "nick"));
	jsonw_bool(b, "bot", json_bool(user, "bot", false));
	jsonw_bool(b, "owner", id == l->realm.crowd.owner);
	add_roles(b, l, json_get(m, "roles"));
	add_time(b, "joined_at", json_string(m, "joined_at"));
	add_time(b, "boosts_since", json_string(m, "premium_since"));
	add_time(b, "timed_out_until",
	    json_string(m, "communication_disabled_until"));
	jsonw_time(b, "account_made_at", snowflake_ms(id));
	jsonw_end_object(b);
}

int
describe_source(const struct live *l, const struct json *channel,
    const struct json *v, struct buf *to, struct err *e)
{
	struct message m = {0};
	int result = raw_read(&m, v, e);

	m.guild.id = l->id;
	m.channel.id = parts_id(channel, "id", NULL);
	m.channel.name = json_string(channel, "name");
	if (result == 0)
		source_of_message(to, &m);
	message_release(&m);
	return result;
}
