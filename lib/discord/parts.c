#include "discord/parts.h"

#include "core/clock.h"
#include "core/id.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "record/message.h"

static void
put_text(struct buf *b, const char *key, const char *text)
{
	jsonw_str(b, key, text ? text : "");
}

static void
put_id(struct buf *b, const char *key, uint64_t id)
{
	if (id)
		jsonw_id(b, key, id);
}

/* The key of the next part; opens `more` if it is the first. */
static const char *
next_part(struct message *m, enum message_part part)
{
	if (!m->more.len)
		jsonw_object(&m->more, NULL);
	return message_part_key(part);
}

void
parts_end(struct message *m)
{
	if (m->more.len)
		jsonw_end_object(&m->more);
}

static void
put_attachments(struct buf *b, const char *key, const struct json *list)
{
	jsonw_array(b, key);
	for (const struct json *v = json_first(list); v; v = json_next(v)) {
		int64_t size = json_int(v, "fileSizeBytes", 0);

		jsonw_object(b, NULL);
		jsonw_id(b, "id", parts_id(v, "id", NULL));
		put_text(b, "name", parts_text(v, "fileName", "filename"));
		jsonw_opt(b, "title", parts_text(v, "title", NULL));
		put_text(b, "url", parts_text(v, "url", NULL));
		size = json_int(v, "size", size);
		jsonw_int(b, "size", size < 0 ? 0 : size);
		jsonw_opt(b, "type",
		    parts_text(v, "content_type", "contentType"));
		jsonw_opt(b, "description", parts_text(v, "description", NULL));
		jsonw_end_object(b);
	}
	jsonw_end_array(b);
}

/* An embed's picture or film: its address. DCE once wrote a list of them. */
static void
put_media(struct buf *b, const struct json *embed, const char *key)
{
	const struct json *v = json_get(embed, key);

	jsonw_opt(b, key, parts_text(v, "url", NULL));
}

static void
put_fields(struct buf *b, const struct json *list)
{
	if (!json_count(list))
		return;
	jsonw_array(b, "fields");
	for (const struct json *v = json_first(list); v; v = json_next(v)) {
		jsonw_object(b, NULL);
		jsonw_opt(b, "name", parts_text(v, "name", NULL));
		jsonw_opt(b, "value", parts_text(v, "value", NULL));
		jsonw_end_object(b);
	}
	jsonw_end_array(b);
}

static void
put_embeds(struct buf *b, const char *key, const struct json *list)
{
	jsonw_array(b, key);
	for (const struct json *v = json_first(list); v; v = json_next(v)) {
		const struct json *images = json_get(v, "images");

		jsonw_object(b, NULL);
		jsonw_opt(b, "title", parts_text(v, "title", NULL));
		jsonw_opt(b, "url", parts_text(v, "url", NULL));
		jsonw_opt(b, "description", parts_text(v, "description", NULL));
		jsonw_opt(b, "author",
		    parts_text(json_get(v, "author"), "name", NULL));
		jsonw_opt(b, "provider",
		    parts_text(json_get(v, "provider"), "name", NULL));
		jsonw_opt(b, "footer",
		    parts_text(json_get(v, "footer"), "text", NULL));
		if (parts_text(json_get(v, "image"), "url", NULL))
			put_media(b, v, "image");
		else
			jsonw_opt(b, "image",
			    parts_text(json_first(images), "url", NULL));
		put_media(b, v, "thumbnail");
		put_media(b, v, "video");
		put_fields(b, json_get(v, "fields"));
		jsonw_end_object(b);
	}
	jsonw_end_array(b);
}

/* Objects reduced to id and name. */
static void
put_named(struct buf *b, const char *key, const struct json *list)
{
	jsonw_array(b, key);
	for (const struct json *v = json_first(list); v; v = json_next(v)) {
		jsonw_object(b, NULL);
		put_id(b, "id", parts_id(v, "id", NULL));
		jsonw_opt(b, "name", parts_text(v, "name", "username"));
		jsonw_end_object(b);
	}
	jsonw_end_array(b);
}

static const struct json *
stickers_of(const struct json *v)
{
	const struct json *list = json_get(v, "sticker_items");

	return json_count(list) ? list : json_get(v, "stickers");
}

void
parts_content(struct message *m, const struct json *v)
{
	const struct json *files = json_get(v, "attachments");
	const struct json *embeds = json_get(v, "embeds");
	const struct json *stickers = stickers_of(v);

	if (json_count(files))
		put_attachments(&m->more, next_part(m, MESSAGE_ATTACHMENTS),
		    files);
	if (json_count(embeds))
		put_embeds(&m->more, next_part(m, MESSAGE_EMBEDS), embeds);
	if (json_count(stickers))
		put_named(&m->more, next_part(m, MESSAGE_STICKERS), stickers);
}

/* Votes of the answer numbered id, -1 if they are not told. */
static int64_t
votes_of(const struct json *poll, int64_t id)
{
	const struct json *v = json_get(poll, "results");

	for (v = json_first(json_get(v, "answer_counts")); v; v = json_next(v))
		if (json_int(v, "id", -1) == id)
			return json_int(v, "count", -1);
	return -1;
}

static void
put_answer(struct buf *b, const struct json *poll, const struct json *v,
    int64_t place)
{
	const struct json *media = json_get(v, "poll_media");
	const char *text = parts_text(media, "text", NULL);
	int64_t votes = json_int(v, "votes", json_int(v, "voteCount", -1));
	int64_t id = json_int(v, "answer_id", json_int(v, "id", -2));

	if (votes < 0)
		votes = votes_of(poll, id);
	if (!text)
		text = parts_text(v, "text", NULL);
	if (!text) /* it may be an emoji alone */
		text = parts_text(json_get(media, "emoji"), "name", NULL);
	jsonw_object(b, NULL);
	jsonw_opt(b, "text", text);
	if (votes >= 0)
		jsonw_int(b, "votes", votes);
	if (id > 0 && id != place)
		jsonw_int(b, "id", id);
	jsonw_end_object(b);
}

void
parts_poll(struct message *m, const struct json *poll)
{
	const struct json *v = json_get(poll, "question");
	const char *text = json_text(v);
	int64_t place = 1;

	if (json_kind(poll) != JSON_OBJECT)
		return;
	jsonw_object(&m->more, next_part(m, MESSAGE_POLL));
	jsonw_opt(&m->more, "question",
	    text ? text : parts_text(v, "text", NULL));
	jsonw_array(&m->more, "answers");
	for (v = json_first(json_get(poll, "answers")); v; v = json_next(v))
		put_answer(&m->more, poll, v, place++);
	jsonw_end_array(&m->more);
	jsonw_opt(&m->more, "ends", parts_text(poll, "expiry", "expiresAt"));
	jsonw_end_object(&m->more);
}

/* The list of what components show, opened by the first text in it. */
struct shown {
	struct message *part; /* that it is a part of; or NULL: a member */
	struct buf *to;
	int count;
};

static void
put_shown(struct shown *s, const char *text)
{
	if (!text)
		return;
	if (!s->count++)
		jsonw_array(s->to, s->part
				       ? next_part(s->part, MESSAGE_COMPONENTS)
				       : message_part_key(MESSAGE_COMPONENTS));
	jsonw_str(s->to, NULL, text);
}

/*
 * Text displays, labels of buttons, options, sections and what stands beside
 * them, names of files, descriptions of pictures, in the order a person reads
 * them. Nesting is bounded by JSON_DEPTH.
 */
static void /* NOLINTNEXTLINE(misc-no-recursion) */
put_component(struct shown *s, const struct json *v)
{
	static const char *const own[] = {"content", "label", "placeholder",
	    "name", "description"};
	static const char *const inside[] = {"components", "items", "options"};
	static const char *const beside[] = {"accessory", "component"};
	const struct json *x;

	for (size_t i = 0; i < sizeof(own) / sizeof(*own); i++)
		put_shown(s, parts_text(v, own[i], NULL));
	for (size_t i = 0; i < sizeof(inside) / sizeof(*inside); i++) {
		x = json_first(json_get(v, inside[i]));
		for (; x; x = json_next(x))
			put_component(s, x);
	}
	for (size_t i = 0; i < sizeof(beside) / sizeof(*beside); i++)
		if ((x = json_get(v, beside[i])))
			put_component(s, x);
}

static void
put_components(struct shown *s, const struct json *list)
{
	for (const struct json *v = json_first(list); v; v = json_next(v))
		put_component(s, v);
	if (s->count)
		jsonw_end_array(s->to);
}

void
parts_components(struct message *m, const struct json *list)
{
	struct shown s = {.part = m, .to = &m->more};

	put_components(&s, list);
}

void
parts_forwarded(struct message *m, const struct json *v)
{
	const struct json *list;
	struct buf *b = &m->more;
	struct shown s = {.to = b};

	if (json_kind(v) != JSON_OBJECT)
		return;
	jsonw_object(b, next_part(m, MESSAGE_FORWARDED));
	jsonw_opt(b, "text", parts_text(v, "content", NULL));
	jsonw_opt(b, "at", parts_text(v, "timestamp", NULL));
	if (json_count(list = json_get(v, "attachments")))
		put_attachments(b, "attachments", list);
	if (json_count(list = json_get(v, "embeds")))
		put_embeds(b, "embeds", list);
	if (json_count(list = stickers_of(v)))
		put_named(b, "stickers", list);
	put_components(&s, json_get(v, "components"));
	jsonw_end_object(b);
}

void
parts_reference(struct message *m, const struct json *v, bool forward)
{
	uint64_t message = parts_id(v, "messageId", "message_id");
	uint64_t channel = parts_id(v, "channelId", "channel_id");
	uint64_t guild = parts_id(v, "guildId", "guild_id");
	bool here = !channel || channel == m->channel.id;

	if (here && !forward &&
	    (m->kind == KIND_DEFAULT || m->kind == KIND_REPLY))
		m->reply = message;
	if (m->reply || (!message && !channel))
		return;
	jsonw_object(&m->more, next_part(m, MESSAGE_REFERENCE));
	put_id(&m->more, "message", message);
	put_id(&m->more, "channel", channel);
	put_id(&m->more, "guild", guild);
	jsonw_end_object(&m->more);
}

void
parts_interaction(struct message *m, const struct json *v)
{
	const struct json *user = json_get(v, "user");

	if (json_kind(v) != JSON_OBJECT)
		return;
	jsonw_object(&m->more, next_part(m, MESSAGE_INTERACTION));
	put_id(&m->more, "id", parts_id(v, "id", NULL));
	jsonw_opt(&m->more, "name", parts_text(v, "name", NULL));
	if (json_kind(user) == JSON_OBJECT) {
		jsonw_object(&m->more, "user");
		put_id(&m->more, "id", parts_id(user, "id", NULL));
		jsonw_opt(&m->more, "name",
		    parts_text(user, "name", "username"));
		jsonw_end_object(&m->more);
	}
	jsonw_end_object(&m->more);
}

void
parts_ended(struct message *m, const char *at)
{
	int64_t at_ms;

	if (at && clock_parse(&at_ms, at) == 0)
		jsonw_time(&m->more, next_part(m, MESSAGE_ENDED), at_ms);
}

void
parts_mentions(struct message *m, const struct json *users,
    const struct json *roles)
{
	int count = 0;
	uint64_t id;

	if (json_count(users))
		put_named(&m->more, next_part(m, MESSAGE_MENTIONS), users);
	for (roles = json_first(roles); roles; roles = json_next(roles)) {
		if (!json_text(roles) ||
		    snowflake_read(&id, json_text(roles)) < 0)
			continue;
		if (!count++)
			jsonw_array(&m->more, next_part(m, MESSAGE_ROLES));
		jsonw_id(&m->more, NULL, id);
	}
	if (count)
		jsonw_end_array(&m->more);
}

/* A guild's own emoji have an id; the others are in the text already. */
void
parts_emojis(struct message *m, const struct json *list)
{
	int count = 0;

	for (const struct json *v = json_first(list); v; v = json_next(v)) {
		uint64_t id = parts_id(v, "id", NULL);

		if (!id)
			continue;
		if (!count++)
			jsonw_array(&m->more, next_part(m, MESSAGE_EMOJIS));
		jsonw_object(&m->more, NULL);
		jsonw_id(&m->more, "id", id);
		jsonw_opt(&m->more, "name", parts_text(v, "name", "code"));
		jsonw_end_object(&m->more);
	}
	if (count)
		jsonw_end_array(&m->more);
}

void
parts_reactions(struct message *m, const struct json *list)
{
	if (!json_count(list))
		return;
	jsonw_array(&m->more, next_part(m, MESSAGE_REACTIONS));
	for (const struct json *v = json_first(list); v; v = json_next(v)) {
		const struct json *emoji = json_get(v, "emoji");

		jsonw_object(&m->more, NULL);
		jsonw_opt(&m->more, "emoji", parts_text(emoji, "name", "code"));
		put_id(&m->more, "id", parts_id(emoji, "id", NULL));
		jsonw_int(&m->more, "count", json_int(v, "count", 1));
		jsonw_end_object(&m->more);
	}
	jsonw_end_array(&m->more);
}
