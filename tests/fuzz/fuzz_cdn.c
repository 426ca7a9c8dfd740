#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "discord/cdn.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
insist(bool good)
{
	if (!good)
		abort();
}

/* What stands between "://" and the path is the host, whoever reads it. */
static bool
is_host(const char *url, const char *host)
{
	const char *at = strstr(url, "://");
	size_t len = at ? strcspn(at + 3, "/\\?#") : 0;

	return at && len == strlen(host) && strncmp(at + 3, host, len) == 0;
}

/*
 * Whatever is taken leads to a host of Discord's, by https, or to the very port
 * of a Discord on this machine; and an end is never before the beginning.
 */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *url = mem_new(size + 1);

	memcpy(url, data, size);
	if (cdn_is(url, "https://discord.com/api/v10"))
		insist(strncmp(url, "https://", 8) == 0 &&
		       !strpbrk(url, "@\\#") &&
		       (is_host(url, "cdn.discordapp.com") ||
			   is_host(url, "media.discordapp.net")));
	if (cdn_is(url, "http://127.0.0.1:4080/api/v10"))
		insist(is_host(url, "127.0.0.1:4080"));
	insist(cdn_until_ms(url) >= 0);
	free(url);
	return 0;
}
