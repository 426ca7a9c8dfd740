#include "discord/closing.h"

#include "core/buf.h"
#include "core/err.h"
#include "discord/intents.h"

enum {
	AUTHENTICATION_FAILED = 4004,
	SESSION_NO_LONGER_VALID = 4006,
	INVALID_SEQUENCE = 4007,
	SESSION_TIMED_OUT = 4009,
	INVALID_SHARD = 4010,
	SHARDING_REQUIRED = 4011,
	INVALID_VERSION = 4012,
	INVALID_INTENTS = 4013,
	DISALLOWED_INTENTS = 4014,
};

enum closing
closing_of(int code)
{
	switch (code) {
	case AUTHENTICATION_FAILED:
	case INVALID_SHARD:
	case SHARDING_REQUIRED:
	case INVALID_VERSION:
	case INVALID_INTENTS:
	case DISALLOWED_INTENTS: return CLOSING_FATAL;
	case SESSION_NO_LONGER_VALID:
	case INVALID_SEQUENCE:
	case SESSION_TIMED_OUT: return CLOSING_IDENTIFY;
	default: return CLOSING_RESUME;
	}
}

static int
explain_intents(int code, uint64_t intents, struct err *e)
{
	struct buf why = {.limit = sizeof(e->text)};

	if (code == INVALID_INTENTS) {
		buf_str(&why, "Discord knows no such intents: ");
		intents_write(&why, intents);
		buf_str(&why, "; correct --intents");
	} else {
		buf_str(&why, "Discord does not allow the bot an intent: ");
		intents_remedy(&why, intents & INTENTS_PRIVILEGED);
		buf_str(&why, ", or leave it out with --intents");
	}
	err_set(e, ERR_CONFIG, "%s (close code %d)", buf_text(&why), code);
	buf_release(&why);
	return -1;
}

int
closing_explain(int code, uint64_t intents, struct err *e)
{
	const char *why;

	switch (code) {
	case AUTHENTICATION_FAILED:
		why = "Discord does not accept the token: put the one of "
		      "https://discord.com/developers/applications, your "
		      "application, Bot, into DISCORD_TOKEN";
		break;
	case INVALID_SHARD:
		why = "Discord knows no such shard: correct --shard N/M, N "
		      "counts from 0 to M-1";
		break;
	case SHARDING_REQUIRED:
		why = "the bot is in too many guilds for one session: run one "
		      "gateway for each of M shards, with --shard N/M";
		break;
	case INVALID_VERSION:
		why = "Discord no longer speaks version 10 of its gateway: "
		      "a newer Sophia is needed";
		break;
	default: return explain_intents(code, intents, e);
	}
	return err_set(e, ERR_CONFIG, "%s (close code %d)", why, code);
}
