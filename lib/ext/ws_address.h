#ifndef EXT_WS_ADDRESS_H
#define EXT_WS_ADDRESS_H
/* ws_address - the parts of a ws or wss address. */

#include <stdbool.h>

struct err;

enum { WS_HOST_MAX = 256 };

struct ws_address {
	char host[WS_HOST_MAX]; /* without the brackets of an IPv6 one */
	const char *path;       /* of the text read, its slash included */
	int port;
	bool tls;
};

/* ERR_CONFIG for text that is none. */
int ws_address_read(struct ws_address *a, const char *url, struct err *e);

#endif
