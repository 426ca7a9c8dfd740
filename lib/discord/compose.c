#include "discord/compose.h"

#include <string.h>

#include "discord/buttons.h"
#include "ext/jsonw.h"

/* "Message Flags" in Discord's documentation. */
enum { SUPPRESS_EMBEDS = 1 << 2, EPHEMERAL = 1 << 6 };

enum { LINKS_SHOWN = 1 }; /* with more, no previews: they would bury it */

static size_t
count_links(const char *text)
{
	size_t n = 0;

	while ((text = strstr(text, "http"))) {
		text += 4;
		text += *text == 's';
		n += strncmp(text, "://", 3) == 0;
	}
	return n;
}

static int
flags(const struct compose *c)
{
	bool many = c->content && count_links(c->content) > LINKS_SHOWN;

	return (many ? SUPPRESS_EMBEDS : 0) | (c->ephemeral ? EPHEMERAL : 0);
}

static void
write_ids(struct buf *b, const char *key, const char *const *ids, size_t count)
{
	if (!count)
		return;
	jsonw_array(b, key);
	for (size_t i = 0; i < count; i++)
		jsonw_str(b, NULL, ids[i]);
	jsonw_end_array(b);
}

static void
write_mentions(struct buf *b, const struct compose *c)
{
	jsonw_object(b, "allowed_mentions");
	jsonw_array(b, "parse");
	if (c->everyone)
		jsonw_str(b, NULL, "everyone");
	jsonw_end_array(b);
	write_ids(b, "users", c->people, c->people_count);
	write_ids(b, "roles", c->roles, c->role_count);
	jsonw_end_object(b);
}

static void
write_reply(struct buf *b, const char *to)
{
	jsonw_object(b, "message_reference");
	jsonw_str(b, "message_id", to);
	jsonw_bool(b, "fail_if_not_exists", false);
	jsonw_end_object(b);
}

/* The list is complete: sent again, it replaces the file and adds none. */
static void
write_file(struct buf *b, const char *name)
{
	jsonw_array(b, "attachments");
	jsonw_object(b, NULL);
	jsonw_int(b, "id", 0);
	jsonw_str(b, "filename", name);
	jsonw_end_object(b);
	jsonw_end_array(b);
}

void
compose_write(struct buf *b, const struct compose *c)
{
	jsonw_object(b, NULL);
	jsonw_opt(b, "content", c->content);
	write_mentions(b, c);
	if (flags(c))
		jsonw_int(b, "flags", flags(c));
	if (c->nonce) {
		jsonw_str(b, "nonce", c->nonce);
		jsonw_bool(b, "enforce_nonce", true);
	}
	if (c->reply)
		write_reply(b, c->reply);
	if (c->file)
		write_file(b, c->file);
	if (c->components)
		jsonw_raw(b, "components", c->components,
		    strlen(c->components));
	else if (c->buttons)
		buttons_write(b, c->which, c->task);
	jsonw_end_object(b);
}
