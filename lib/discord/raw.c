#include "discord/raw.h"

#include <string.h>

#include "core/clock.h"
#include "core/err.h"
#include "discord/parts.h"
#include "ext/json.h"
#include "record/message.h"

enum { REFERENCE_FORWARD = 1 };

bool
raw_is(const struct json *v)
{
	return parts_id(v, "channel_id", NULL) && parts_id(v, "id", NULL) &&
	       json_get(v, "author");
}

static void
read_author(struct message *m, const struct json *v, const struct json *member)
{
	const char *discriminator = parts_text(v, "discriminator", NULL);

	m->author.id = parts_id(v, "id", NULL);
	m->author.name = json_string(v, "username");
	if (discriminator &&
	    strspn(discriminator, "0") != strlen(discriminator))
		m->author.discriminator = discriminator;
	m->author.display = parts_text(v, "global_name", NULL);
	m->author.nickname = parts_text(member, "nick", NULL);
	m->author.member = json_kind(member) == JSON_OBJECT;
	m->author.bot = json_bool(v, "bot", false);
}

/* The interaction a message answers: its name in the old field or the new. */
static const struct json *
interaction_of(const struct json *v)
{
	const struct json *old = json_get(v, "interaction");

	return json_kind(old) == JSON_OBJECT
		   ? old
		   : json_get(v, "interaction_metadata");
}

static void
read_parts(struct message *m, const struct json *v)
{
	const struct json *snapshot = json_first(
	    json_get(v, "message_snapshots"));
	const struct json *reference = json_get(v, "message_reference");

	parts_content(m, v);
	parts_poll(m, json_get(v, "poll"));
	parts_forwarded(m, json_get(snapshot, "message"));
	parts_components(m, json_get(v, "components"));
	parts_reference(m, reference,
	    json_int(reference, "type", 0) == REFERENCE_FORWARD);
	parts_interaction(m, interaction_of(v));
	parts_ended(m, json_string(json_get(v, "call"), "ended_timestamp"));
	parts_mentions(m, json_get(v, "mentions"),
	    json_get(v, "mention_roles"));
	parts_reactions(m, json_get(v, "reactions"));
	parts_end(m);
}

static int
read_fields(struct message *m, const struct json *v, struct err *e)
{
	const char *edited = json_string(v, "edited_timestamp");

	message_clear(m);
	m->id = parts_id(v, "id", NULL);
	m->channel.id = parts_id(v, "channel_id", NULL);
	m->guild.id = parts_id(v, "guild_id", NULL);
	m->kind = json_int(v, "type", KIND_DEFAULT);
	m->text = json_string(v, "content");
	read_author(m, json_get(v, "author"), json_get(v, "member"));
	if (!m->id)
		return err_set(e, ERR_INPUT, "a message without an id");
	if (!m->channel.id)
		return err_set(e, ERR_INPUT, "a message without a channel_id");
	if (edited && clock_parse(&m->edited_ms, edited) < 0)
		return err_set(e, ERR_INPUT, "\"edited_timestamp\" is no time");
	m->text = m->text ? m->text : "";
	m->text_len = strlen(m->text);
	m->pinned = json_bool(v, "pinned", false);
	read_parts(m, v);
	return 0;
}

int
raw_read(struct message *m, const struct json *v, struct err *e)
{
	if (read_fields(m, v, e) < 0)
		return -1;
	if (!m->author.id)
		return err_set(e, ERR_INPUT, "a message without an author");
	return 0;
}

/* Which part of a message each field tells of. */
static const struct telling {
	const char *key;
	unsigned told;
} tellings[] = {
    {"content", MESSAGE_TOLD_TEXT},
    {"edited_timestamp", MESSAGE_TOLD_EDITED},
    {"pinned", MESSAGE_TOLD_PINNED},
    {"type", MESSAGE_TOLD_KIND},
    {"attachments", 1U << MESSAGE_ATTACHMENTS},
    {"embeds", 1U << MESSAGE_EMBEDS},
    {"sticker_items", 1U << MESSAGE_STICKERS},
    {"stickers", 1U << MESSAGE_STICKERS},
    {"poll", 1U << MESSAGE_POLL},
    {"message_snapshots", 1U << MESSAGE_FORWARDED},
    {"components", 1U << MESSAGE_COMPONENTS},
    {"message_reference", 1U << MESSAGE_REFERENCE},
    {"interaction", 1U << MESSAGE_INTERACTION},
    {"interaction_metadata", 1U << MESSAGE_INTERACTION},
    {"call", 1U << MESSAGE_ENDED},
    {"mentions", 1U << MESSAGE_MENTIONS},
    {"mention_roles", 1U << MESSAGE_ROLES},
    {"reactions", 1U << MESSAGE_REACTIONS},
};

int
raw_read_part(struct message *m, const struct json *v, unsigned *told,
    struct err *e)
{
	*told = 0;
	for (size_t i = 0; i < sizeof(tellings) / sizeof(*tellings); i++)
		if (json_get(v, tellings[i].key))
			*told |= tellings[i].told;
	if (read_fields(m, v, e) < 0)
		return -1;
	if (m->author.id)
		*told |= MESSAGE_TOLD_AUTHOR;
	/* Votes were counted since; a poll itself never changes. */
	if (!json_get(json_get(v, "poll"), "results"))
		*told &= ~(1U << MESSAGE_POLL);
	return 0;
}
