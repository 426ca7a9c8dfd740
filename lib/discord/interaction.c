#include "discord/interaction.h"

#include <string.h>

#include "core/err.h"
#include "core/id.h"
#include "core/utf8.h"
#include "ext/json.h"

enum {
	TOKEN_MAX = 1024,
	OPTION_SUB = 1,   /* type of an option that is a subcommand */
	COMMAND_TEXT = 1, /* type of a command that is typed after a slash */
	CHANNEL_DM = 1,
	CONTEXT_BOT = 1, /* not between two people who installed it */
};

/* The id under key if it is one, else NULL. */
static const char *
id_of(const struct json *v, const char *key)
{
	const char *text = json_string(v, key);
	uint64_t id;

	return text && snowflake_read(&id, text) == 0 ? text : NULL;
}

/* A token becomes part of an address: nothing but its own characters may. */
static bool
is_token(const char *text)
{
	static const char legal[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "abcdefghijklmnopqrstuvwxyz"
				    "0123456789-_.=";
	size_t len = text ? strlen(text) : 0;

	return len && len <= TOKEN_MAX && strspn(text, legal) == len &&
	       text[0] != '.';
}

static const char *
text_of(const struct json *v, const char *key)
{
	const char *text = json_string(v, key);

	return text && *text ? text : NULL;
}

static void
read_person(struct interaction *x, const struct json *v)
{
	const struct json *member = json_get(v, "member");
	const struct json *user = json_get(member, "user");
	const char *name;

	if (json_kind(user) != JSON_OBJECT)
		user = json_get(v, "user");
	x->user = id_of(user, "id");
	x->bot = json_bool(user, "bot", false);
	x->roles = json_get(member, "roles");
	name = text_of(member, "nick");
	if (!name)
		name = text_of(user, "global_name");
	if (!name)
		name = text_of(user, "username");
	utf8_tame(x->who, sizeof(x->who), name ? name : "");
}

static enum interaction_kind
kind_of(const struct json *v, const struct json *data)
{
	int64_t kind = json_int(v, "type", 0);
	int64_t command = json_int(data, "type", COMMAND_TEXT);

	switch (kind) {
	case INTERACTION_COMMAND:
	case INTERACTION_COMPLETE:
		return command == COMMAND_TEXT ? (enum interaction_kind)kind
					       : INTERACTION_OTHER;
	case INTERACTION_COMPONENT:
	case INTERACTION_MODAL: return (enum interaction_kind)kind;
	default: return INTERACTION_OTHER;
	}
}

/* A subcommand is the only option of its command, and has its own. */
static void
read_options(struct interaction *x, const struct json *data)
{
	const struct json *first = json_first(json_get(data, "options"));

	x->options = json_get(data, "options");
	if (json_int(first, "type", 0) != OPTION_SUB)
		return;
	x->sub = json_string(first, "name");
	x->options = json_get(first, "options");
}

int
interaction_read(struct interaction *x, const struct json *v, struct err *e)
{
	const struct json *data = json_get(v, "data");
	const struct json *channel = json_get(v, "channel");
	const char *key;

	*x = (struct interaction){.kind = kind_of(v, data)};
	x->id = id_of(v, "id");
	x->application = id_of(v, "application_id");
	x->token = json_string(v, "token");
	x->guild = id_of(v, "guild_id");
	x->channel = id_of(v, "channel_id");
	if (!x->channel)
		x->channel = id_of(channel, "id");
	x->direct = !x->guild && json_int(channel, "type", -1) == CHANNEL_DM &&
		    json_int(v, "context", CONTEXT_BOT) == CONTEXT_BOT;
	read_person(x, v);
	key = x->kind == INTERACTION_COMMAND || x->kind == INTERACTION_COMPLETE
		  ? "name"
		  : "custom_id";
	x->name = json_string(data, key);
	x->message = id_of(json_get(v, "message"), "id");
	read_options(x, data);
	x->resolved = json_get(data, "resolved");
	x->rows = json_get(data, "components");
	x->values = json_get(data, "values");
	if (!x->id || !x->application || !is_token(x->token))
		return err_set(e, ERR_INPUT,
		    "an interaction without an id, application_id or token");
	if (x->kind != INTERACTION_OTHER &&
	    (!x->user || !x->channel || !x->name))
		return err_set(e, ERR_INPUT,
		    "an interaction without a user, channel or %s", key);
	return 0;
}

static const struct json *
option(const struct interaction *x, const char *name)
{
	const char *text;

	for (const struct json *v = json_first(x->options); v;
	     v = json_next(v)) {
		text = json_string(v, "name");
		if (text && strcmp(text, name) == 0)
			return v;
	}
	return NULL;
}

const char *
interaction_option(const struct interaction *x, const char *name)
{
	return json_text(json_get(option(x, name), "value"));
}

bool
interaction_flag(const struct interaction *x, const char *name, bool other)
{
	return json_bool(option(x, name), "value", other);
}

const char *
interaction_typed(const struct interaction *x, const char **name)
{
	const char *text;

	for (const struct json *v = json_first(x->options); v;
	     v = json_next(v)) {
		if (!json_bool(v, "focused", false))
			continue;
		text = json_text(json_get(v, "value"));
		*name = json_string(v, "name");
		return *name ? (text ? text : "") : NULL;
	}
	return NULL;
}

const struct json *
interaction_roles(const struct interaction *x, const char *name)
{
	const char *id = interaction_option(x, name);

	return id ? json_get(json_get(json_get(x->resolved, "members"), id),
			"roles")
		  : NULL;
}

const struct json *
interaction_file(const struct interaction *x, const char *name)
{
	const char *id = interaction_option(x, name);

	return id ? json_get(json_get(x->resolved, "attachments"), id) : NULL;
}

const char *
interaction_value(const struct interaction *x, size_t i)
{
	const struct json *v = json_kind(x->values) == JSON_ARRAY
				   ? json_first(x->values)
				   : NULL;

	while (v && i--)
		v = json_next(v);
	return json_text(v);
}

/* A field stands in an action row, or, today, in a label. */
static const char *
field_in(const struct json *v, const char *id)
{
	const char *name = json_string(v, "custom_id");

	return name && strcmp(name, id) == 0 ? json_string(v, "value") : NULL;
}

const char *
interaction_field(const struct interaction *x, const char *id)
{
	const char *text;

	for (const struct json *v = json_first(x->rows); v; v = json_next(v)) {
		text = field_in(json_get(v, "component"), id);
		if (!text)
			text = field_in(json_first(json_get(v, "components")),
			    id);
		if (text)
			return text;
	}
	return NULL;
}
