#include "access/attached.h"

#include "discord/cdn.h"

/* Any address that isn't on this machine: a provider can't reach one there. */
static const char interface[] = "https://discord.com/";

bool
attached_opens(const char *url, int64_t now_ms)
{
	return cdn_is(url, interface) &&
	       cdn_until_ms(url) > now_ms + ATTACHED_MARGIN_MS;
}
