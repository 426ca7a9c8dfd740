#include "deliver/setback.h"

#include <inttypes.h>
#include <stdio.h>

#include "discord/rest.h"

static const struct {
	int64_t code;
	enum setback what;
	const char *why;
} known[] = {
    {10003, SETBACK_CHANNEL, "the channel is gone"},
    {10004, SETBACK_CHANNEL, "the server is gone, or I am not in it"},
    {10008, SETBACK_FINAL, "the message is gone"},
    {10015, SETBACK_TOKEN, "the time to answer this command is over"},
    {10062, SETBACK_TOKEN, "the time to answer this command is over"},
    {20028, SETBACK_CHANNEL, "the channel is too busy"},
    {40005, SETBACK_FILE, "the file is too large for this server"},
    {50001, SETBACK_CHANNEL, "I can't see the channel"},
    {50006, SETBACK_FINAL, "Discord takes the message for empty"},
    {50007, SETBACK_CHANNEL, "this person takes no direct messages"},
    {50013, SETBACK_CHANNEL, "I am not permitted to write in the channel"},
    {50024, SETBACK_CHANNEL, "the channel takes no messages"},
    {50027, SETBACK_TOKEN, "the time to answer this command is over"},
    {50035, SETBACK_FINAL, "Discord takes the message for malformed"},
    {50083, SETBACK_CHANNEL, "the thread is archived"},
    {50278, SETBACK_CHANNEL, "we share no server any more"},
    {160002, SETBACK_REPLY, "I may not read the channel's history"},
    {160005, SETBACK_CHANNEL, "the thread is locked"},
    {200000, SETBACK_FINAL, "the server's AutoMod blocked it"},
};

enum { KNOWN = sizeof(known) / sizeof(*known) };

enum { UNAUTHORIZED = 401, FORBIDDEN = 403, NOT_FOUND = 404, TOO_LARGE = 413 };

static int
find(int64_t code)
{
	int i = 0;

	while (i < KNOWN && known[i].code != code)
		i++;
	return i;
}

enum setback
setback_of(const struct rest_call *c, bool hook, bool file)
{
	int i = find(c->verdict.code);

	/* What is not found behind a token is the token, or its message. */
	if (hook && (c->status == UNAUTHORIZED || c->status == NOT_FOUND))
		return SETBACK_TOKEN;
	if (file && (c->status == TOO_LARGE || c->status == FORBIDDEN))
		return SETBACK_FILE;
	if (i < KNOWN)
		return known[i].what;
	if (c->status == TOO_LARGE)
		return SETBACK_FILE;
	return c->status == FORBIDDEN || c->status == NOT_FOUND
		   ? SETBACK_CHANNEL
		   : SETBACK_FINAL;
}

void
setback_reason(char *to, size_t room, const struct rest_call *c)
{
	int i = find(c->verdict.code);

	if (i < KNOWN)
		snprintf(to, room, "%s (%.300s)", known[i].why,
		    c->verdict.text);
	else
		snprintf(to, room, "HTTP %d: %.300s", c->status,
		    c->verdict.text);
}
