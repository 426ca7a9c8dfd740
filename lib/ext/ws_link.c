/* One connection, from its opening to its end: the rest of ext/ws.h. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "ext/ws_inside.h"

/* The link is over: tell it, unless nobody wants to know. */
static void
fail(struct ws_link *l, const char *why, size_t len)
{
	struct ws *w = l->owner;

	if (!w || w->link != l)
		return;
	w->link = NULL;
	l->owner = NULL;
	snprintf(w->late_why, sizeof(w->late_why), "%.*s", (int)len, why);
	w->late_number = l->number;
	if (w->connecting)
		poll_set_timer(w->poll, &w->late, clock_boot_ms());
	else
		w->on->closed(w->on->ctx, l->number, l->code, w->late_why);
}

static void
on_receive(struct ws_link *l, const char *bytes, size_t len)
{
	struct ws *w = l->owner;
	bool last;

	if (!w || w->link != l)
		return;
	last = lws_is_final_fragment(l->wsi) &&
	       !lws_remaining_packet_payload(l->wsi);
	w->on->received(w->on->ctx, l->number, bytes, len, last);
}

/* The code of a close frame, which has none or two bytes of it. */
static void
note_close(struct ws_link *l, const unsigned char *bytes, size_t len)
{
	if (len >= 2)
		l->code = bytes[0] << 8 | bytes[1];
}

void
ws_link_gone(struct ws_link *l)
{
	struct ws *w = l->owner;

	fail(l, "", 0);
	if (w && w->going == l)
		w->going = NULL;
	ws_out_release(&l->out);
	free(l);
}

static void
on_open(struct ws_link *l)
{
	struct ws *w = l->owner;

	if (!w || w->link != l)
		return;
	l->open = true;
	w->on->opened(w->on->ctx, l->number);
}

static void
on_refused(struct ws_link *l, const char *why, size_t len)
{
	char text[160];

	if (l->distrust) {
		snprintf(text, sizeof(text), "TLS: %s", l->distrust);
		why = text;
		len = strlen(text);
	}
	fail(l, why ? why : "", why ? len : 0);
}

int
ws_link_serve(struct ws_link *l, enum lws_callback_reasons reason,
    const char *in, size_t len)
{
	switch (reason) {
	case LWS_CALLBACK_CLIENT_ESTABLISHED: on_open(l); return 0;
	case LWS_CALLBACK_CLIENT_RECEIVE: on_receive(l, in, len); return 0;
	case LWS_CALLBACK_CLIENT_WRITEABLE: return ws_out_send(&l->out, l->wsi);
	case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE:
		note_close(l, (const unsigned char *)in, len);
		return 0;
	case LWS_CALLBACK_CLIENT_CONNECTION_ERROR:
		on_refused(l, in, len);
		return 0;
	case LWS_CALLBACK_CLIENT_CLOSED: fail(l, "", 0); return 0;
	case LWS_CALLBACK_WSI_DESTROY: ws_link_gone(l); return 0;
	default: return 0;
	}
}
