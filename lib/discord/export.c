#include "discord/export.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/err.h"
#include "core/id.h"
#include "discord/parts.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "record/message.h"

/* Discord's numbers for the words of the exporter ("Message Types"). */
static const struct kind {
	const char *word;
	int number;
} kinds[] = {
    {"Default", 0},
    {"Reply", 19},
    {"RecipientAdd", 1},
    {"RecipientRemove", 2},
    {"Call", 3},
    {"ChannelNameChange", 4},
    {"ChannelIconChange", 5},
    {"ChannelPinnedMessage", 6},
    {"GuildMemberJoin", 7},
    {"UserJoin", 7},
    {"GuildBoost", 8},
    {"ThreadCreated", 18},
    {"ChatInputCommand", 20},
    {"ThreadStarterMessage", 21},
    {"ContextMenuCommand", 23},
    {"AutoModerationAction", 24},
    {"PollResult", 46},
};

/* An enum value the exporter has no word for is written as its number. */
static int
kind_of(const char *word)
{
	if (!word)
		return KIND_DEFAULT;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (strcmp(kinds[i].word, word) == 0)
			return kinds[i].number;
	if (!isdigit((unsigned char)*word))
		return -1;
	return (int)strtol(word, NULL, 10);
}

/* NULL for what is no string, or empty. */
static const char *
string_of(const struct json *v)
{
	const char *text = json_kind(v) == JSON_STRING ? json_text(v) : NULL;

	return text && *text ? text : NULL;
}

static uint64_t
id_of(const struct json *v)
{
	const char *text = string_of(v);
	uint64_t id;

	return text && snowflake_read(&id, text) == 0 ? id : 0;
}

int
export_read_head(struct message *head, const struct json *v, struct err *e)
{
	const struct json *guild = json_get(v, "guild");
	const struct json *channel = json_get(v, "channel");

	head->guild.id = parts_id(guild, "id", NULL);
	head->guild.name = parts_text(guild, "name", NULL);
	head->guild.icon = parts_text(guild, "iconUrl", NULL);
	head->channel.id = parts_id(channel, "id", NULL);
	head->channel.name = parts_text(channel, "name", NULL);
	head->channel.type = parts_text(channel, "type", NULL);
	head->channel.topic = parts_text(channel, "topic", NULL);
	head->channel.parent = parts_id(channel, "categoryId", NULL);
	head->channel.category = parts_text(channel, "category", NULL);
	if (!head->channel.id)
		return err_set(e, ERR_INPUT,
		    "not a chat export: no \"channel\" with an \"id\"");
	return 0;
}

static void
read_roles(struct buf *roles, const struct json *list)
{
	if (json_kind(list) != JSON_ARRAY)
		return;
	jsonw_array(roles, NULL);
	for (const struct json *v = json_first(list); v; v = json_next(v)) {
		uint64_t id = parts_id(v, "id", NULL);

		if (!id)
			continue;
		jsonw_object(roles, NULL);
		jsonw_id(roles, "id", id);
		jsonw_str(roles, "name", json_string(v, "name"));
		jsonw_opt(roles, "color", parts_text(v, "color", NULL));
		jsonw_int(roles, "position", json_int(v, "position", 0));
		jsonw_end_object(roles);
	}
	jsonw_end_array(roles);
}

/* The exporter writes the name where somebody has no nickname. */
static void
read_author(struct message *m, const struct json *v)
{
	static const char *const keys[] = {"id", "name", "discriminator",
	    "nickname", "color", "isBot", "roles"};
	enum { ID, NAME, DISCRIMINATOR, NICKNAME, COLOR, BOT, ROLES, COUNT };
	const struct json *got[COUNT];
	const char *number, *nickname;

	json_pick(v, keys, got, COUNT);
	m->author.id = id_of(got[ID]);
	m->author.name = string_of(got[NAME]);
	number = string_of(got[DISCRIMINATOR]);
	if (number && number[strspn(number, "0")])
		m->author.discriminator = number;
	nickname = string_of(got[NICKNAME]);
	if (nickname && m->author.name && strcmp(nickname, m->author.name) != 0)
		m->author.nickname = nickname;
	m->author.color = string_of(got[COLOR]);
	m->author.bot = json_true(got[BOT]);
	m->author.member = true;
	read_roles(&m->roles, got[ROLES]);
}

/* What most messages have, in the order it is written. */
enum field {
	ID,
	TYPE,
	EDITED,
	ENDED,
	PINNED,
	CONTENT,
	AUTHOR,
	ATTACHMENTS,
	EMBEDS,
	STICKERS,
	REACTIONS,
	MENTIONS,
	REFERENCE,
	INTERACTION,
	EMOJIS,
	FIELDS
};

static const char *const keys[FIELDS] = {
    [ID] = "id",
    [TYPE] = "type",
    [EDITED] = "timestampEdited",
    [ENDED] = "callEndedTimestamp",
    [PINNED] = "isPinned",
    [CONTENT] = "content",
    [AUTHOR] = "author",
    [ATTACHMENTS] = "attachments",
    [EMBEDS] = "embeds",
    [STICKERS] = "stickers",
    [REACTIONS] = "reactions",
    [MENTIONS] = "mentions",
    [REFERENCE] = "reference",
    [INTERACTION] = "interaction",
    [EMOJIS] = "inlineEmojis",
};

static void
read_parts(struct message *m, const struct json *v, const struct json *got[])
{
	const char *refers = json_string(got[REFERENCE], "type");

	if (json_count(got[ATTACHMENTS]) || json_count(got[EMBEDS]) ||
	    json_count(got[STICKERS]))
		parts_content(m, v);
	parts_poll(m, json_get(v, "poll"));
	parts_forwarded(m, json_get(v, "forwardedMessage"));
	parts_components(m, json_get(v, "components"));
	parts_reference(m, got[REFERENCE],
	    refers && strcmp(refers, "Forward") == 0);
	parts_interaction(m, got[INTERACTION]);
	parts_ended(m, string_of(got[ENDED]));
	parts_mentions(m, got[MENTIONS], json_get(v, "mentionedRoles"));
	parts_emojis(m, got[EMOJIS]);
	parts_reactions(m, got[REACTIONS]);
	parts_end(m);
}

int
export_read(struct message *m, const struct message *head, const struct json *v,
    struct err *e)
{
	const struct json *got[FIELDS];
	const char *edited;

	message_clear(m);
	json_pick(v, keys, got, FIELDS);
	m->guild = head->guild;
	m->channel = head->channel;
	m->id = id_of(got[ID]);
	m->kind = kind_of(string_of(got[TYPE]));
	m->text = string_of(got[CONTENT]);
	read_author(m, got[AUTHOR]);
	if (!m->id)
		return err_set(e, ERR_INPUT, "a message without an id");
	if (!m->author.id)
		return err_set(e, ERR_INPUT, "a message without an author");
	edited = string_of(got[EDITED]);
	if (edited && clock_parse(&m->edited_ms, edited) < 0)
		return err_set(e, ERR_INPUT, "\"timestampEdited\" is no time");
	m->text = m->text ? m->text : "";
	m->text_len = strlen(m->text);
	m->pinned = json_true(got[PINNED]);
	read_parts(m, v, got);
	return 0;
}
