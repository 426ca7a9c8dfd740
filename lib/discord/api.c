#define _GNU_SOURCE /* explicit_bzero */
#include "discord/api.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/err.h"
#include "core/secret.h"

enum { TOKEN_MAX = 512 }; /* bytes */

static const char real[] = "https://discord.com/api/v10";

/* "127.x.y.z", "localhost" or "[::1]", then a port, a path or the end. */
static bool
is_loopback(const char *host)
{
	static const char *const names[] = {"localhost", "[::1]"};
	size_t len = 0;

	for (size_t i = 0; i < 2 && !len; i++)
		if (strncmp(host, names[i], strlen(names[i])) == 0)
			len = strlen(names[i]);
	if (!len && strncmp(host, "127.", 4) == 0)
		len = strspn(host, "0123456789.");
	return len && (!host[len] || strchr(":/", host[len]));
}

static bool
is_plain(const char *text)
{
	for (; *text; text++)
		if (!isalnum((unsigned char)*text) &&
		    !strchr("-._:/[]~%", *text))
			return false;
	return true;
}

static int
read_base(struct api *a, struct err *e)
{
	const char *set = getenv("SOPHIA_DISCORD_API");
	const char *url = set && *set ? set : real;
	size_t len = strlen(url);

	while (len && url[len - 1] == '/')
		len--;
	if (len >= sizeof(a->base) || !is_plain(url))
		return err_set(e, ERR_CONFIG,
		    "SOPHIA_DISCORD_API is no address of an interface");
	memcpy(a->base, url, len);
	a->base[len] = '\0';
	if (strncmp(a->base, "https://", 8) == 0 && a->base[8])
		return 0;
	if (strncmp(a->base, "http://", 7) == 0 && is_loopback(a->base + 7))
		return 0;
	return err_set(e, ERR_CONFIG,
	    "SOPHIA_DISCORD_API must begin with https://, since the token goes "
	    "there (http:// is for this machine alone)");
}

static int
read_token(struct api *a, struct err *e)
{
	int got;

	a->token.limit = TOKEN_MAX;
	if ((got = secret_get(&a->token, "DISCORD_TOKEN", e)) < 0)
		return -1;
	if (!got)
		return err_set(e, ERR_CONFIG,
		    "there is no DISCORD_TOKEN, in the environment or in the "
		    "file that SOPHIA_SECRETS names");
	if (a->token.full)
		return err_set(e, ERR_CONFIG,
		    "DISCORD_TOKEN is longer than %d bytes", TOKEN_MAX);
	for (const char *c = buf_text(&a->token); *c; c++)
		if (!isalnum((unsigned char)*c) && !strchr("._-", *c))
			return err_set(e, ERR_CONFIG,
			    "DISCORD_TOKEN has a character that no token has: "
			    "give the token alone, without \"Bot\" before it");
	return 0;
}

int
api_open(struct api *a, struct err *e)
{
	*a = (struct api){0};
	if (read_base(a, e) == 0 && read_token(a, e) == 0)
		return 0;
	api_close(a);
	return -1;
}

void
api_close(struct api *a)
{
	if (a->token.data)
		explicit_bzero(a->token.data, a->token.room);
	buf_release(&a->token);
}
