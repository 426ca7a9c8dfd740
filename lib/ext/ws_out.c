#include "ext/ws_out.h"

#include <libwebsockets.h>
#include <stdio.h>
#include <string.h>

#include "core/err.h"
#include "ext/ws.h"

int
ws_out_add(struct ws_out *o, const char *text, size_t len, struct err *e)
{
	char *to;

	o->queue.limit = WS_SEND_MAX;
	to = buf_room(&o->queue, LWS_PRE + len);
	if (!to)
		return err_set(e, ERR_AGAIN, "%zu bytes wait to be sent",
		    o->queue.len - o->sent);
	memcpy(to, &len, sizeof(len));
	memcpy(to + LWS_PRE, text, len);
	buf_wrote(&o->queue, LWS_PRE + len);
	return 0;
}

void
ws_out_close(struct ws_out *o, int code, const char *why)
{
	o->closing = code;
	snprintf(o->why, sizeof(o->why), "%s", why ? why : "");
}

int
ws_out_send(struct ws_out *o, struct lws *to)
{
	size_t len;

	if (o->sent < o->queue.len) {
		unsigned char *at;

		memcpy(&len, o->queue.data + o->sent, sizeof(len));
		at = (unsigned char *)o->queue.data + o->sent + LWS_PRE;
		o->sent += LWS_PRE + len;
		if (lws_write(to, at, len, LWS_WRITE_TEXT) < (int)len)
			return -1;
	}
	if (o->sent < o->queue.len) {
		lws_callback_on_writable(to);
		return 0;
	}
	buf_clear(&o->queue);
	o->sent = 0;
	if (!o->closing)
		return 0;
	lws_close_reason(to, (enum lws_close_status)o->closing,
	    (unsigned char *)o->why, strlen(o->why));
	return -1;
}

void
ws_out_release(struct ws_out *o)
{
	buf_release(&o->queue);
}
