/* message_words() of record/message.h: what a search looks at. */
#include <string.h>

#include "core/err.h"
#include "ext/json.h"
#include "record/message.h"

static void
add(struct buf *to, const char *text)
{
	if (!text || !*text)
		return;
	if (to->len)
		buf_char(to, '\n');
	buf_str(to, text);
}

/* Append these members of each object in a list. */
static void
add_each(struct buf *to, const struct json *list, const char *const keys[])
{
	for (const struct json *v = json_first(list); v; v = json_next(v))
		for (int i = 0; keys[i]; i++)
			add(to, json_string(v, keys[i]));
}

static void
add_embeds(struct buf *to, const struct json *list)
{
	static const char *const keys[] = {"provider", "author", "title",
	    "description", NULL};
	static const char *const field[] = {"name", "value", NULL};

	for (const struct json *v = json_first(list); v; v = json_next(v)) {
		for (int i = 0; keys[i]; i++)
			add(to, json_string(v, keys[i]));
		add_each(to, json_get(v, "fields"), field);
		add(to, json_string(v, "footer"));
	}
}

/* What a message and a forwarded one have alike. */
static void
add_content(struct buf *to, const struct json *v)
{
	static const char *const file[] = {"title", "name", "description",
	    NULL};
	static const char *const name[] = {"name", NULL};

	add_each(to, json_get(v, "attachments"), file);
	add_embeds(to, json_get(v, "embeds"));
	add_each(to, json_get(v, "stickers"), name);
}

static void
add_texts(struct buf *to, const struct json *list)
{
	for (const struct json *v = json_first(list); v; v = json_next(v))
		add(to, json_text(v));
}

static void
add_more(struct buf *to, const struct json *v)
{
	static const char *const answer[] = {"text", NULL};
	const struct json *part = json_get(v, "poll");

	add_content(to, v);
	add(to, json_string(part, "question"));
	add_each(to, json_get(part, "answers"), answer);
	part = json_get(v, "forwarded");
	add(to, json_string(part, "text"));
	add_content(to, part);
	add_texts(to, json_get(part, "components"));
	add_texts(to, json_get(v, "components"));
}

bool
message_has_words(const struct message *m)
{
	/* The members are in order: the first one tells. */
	if (m->more.len < 3)
		return false;
	for (int i = 0; i <= MESSAGE_COMPONENTS; i++) {
		const char *key = message_part_key((enum message_part)i);
		size_t len = strlen(key);

		if (m->more.len > len + 2 &&
		    memcmp(m->more.data + 2, key, len) == 0 &&
		    m->more.data[len + 2] == '"')
			return true;
	}
	return false;
}

void
message_words(struct buf *to, const struct message *m)
{
	struct json *root;
	struct err e = {0};

	buf_add(to, m->text ? m->text : "", m->text_len);
	if (!message_has_words(m) ||
	    json_object(&root, m->more.data, m->more.len, &e) < 0)
		return;
	add_more(to, root);
	json_free(root);
}
