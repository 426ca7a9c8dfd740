#include "ext/ws_address.h"

#include <stdio.h>
#include <string.h>

#include "core/err.h"

static int
read_port(struct ws_address *a, const char *text, size_t len)
{
	a->port = a->tls ? 443 : 80;
	if (!len)
		return 0;
	a->port = 0;
	for (size_t i = 0; i < len && a->port < 65536; i++) {
		if (text[i] < '0' || text[i] > '9')
			return -1;
		a->port = a->port * 10 + (text[i] - '0');
	}
	return a->port > 0 && a->port < 65536 ? 0 : -1;
}

int
ws_address_read(struct ws_address *a, const char *url, struct err *e)
{
	const char *from = url, *host_end, *end;

	a->tls = strncmp(url, "wss://", 6) == 0;
	if (!a->tls && strncmp(url, "ws://", 5) != 0)
		return err_set(e, ERR_CONFIG, "%.80s is no ws address", url);
	from += a->tls ? 6 : 5;
	end = from + strcspn(from, "/?#");
	host_end = *from == '[' ? memchr(from, ']', (size_t)(end - from))
				: memchr(from, ':', (size_t)(end - from));
	if (!host_end)
		host_end = end;
	a->path = *end == '/' ? end : "/";
	snprintf(a->host, sizeof(a->host), "%.*s", (int)(host_end - from),
	    from);
	if (*from == '[')
		memmove(a->host, a->host + 1, strlen(a->host));
	if (*host_end == ']')
		host_end++;
	if (*host_end == ':')
		host_end++;
	if (!a->host[0] || read_port(a, host_end, (size_t)(end - host_end)) < 0)
		return err_set(e, ERR_CONFIG, "%.80s is no ws address", url);
	return 0;
}
