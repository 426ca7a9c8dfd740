#include "discord/intents.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/buf.h"
#include "core/err.h"

static const struct {
	int bit;
	const char *name;
} names[] = {
    {0, "GUILDS"},
    {1, "GUILD_MEMBERS"},
    {2, "GUILD_MODERATION"},
    {3, "GUILD_EXPRESSIONS"},
    {4, "GUILD_INTEGRATIONS"},
    {5, "GUILD_WEBHOOKS"},
    {6, "GUILD_INVITES"},
    {7, "GUILD_VOICE_STATES"},
    {8, "GUILD_PRESENCES"},
    {9, "GUILD_MESSAGES"},
    {10, "GUILD_MESSAGE_REACTIONS"},
    {11, "GUILD_MESSAGE_TYPING"},
    {12, "DIRECT_MESSAGES"},
    {13, "DIRECT_MESSAGE_REACTIONS"},
    {14, "DIRECT_MESSAGE_TYPING"},
    {15, "MESSAGE_CONTENT"},
    {16, "GUILD_SCHEDULED_EVENTS"},
    {20, "AUTO_MODERATION_CONFIGURATION"},
    {21, "AUTO_MODERATION_EXECUTION"},
    {24, "GUILD_MESSAGE_POLLS"},
    {25, "DIRECT_MESSAGE_POLLS"},
};

enum { NAMES = sizeof(names) / sizeof(names[0]) };

/* What a person has to switch on, and the flags of those who did. */
static const struct {
	uint64_t intent;
	int flag, limited; /* bits: reviewed by Discord, or below its bound */
	const char *title;
} switches[] = {
    {INTENT_GUILD_PRESENCES, 12, 13, "Presence Intent"},
    {INTENT_GUILD_MEMBERS, 14, 15, "Server Members Intent"},
    {INTENT_MESSAGE_CONTENT, 18, 19, "Message Content Intent"},
};

enum { SWITCHES = sizeof(switches) / sizeof(switches[0]) };

static bool
read_word(uint64_t *intents, const char *word, size_t len)
{
	for (size_t i = 0; i < NAMES; i++) {
		if (strlen(names[i].name) != len ||
		    memcmp(names[i].name, word, len) != 0)
			continue;
		*intents |= UINT64_C(1) << names[i].bit;
		return true;
	}
	return false;
}

static bool
read_number(uint64_t *intents, const char *text)
{
	char *end;

	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	*intents = strtoull(text, &end, 10);
	return !errno && !*end && *intents <= INT32_MAX;
}

int
intents_read(uint64_t *intents, const char *text, struct err *e)
{
	if (read_number(intents, text))
		return 0;
	*intents = 0;
	for (size_t len;; text += len + 1) {
		len = strcspn(text, ",");
		if (!read_word(intents, text, len))
			return err_set(e, ERR_INPUT, "%.*s is no intent",
			    len > 40 ? 40 : (int)len, text);
		if (!text[len])
			return 0;
	}
}

void
intents_write(struct buf *b, uint64_t intents)
{
	const char *between = "";

	for (size_t i = 0; i < NAMES; i++) {
		const uint64_t bit = UINT64_C(1) << names[i].bit;

		if (!(intents & bit))
			continue;
		buf_fmt(b, "%s%s", between, names[i].name);
		between = ", ";
		intents &= ~bit;
	}
	if (intents)
		buf_fmt(b, "%s%" PRIu64, between, intents);
}

uint64_t
intents_offered(int64_t flags)
{
	uint64_t offered = 0;

	for (size_t i = 0; i < SWITCHES; i++)
		if (flags & (INT64_C(1) << switches[i].flag |
				INT64_C(1) << switches[i].limited))
			offered |= switches[i].intent;
	return offered;
}

void
intents_remedy(struct buf *b, uint64_t intents)
{
	const char *between = "";

	buf_str(b, "switch on ");
	for (size_t i = 0; i < SWITCHES; i++) {
		if (!(intents & switches[i].intent))
			continue;
		buf_fmt(b, "%s%s", between, switches[i].title);
		between = " and ";
	}
	buf_str(b, " at https://discord.com/developers/applications, your "
		   "application, Bot, Privileged Gateway Intents");
}
