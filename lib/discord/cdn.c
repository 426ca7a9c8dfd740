#include "discord/cdn.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

enum { URL_MOST = 2048, HEX_MOST = 10 }; /* bytes; digits of a time */

static const char *const hosts[] = {"https://cdn.discordapp.com",
    "https://media.discordapp.net", NULL};

static const char *const folders[] = {"/attachments/",
    "/ephemeral-attachments/", NULL};

/* What follows one of these beginnings in the text; NULL if it has none. */
static const char *
after(const char *text, const char *const *begins)
{
	for (; *begins; begins++)
		if (strncmp(text, *begins, strlen(*begins)) == 0)
			return text + strlen(*begins);
	return NULL;
}

/* The path of an address at the same host and port as the interface. */
static const char *
beside(const char *url, const char *base)
{
	const size_t scheme = strlen("http://");
	size_t len;

	if (strncmp(base, "http://", scheme) != 0)
		return NULL;
	len = scheme + strcspn(base + scheme, "/");
	return strncmp(url, base, len) == 0 ? url + len : NULL;
}

/* A segment of a path that is empty, or dots alone, however spelled. */
static bool
leads_away(const char *p, size_t len)
{
	size_t i = 0;

	while (i < len)
		if (p[i] == '.')
			i++;
		else if (len - i >= 3 && strncasecmp(p + i, "%2e", 3) == 0)
			i += 3;
		else
			return false;
	return true;
}

static bool
is_plain_path(const char *p)
{
	for (;;) {
		size_t len = strcspn(p, "/?");

		if (leads_away(p, len))
			return false;
		if (p[len] != '/')
			return true;
		p += len + 1;
	}
}

bool
cdn_is(const char *url, const char *base)
{
	const bool local = strncmp(base, "http:", 5) == 0;
	const char *path, *rest;

	if (strlen(url) > URL_MOST)
		return false;
	for (const char *c = url; *c; c++)
		if (*c <= ' ' || *c > '~' || strchr("\"#<>@\\^`{|}", *c))
			return false;
	path = local ? beside(url, base) : after(url, hosts);
	rest = path ? after(path, folders) : NULL;
	return rest && is_plain_path(rest);
}

int64_t
cdn_until_ms(const char *url)
{
	const char *p = strchr(url, '?');
	int64_t at = 0;
	size_t n = 0;

	while (p && strncmp(p + 1, "ex=", 3) != 0)
		p = strchr(p + 1, '&');
	if (!p)
		return 0;
	for (p += 4; n < HEX_MOST && isxdigit((unsigned char)p[n]); n++)
		at = at * 16 +
		     (isdigit((unsigned char)p[n])
			     ? p[n] - '0'
			     : tolower((unsigned char)p[n]) - 'a' + 10);
	return n < HEX_MOST && (!p[n] || p[n] == '&') ? at * 1000 : 0;
}
