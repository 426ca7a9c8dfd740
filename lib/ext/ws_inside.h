#ifndef EXT_WS_INSIDE_H
#define EXT_WS_INSIDE_H
/*
 * ws_inside - what the files of ext/ws share: a connection, as libwebsockets
 * tells of it, and who owns it. Nobody else needs it.
 */

#include <libwebsockets.h>

#include "core/poll.h"
#include "ext/nest.h"
#include "ext/ws.h"
#include "ext/ws_out.h"

/* One connection; it lives as long as libwebsockets knows it. */
struct ws_link {
	struct ws *owner; /* NULL once nobody wants to hear of it */
	struct lws *wsi;
	unsigned number;
	bool open;
	int code;             /* of the other side's close */
	const char *distrust; /* why its certificate won't do, or NULL */
	struct ws_out out;
};

struct ws {
	struct poll *poll;
	const struct ws_handlers *on;
	struct lws_context *context;
	struct lws_vhost *vhost;
	struct ssl_ctx_st *tls;
	struct nest nest;
	lws_sorted_usec_list_t wake;
	bool stirred;          /* a member of the poll is ready, or due */
	struct ws_link *link;  /* the connection that counts, or NULL */
	struct ws_link *going; /* one that says goodbye, or NULL */
	bool connecting;
	struct poll_timer late; /* tells what failed inside ws_connect() */
	unsigned late_number;
	char late_why[256];
};

/* What libwebsockets says of a link: what its callback returns. */
int ws_link_serve(struct ws_link *l, enum lws_callback_reasons reason,
    const char *in, size_t len);

/* It is no more: it is told, unless nobody wants to know, and freed. */
void ws_link_gone(struct ws_link *l);

#endif
