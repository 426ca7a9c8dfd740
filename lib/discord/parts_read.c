/* A text or an id out of what Discord says: discord/parts.h. */
#include "core/id.h"
#include "discord/parts.h"
#include "ext/json.h"

const char *
parts_text(const struct json *v, const char *key, const char *other)
{
	const char *text = json_string(v, key);

	if (!text && other)
		text = json_string(v, other);
	return text && *text ? text : NULL;
}

uint64_t
parts_id(const struct json *v, const char *key, const char *other)
{
	const char *text = parts_text(v, key, other);
	uint64_t id;

	return text && snowflake_read(&id, text) == 0 ? id : 0;
}
