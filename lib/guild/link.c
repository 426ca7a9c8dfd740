#include "guild/link.h"

#include <inttypes.h>
#include <string.h>

#include "core/buf.h"
#include "core/id.h"

enum { DIGITS = 20 };

/* The id that ends before `end`, back to a '/' or the text's start; or 0. */
static uint64_t
last_id(const char *text, const char *end, const char **before)
{
	const char *at = end;
	char digits[DIGITS + 1] = "";
	uint64_t id;

	while (at > text && at[-1] != '/')
		at--;
	*before = at > text ? at - 1 : NULL;
	if (end - at > DIGITS)
		return 0;
	memcpy(digits, at, (size_t)(end - at));
	return snowflake_read(&id, digits) < 0 ? 0 : id;
}

void
link_read(struct link *l, const char *text)
{
	const char *before;

	*l = (struct link){0};
	if (!text)
		return;
	l->message = last_id(text, text + strlen(text), &before);
	if (before)
		l->channel = last_id(text, before, &before);
}

void
link_write(struct buf *b, uint64_t guild, uint64_t channel, uint64_t message)
{
	buf_str(b, "https://discord.com/channels/");
	if (guild)
		buf_fmt(b, "%" PRIu64, guild);
	else
		buf_str(b, "@me");
	buf_fmt(b, "/%" PRIu64 "/%" PRIu64, channel, message);
}
