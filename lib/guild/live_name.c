/* What people call things. */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "core/err.h"
#include "core/id.h"
#include "discord/parts.h"
#include "ext/json.h"
#include "guild/live.h"

static const struct json *
find_in(const struct json *list, uint64_t id)
{
	const struct json *v = json_first(list);

	while (v && parts_id(v, "id", NULL) != id)
		v = json_next(v);
	return v;
}

const struct json *
live_channel(const struct live *l, uint64_t id)
{
	const struct json *v = find_in(l->channels, id);

	if (!v)
		v = find_in(l->threads, id);
	for (size_t i = 3; !v && i < LIVE_TREES; i++) /* single ones */
		if (parts_id(l->trees[i], "id", NULL) == id)
			v = l->trees[i];
	return v;
}

int
live_may(struct live *l, uint64_t channel, bool history, struct err *e)
{
	const struct realm_channel *c = realm_channel(&l->realm, channel);

	return c ? reading_may(&l->reading, &l->realm, c, history, e) : 0;
}

uint64_t
live_id(const char *text, const char *mention)
{
	size_t lead = strlen(mention);
	char digits[24] = "";
	uint64_t id = 0;

	if (strncmp(text, mention, lead) == 0)
		text += lead + (text[lead] == '!');
	if (strspn(text, "0123456789") >= sizeof(digits))
		return 0;
	memcpy(digits, text, strspn(text, "0123456789"));
	text += strlen(digits);
	if ((*text && strcmp(text, ">") != 0) || !digits[0] ||
	    snowflake_read(&id, digits) < 0)
		return 0;
	return id;
}

/* The one that is called so and may be seen: 1, 0 for none, or -1. */
static int
seek(struct live *l, const struct json *list, const char *name, uint64_t *id,
    struct err *e)
{
	for (const struct json *v = json_first(list); v; v = json_next(v)) {
		const char *its = json_string(v, "name");
		uint64_t found = parts_id(v, "id", NULL);
		int may;

		if (!its || strcasecmp(its, name) != 0)
			continue;
		if ((may = live_may(l, found, false, e)) < 0)
			return -1;
		if (may && *id)
			return err_set(e, ERR_INPUT,
			    "several are called %.80s; give the id", name);
		if (may)
			*id = found;
	}
	return *id != 0;
}

int
live_name_channel(struct live *l, const char *text, uint64_t *id, struct err *e)
{
	int may;

	*id = live_id(text, "<#");
	if (*id && (may = live_may(l, *id, false, e)) != 0)
		return may < 0 ? -1 : 0;
	*id = 0;
	text += *text == '#';
	may = seek(l, l->channels, text, id, e);
	if (may == 0)
		may = seek(l, l->threads, text, id, e);
	if (may == 0)
		return err_set(e, ERR_INPUT, "no channel or thread '%.80s'",
		    text);
	return may < 0 ? -1 : 0;
}

int
live_name_role(struct live *l, const char *text, const struct json **role,
    struct err *e)
{
	const struct json *v = json_first(json_get(l->guild, "roles"));
	uint64_t id = live_id(text, "<@&");
	const char *name;

	text += *text == '@';
	*role = NULL;
	for (; v; v = json_next(v)) {
		name = json_string(v, "name");
		if (id && parts_id(v, "id", NULL) == id)
			*role = v;
		if (!name || strcasecmp(name + (*name == '@'), text) != 0)
			continue;
		if (*role)
			return err_set(e, ERR_INPUT,
			    "several roles are called %.80s; give the id",
			    text);
		*role = v;
	}
	return *role ? 0 : err_set(e, ERR_INPUT, "no role '%.80s'", text);
}

void
live_encode(struct buf *path, const char *text)
{
	for (; *text; text++)
		if (isalnum((unsigned char)*text) || strchr("-._~", *text))
			buf_char(path, *text);
		else
			buf_fmt(path, "%%%02X", (unsigned char)*text);
}

int
live_readable(struct live *l, uint64_t channel, const char *name, struct err *e)
{
	int may = live_may(l, channel, true, e);

	if (may < 0)
		return -1;
	return may ? 0
		   : err_set(e, ERR_INPUT, "no channel or thread '%.80s'",
			 name);
}
