#include "converse/hail.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/err.h"
#include "core/id.h"
#include "core/utf8.h"
#include "discord/parts.h"
#include "discord/raw.h"
#include "ext/json.h"
#include "record/turn.h"

enum { SOURCE_MAX = 128 << 10 }; /* bytes of what stands beside a request */

static const char wordless[] = "(The message has no words of its own.)";

static void
id_text(char out[24], uint64_t id)
{
	out[0] = '\0';
	if (id)
		snprintf(out, 24, "%" PRIu64, id);
}

static bool
is_id(const struct json *v, const char *key, const char *id)
{
	const char *text = json_string(v, key);

	return text && strcmp(text, id) == 0;
}

static bool
names(const struct json *v, const char *us)
{
	for (v = json_first(json_get(v, "mentions")); v; v = json_next(v))
		if (is_id(v, "id", us))
			return true;
	return false;
}

/* A person's message: Discord's notices have other types, hooks an id. */
static bool
is_human(const struct hail *h, const struct json *v)
{
	const struct json *author = json_get(v, "author");

	return !h->message.author.bot && !json_bool(author, "system", false) &&
	       !json_string(v, "webhook_id") &&
	       (h->message.kind == KIND_DEFAULT ||
		   h->message.kind == KIND_REPLY);
}

static void
read_answered(struct hail *h, const struct json *v, const char *us)
{
	const struct json *other = json_get(v, "referenced_message");
	struct err e = {0};

	id_text(h->answers, h->message.reply);
	if (json_kind(other) != JSON_OBJECT ||
	    raw_read(&h->answered, other, &e) < 0 ||
	    h->answered.id != h->message.reply) {
		message_clear(&h->answered);
		return;
	}
	if (!h->answered.guild.id)
		h->answered.guild.id = h->message.guild.id;
	h->replies = is_id(json_get(other, "author"), "id", us);
}

int
hail_read(struct hail *h, const struct json *v, const char *us,
    const char *guild, struct err *e)
{
	uint64_t id;

	if (raw_read(&h->message, v, e) < 0)
		return -1;
	if (!h->message.guild.id && guild && snowflake_read(&id, guild) == 0)
		h->message.guild.id = id;
	id_text(h->id, h->message.id);
	id_text(h->channel, h->message.channel.id);
	id_text(h->guild, h->message.guild.id);
	id_text(h->author, h->message.author.id);
	h->direct = !h->message.guild.id;
	h->human = is_human(h, v) && strcmp(h->author, us) != 0;
	h->mentions = names(v, us);
	h->roles = json_get(json_get(v, "member"), "roles");
	read_answered(h, v, us);
	return 0;
}

/* The length of "<@us>" or "<@!us>" at text, else 0. */
static size_t
call_len(const char *text, const char *us)
{
	const size_t len = strlen(us);
	size_t at = 2;

	if (strncmp(text, "<@", 2) != 0)
		return 0;
	at += text[at] == '!';
	if (strncmp(text + at, us, len) != 0 || text[at + len] != '>')
		return 0;
	return at + len + 1;
}

static bool
is_gap(char c)
{
	return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

/* The words of the author, without the call at either end. */
static void
write_words(struct buf *b, const char *text, const char *us)
{
	size_t len, call;

	while (is_gap(*text))
		text++;
	while ((call = call_len(text, us)) > 0) {
		text += call;
		while (is_gap(*text) || *text == ',' || *text == ':')
			text++;
	}
	len = strlen(text);
	for (;;) {
		while (len && is_gap(text[len - 1]))
			len--;
		call = strlen(us) + 3; /* with or without the mark */
		if (len >= call && call_len(text + len - call, us) == call)
			len -= call;
		else if (len > call &&
			 call_len(text + len - call - 1, us) == call + 1)
			len -= call + 1;
		else
			break;
	}
	if (len)
		buf_add(b, text, len);
	else
		buf_str(b, wordless);
}

/* The name that people see, in a line: it is shown where more lines follow. */
static void
write_name(struct hail *h)
{
	const struct message_author *a = &h->message.author;
	const char *name = a->nickname ? a->nickname : a->display;

	name = name ? name : a->name;
	utf8_tame(h->name, sizeof(h->name), name ? name : "");
}

/* What fits, as JSON of a record: no newline at its end. */
static const char *
settled(struct buf *b)
{
	if (b->full || !b->len)
		return NULL;
	if (b->data[b->len - 1] == '\n')
		b->data[--b->len] = '\0';
	return buf_text(b);
}

static void
take_parts(struct hail *h, struct turn *t)
{
	const struct buf *more = &h->message.more;
	struct err e = {0};

	if (!more->len || more->len > SOURCE_MAX ||
	    json_object(&h->parts, more->data, more->len, &e) < 0)
		return;
	t->attachments.tree = json_get(h->parts, "attachments");
	t->more.tree = h->parts;
}

void
hail_turn(struct hail *h, const char *us, struct turn *t)
{
	write_name(h);
	*t = (struct turn){
	    .actor = {h->author, h->name},
	    .location = {h->direct ? LOCATION_DM : LOCATION_GUILD,
		*h->guild ? h->guild : NULL, h->channel},
	    .visibility = h->direct ? VISIBILITY_PRIVATE : VISIBILITY_PUBLIC,
	};
	write_words(&h->text, h->message.text, us);
	t->text = buf_text(&h->text);
	take_parts(h, t);
	if (h->answered.id) {
		h->reply.limit = SOURCE_MAX;
		message_write(&h->reply, &h->answered);
		t->reply.text = settled(&h->reply);
	}
}

void
hail_release(struct hail *h)
{
	message_release(&h->message);
	message_release(&h->answered);
	buf_release(&h->text);
	buf_release(&h->reply);
	json_free(h->parts);
	h->parts = NULL;
}
