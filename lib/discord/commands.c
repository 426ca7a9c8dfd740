#include "discord/commands.h"

#include <string.h>

#include "ext/json.h"

/* What Discord adds to a command ("Application Command Object"). */
static const char *const added[] = {"id", "type", "application_id", "version",
    "guild_id", "default_member_permissions", "default_permission", "nsfw",
    "dm_permission", "integration_types", "contexts", "handler"};

static bool same(const struct json *ours, const struct json *theirs);

/* What stands for not there: null, false, an empty text, list or object. */
static bool
is_empty(const struct json *v)
{
	switch (json_kind(v)) {
	case JSON_NONE:
	case JSON_NULL: return true;
	case JSON_BOOL: return !json_true(v);
	case JSON_STRING: return !*json_text(v);
	case JSON_ARRAY:
	case JSON_OBJECT: return json_count(v) == 0;
	case JSON_NUMBER: break;
	}
	return false;
}

static bool
is_added(const char *key)
{
	for (size_t i = 0; i < sizeof(added) / sizeof(added[0]); i++)
		if (strcmp(added[i], key) == 0)
			return true;
	return false;
}

static bool /* NOLINTNEXTLINE(misc-no-recursion): JSON_DEPTH */
same_members(const struct json *ours, const struct json *theirs, bool command)
{
	const struct json *v;

	for (v = json_first(ours); v; v = json_next(v))
		if (!same(v, json_get(theirs, json_key(v))))
			return false;
	for (v = json_first(theirs); v; v = json_next(v))
		if (!json_get(ours, json_key(v)) && !is_empty(v) &&
		    !(command && is_added(json_key(v))))
			return false;
	return true;
}

static bool /* NOLINTNEXTLINE(misc-no-recursion): JSON_DEPTH */
same_items(const struct json *ours, const struct json *theirs)
{
	ours = json_first(ours);
	theirs = json_first(theirs);
	while (ours && theirs && same(ours, theirs)) {
		ours = json_next(ours);
		theirs = json_next(theirs);
	}
	return !ours && !theirs;
}

static bool /* NOLINTNEXTLINE(misc-no-recursion): JSON_DEPTH */
same(const struct json *ours, const struct json *theirs)
{
	if (is_empty(ours) && is_empty(theirs))
		return true;
	if (json_kind(ours) != json_kind(theirs))
		return false;
	switch (json_kind(ours)) {
	case JSON_OBJECT: return same_members(ours, theirs, false);
	case JSON_ARRAY: return same_items(ours, theirs);
	case JSON_BOOL: return json_true(ours) == json_true(theirs);
	case JSON_STRING:
	case JSON_NUMBER:
		return strcmp(json_text(ours), json_text(theirs)) == 0;
	case JSON_NONE:
	case JSON_NULL: break;
	}
	return true;
}

static const struct json *
find(const struct json *list, const char *name)
{
	const char *text;

	for (list = json_first(list); list; list = json_next(list)) {
		text = json_string(list, "name");
		if (name && text && strcmp(text, name) == 0)
			return list;
	}
	return NULL;
}

bool
commands_same(const struct json *ours, const struct json *theirs)
{
	const struct json *v;

	if (json_count(ours) != json_count(theirs))
		return false;
	for (v = json_first(ours); v; v = json_next(v))
		if (!same_members(v, find(theirs, json_string(v, "name")),
			true))
			return false;
	return true;
}
