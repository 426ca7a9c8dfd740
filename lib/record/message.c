#include "record/message.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/clock.h"
#include "core/err.h"
#include "core/hash.h"
#include "core/id.h"
#include "ext/json.h"
#include "ext/jsonw.h"

static const char *const part_keys[MESSAGE_PARTS] = {
    [MESSAGE_ATTACHMENTS] = "attachments",
    [MESSAGE_EMBEDS] = "embeds",
    [MESSAGE_STICKERS] = "stickers",
    [MESSAGE_POLL] = "poll",
    [MESSAGE_FORWARDED] = "forwarded",
    [MESSAGE_COMPONENTS] = "components",
    [MESSAGE_REFERENCE] = "reference",
    [MESSAGE_INTERACTION] = "interaction",
    [MESSAGE_ENDED] = "ended",
    [MESSAGE_MENTIONS] = "mentions",
    [MESSAGE_ROLES] = "roles",
    [MESSAGE_EMOJIS] = "emojis",
    [MESSAGE_REACTIONS] = "reactions",
};

const char *
message_part_key(enum message_part part)
{
	return part_keys[part];
}

void
message_clear(struct message *m)
{
	struct buf more = m->more, roles = m->roles;

	buf_clear(&more);
	buf_clear(&roles);
	json_free(m->line);
	*m = (struct message){.more = more, .roles = roles};
}

void
message_release(struct message *m)
{
	json_free(m->line);
	buf_release(&m->more);
	buf_release(&m->roles);
	*m = (struct message){0};
}

/* The id under key; 0 if there is none, or it is no snowflake. */
static uint64_t
id_of(const struct json *v, const char *key)
{
	const char *text = json_string(v, key);
	uint64_t id;

	return text && snowflake_read(&id, text) == 0 ? id : 0;
}

static enum json_kind
part_kind(int part)
{
	switch (part) {
	case MESSAGE_ENDED: return JSON_STRING;
	case MESSAGE_POLL:
	case MESSAGE_FORWARDED:
	case MESSAGE_REFERENCE:
	case MESSAGE_INTERACTION: return JSON_OBJECT;
	default: return JSON_ARRAY;
	}
}

/* Copy the parts we know, in our order, so that equal messages look equal. */
static void
read_more(struct buf *more, const struct json *v)
{
	for (int i = 0; i < MESSAGE_PARTS; i++) {
		const struct json *part = json_get(v, part_keys[i]);
		enum json_kind kind = part_kind(i);

		if (json_kind(part) != kind ||
		    (kind == JSON_ARRAY && !json_count(part)))
			continue;
		if (!more->len)
			jsonw_object(more, NULL);
		jsonw_value(more, part_keys[i], part);
	}
	if (more->len)
		jsonw_end_object(more);
}

static void
read_author(struct message *m, const struct json *v)
{
	const struct json *roles = json_get(v, "roles");

	m->author.id = id_of(v, "id");
	m->author.name = json_string(v, "name");
	m->author.discriminator = json_string(v, "discriminator");
	m->author.nickname = json_string(v, "nickname");
	m->author.display = json_string(v, "display");
	m->author.color = json_string(v, "color");
	m->author.bot = json_bool(v, "bot", false);
	m->author.member = true;
	if (json_kind(roles) == JSON_ARRAY)
		jsonw_value(&m->roles, NULL, roles);
}

static void
read_place(struct message *m, const struct json *guild,
    const struct json *channel)
{
	m->guild.id = id_of(guild, "id");
	m->guild.name = json_string(guild, "name");
	m->guild.icon = json_string(guild, "icon");
	m->channel.id = id_of(channel, "id");
	m->channel.parent = id_of(channel, "parent");
	m->channel.name = json_string(channel, "name");
	m->channel.type = json_string(channel, "type");
	m->channel.category = json_string(channel, "category");
	m->channel.topic = json_string(channel, "topic");
}

static int
read_edited(struct message *m, const struct json *v, struct err *e)
{
	const char *text = json_string(v, "edited");

	if (text && clock_parse(&m->edited_ms, text) < 0)
		return err_set(e, ERR_INPUT, "message: \"edited\" is no time");
	return 0;
}

int
message_read_json(struct message *m, const struct json *v, struct err *e)
{
	const char *type = json_string(v, "type");

	message_clear(m);
	if (!type || strcmp(type, "message") != 0)
		return err_set(e, ERR_INPUT, "not a message record");
	m->id = id_of(v, "id");
	m->text = json_string(v, "text");
	read_place(m, json_get(v, "guild"), json_get(v, "channel"));
	read_author(m, json_get(v, "author"));
	if (!m->id)
		return err_set(e, ERR_INPUT, "message: no \"id\"");
	if (!m->channel.id)
		return err_set(e, ERR_INPUT, "message: no \"channel\"");
	if (!m->author.id)
		return err_set(e, ERR_INPUT, "message: no \"author\"");
	if (!m->text)
		return err_set(e, ERR_INPUT, "message: no \"text\"");
	m->text_len = strlen(m->text);
	m->reply = id_of(v, "reply_to");
	m->kind = json_int(v, "kind", 0);
	m->pinned = json_bool(v, "pinned", false);
	m->lane = json_string(v, "lane");
	m->score = json_string(v, "score");
	m->part = json_string(v, "part");
	m->group = json_int(v, "group", 0);
	read_more(&m->more, v);
	return read_edited(m, v, e);
}

static void
write_guild(struct buf *b, const struct message_guild *g)
{
	if (!g->id)
		return;
	jsonw_object(b, "guild");
	jsonw_id(b, "id", g->id);
	jsonw_str(b, "name", g->name ? g->name : "");
	jsonw_opt(b, "icon", g->icon);
	jsonw_end_object(b);
}

static void
write_channel(struct buf *b, const struct message_channel *c)
{
	jsonw_object(b, "channel");
	jsonw_id(b, "id", c->id);
	jsonw_str(b, "name", c->name ? c->name : "");
	jsonw_opt(b, "type", c->type);
	if (c->parent)
		jsonw_id(b, "parent", c->parent);
	jsonw_opt(b, "category", c->category);
	jsonw_opt(b, "topic", c->topic);
	jsonw_end_object(b);
}

static void
write_author(struct buf *b, const struct message *m)
{
	const struct message_author *a = &m->author;

	jsonw_object(b, "author");
	jsonw_id(b, "id", a->id);
	jsonw_str(b, "name", a->name ? a->name : "");
	jsonw_opt(b, "discriminator", a->discriminator);
	jsonw_opt(b, "nickname", a->nickname);
	jsonw_opt(b, "display", a->display);
	jsonw_opt(b, "color", a->color);
	if (a->bot)
		jsonw_bool(b, "bot", true);
	if (m->roles.len > 2) /* more than its brackets */
		jsonw_raw(b, "roles", m->roles.data, m->roles.len);
	jsonw_end_object(b);
}

void
message_link(struct buf *to, const struct message *m)
{
	buf_str(to, "https://discord.com/channels/");
	if (m->guild.id)
		buf_fmt(to, "%" PRIu64, m->guild.id);
	else
		buf_str(to, "@me");
	buf_fmt(to, "/%" PRIu64 "/%" PRIu64, m->channel.id, m->id);
}

static void
write_link(struct buf *b, const struct message *m)
{
	struct buf link = {0};

	message_link(&link, m);
	jsonw_str(b, "link", buf_text(&link));
	buf_release(&link);
}

static void
write_search(struct buf *b, const struct message *m)
{
	jsonw_opt(b, "lane", m->lane);
	jsonw_opt(b, "score", m->score);
	if (m->group)
		jsonw_int(b, "group", m->group);
	jsonw_opt(b, "part", m->part);
}

void
message_write(struct buf *b, const struct message *m)
{
	char revision[MESSAGE_REVISION];

	jsonw_object(b, NULL);
	jsonw_str(b, "type", "message");
	jsonw_id(b, "id", m->id);
	write_guild(b, &m->guild);
	write_channel(b, &m->channel);
	write_author(b, m);
	jsonw_time(b, "at", snowflake_ms(m->id));
	if (m->edited_ms)
		jsonw_time(b, "edited", m->edited_ms);
	if (m->kind)
		jsonw_int(b, "kind", m->kind);
	jsonw_strn(b, "text", m->text ? m->text : "", m->text_len);
	if (m->reply)
		jsonw_id(b, "reply_to", m->reply);
	if (m->pinned)
		jsonw_bool(b, "pinned", true);
	if (m->more.len > 2) { /* its members, without the braces */
		buf_char(b, ',');
		buf_add(b, m->more.data + 1, m->more.len - 2);
	}
	write_link(b, m);
	message_revision(revision, m);
	jsonw_str(b, "revision", revision);
	write_search(b, m);
	jsonw_line(b);
}

/*
 * How much of `more` stands before the parts that are no part of a revision. A
 * key with its quotes and colon can't be inside a string: there, its second
 * quote has a backslash before it. It can be inside a nested object, but none
 * of ours has these keys.
 */
static size_t
lasting(const struct message *m)
{
	size_t least = m->more.len;

	for (int i = MESSAGE_MENTIONS; i < MESSAGE_PARTS; i++) {
		char key[32];
		const char *at;

		snprintf(key, sizeof(key), "\"%s\":", part_keys[i]);
		at = m->more.len ? strstr(m->more.data, key) : NULL;
		if (at && (size_t)(at - m->more.data) < least)
			least = (size_t)(at - m->more.data);
	}
	return least;
}

void
message_revision(char out[MESSAGE_REVISION], const struct message *m)
{
	size_t len = lasting(m);
	uint64_t hash = HASH_START;

	hash = hash_bytes(hash, m->text ? m->text : "", m->text_len);
	if (len > 2) /* more than its brace and a comma or brace */
		hash = hash_bytes(hash, m->more.data, len - 1);
	snprintf(out, MESSAGE_REVISION, "%" PRId64 "-%016" PRIx64, m->edited_ms,
	    hash);
}
