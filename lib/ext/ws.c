#include "ext/ws.h"

#include <stdlib.h>

#include <libwebsockets.h>

#include "core/clock.h"
#include "core/mem.h"
#include "ext/tls.h"
#include "ext/ws_address.h"
#include "ext/ws_inside.h"

enum {
	READ_SIZE = 32 << 10,
	FDS = 8,        /* of lws: one connection, the nest, its own pipe */
	CONNECT_S = 30, /* the session has a shorter patience */
	WAIT_MAX_MS = 60 * 60 * 1000,
};

static void
on_late(void *ctx)
{
	struct ws *w = ctx;

	w->on->closed(w->on->ctx, w->late_number, 0, w->late_why);
}

static int
callback(struct lws *wsi, enum lws_callback_reasons reason, void *user,
    void *in, size_t len)
{
	struct ws *w;
	struct ws_link *l;

	if (reason == LWS_CALLBACK_RAW_RX_FILE) {
		w = lws_context_user(lws_get_context(wsi));
		w->stirred = true;
		return 0;
	}
	switch (reason) {
	case LWS_CALLBACK_CLIENT_ESTABLISHED:
	case LWS_CALLBACK_CLIENT_RECEIVE:
	case LWS_CALLBACK_CLIENT_WRITEABLE:
	case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE:
	case LWS_CALLBACK_CLIENT_CONNECTION_ERROR:
	case LWS_CALLBACK_CLIENT_CLOSED:
	case LWS_CALLBACK_WSI_DESTROY:
		l = lws_get_opaque_user_data(wsi);
		return l ? ws_link_serve(l, reason, in, len) : 0;
	case LWS_CALLBACK_OPENSSL_PERFORM_SERVER_CERT_VERIFICATION:
		l = lws_get_opaque_user_data(wsi);
		if (l && !len) /* OpenSSL refused it, and that stands */
			l->distrust = tls_distrust(user);
		return 0;
	default: return 0;
	}
}

/*
 * It ends a wait. If it is due before the wait began, libwebsockets would call
 * it first and then wait for the next of its timers: so there is always one.
 */
static void
on_wake(lws_sorted_usec_list_t *wake)
{
	struct ws *w = lws_container_of(wake, struct ws, wake);

	lws_sul_schedule(w->context, 0, wake, on_wake, LWS_US_PER_MS);
}

struct ws *
ws_open(struct poll *p, const struct ws_handlers *h)
{
	struct ws *w = mem_new(sizeof(*w));

	w->poll = p;
	w->on = h;
	w->late = (struct poll_timer){.fire = on_late, .ctx = w};
	w->wake.cb = on_wake;
	return w;
}

/* libwebsockets waits for our poll by one descriptor more. */
static int
hold_poll(struct ws *w, struct err *e)
{
	lws_sock_file_fd_type fd;

	if (nest_open(&w->nest, e) < 0)
		return -1;
	fd.filefd = w->nest.fd;
	if (lws_adopt_descriptor_vhost(w->vhost, LWS_ADOPT_RAW_FILE_DESC, fd,
		"sophia", NULL))
		return 0;
	w->nest.fd = 0; /* it has closed it */
	return err_set(e, ERR_INTERNAL, "libwebsockets takes no descriptor");
}

static int
open_context(struct ws *w, struct err *e)
{
	static const struct lws_protocols protocols[] = {
	    {"sophia", callback, 0, READ_SIZE, 0, NULL, 0},
	    {0},
	};
	struct lws_context_creation_info info = {
	    .port = CONTEXT_PORT_NO_LISTEN,
	    .protocols = protocols,
	    .http_proxy_address = "", /* else that of the environment */
	    .options = LWS_SERVER_OPTION_EXPLICIT_VHOSTS |
		       LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT,
	    .fd_limit_per_thread = FDS,
	    .pt_serv_buf_size = READ_SIZE,
	    .timeout_secs = CONNECT_S,
	    .connect_timeout_secs = CONNECT_S,
	    .gid = -1,
	    .uid = -1,
	    .user = w,
	};

	lws_set_log_level(0, NULL);
	w->tls = tls_open(e);
	if (!w->tls)
		return -1;
	info.provided_client_ssl_ctx = w->tls;
	w->context = lws_create_context(&info);
	w->vhost = w->context ? lws_create_vhost(w->context, &info) : NULL;
	if (!w->vhost || lws_init_vhost_client_ssl(&info, w->vhost))
		return err_set(e, ERR_INTERNAL, "libwebsockets doesn't start");
	return hold_poll(w, e);
}

/* Nobody wants to hear of it; it goes as soon as it can. */
static void
let_go(struct ws_link **l)
{
	if (!*l)
		return;
	(*l)->owner = NULL;
	if ((*l)->wsi)
		lws_set_timeout((*l)->wsi, PENDING_TIMEOUT_USER_OK,
		    LWS_TO_KILL_ASYNC);
	*l = NULL;
}

int
ws_connect(struct ws *w, const char *url, unsigned number, struct err *e)
{
	static const lws_retry_bo_t no_pings = {0};
	struct lws_client_connect_info info = {0};
	struct ws_address to;
	struct ws_link *l;

	if (ws_address_read(&to, url, e) < 0 ||
	    (!w->context && open_context(w, e) < 0))
		return -1;
	let_go(&w->link);
	let_go(&w->going);
	poll_stop_timer(&w->late);
	l = mem_new(sizeof(*l));
	*l = (struct ws_link){.owner = w, .number = number};
	info = (struct lws_client_connect_info){
	    .context = w->context,
	    .vhost = w->vhost,
	    .address = to.host,
	    .host = to.host,
	    .port = to.port,
	    .path = to.path,
	    .ssl_connection = to.tls ? LCCSCF_USE_SSL : 0,
	    .alpn = "http/1.1",
	    .local_protocol_name = "sophia",
	    .opaque_user_data = l,
	    .pwsi = &l->wsi,
	    .retry_and_idle_policy = &no_pings,
	};
	w->link = l;
	w->connecting = true;
	if (!lws_client_connect_via_info(&info) && w->link == l)
		ws_link_gone(l); /* libwebsockets never knew it */
	w->connecting = false;
	return 0;
}

int
ws_send(struct ws *w, const char *text, size_t len, struct err *e)
{
	struct ws_link *l = w->link;

	if (!l || !l->open)
		return 0;
	if (ws_out_add(&l->out, text, len, e) < 0)
		return -1;
	lws_callback_on_writable(l->wsi);
	return 0;
}

void
ws_close(struct ws *w, int code, const char *why)
{
	struct ws_link *l = w->link;

	poll_stop_timer(&w->late);
	if (!l)
		return;
	if (!l->open) {
		let_go(&w->link);
		return;
	}
	let_go(&w->going);
	w->going = l;
	w->link = NULL;
	ws_out_close(&l->out, code, why);
	lws_callback_on_writable(l->wsi);
}

bool
ws_closing(const struct ws *w)
{
	return w->going;
}

static int
wait_for(struct ws *w, int64_t until_ms, struct err *e)
{
	const struct pollfd *fds;
	size_t count;
	int64_t due_ms;
	int wait_ms, left_ms = clock_left_ms(until_ms);
	bool always;

	fds = poll_want(w->poll, &count, &wait_ms);
	if (nest_hold(&w->nest, fds, count, &always, e) < 0)
		return -1;
	if (wait_ms < 0 || wait_ms > left_ms)
		wait_ms = left_ms;
	if (wait_ms > WAIT_MAX_MS)
		wait_ms = WAIT_MAX_MS;
	if (always)
		wait_ms = 0;
	w->stirred = false;
	due_ms = clock_boot_ms() + wait_ms;
	lws_sul_schedule(w->context, 0, &w->wake, on_wake,
	    (lws_usec_t)wait_ms * LWS_US_PER_MS + 1);
	if (lws_service_tsi(w->context, wait_ms ? 0 : -1, 0) < 0)
		return err_set(e, ERR_INTERNAL, "libwebsockets fails");
	if (clock_boot_ms() >= due_ms)
		w->stirred = true;
	return 0;
}

int
ws_step(struct ws *w, int64_t until_ms, struct err *e)
{
	if (!w->context)
		return poll_step(w->poll, until_ms, e);
	if (wait_for(w, until_ms, e) < 0)
		return -1;
	return w->stirred ? poll_dispatch(w->poll, e) : 0;
}

void
ws_release(struct ws *w)
{
	if (!w)
		return;
	poll_stop_timer(&w->late);
	if (w->link)
		w->link->owner = NULL;
	if (w->going)
		w->going->owner = NULL;
	if (w->context) {
		lws_sul_cancel(&w->wake);
		w->nest.fd = 0; /* its descriptor goes with the context */
		lws_context_destroy(w->context);
	}
	nest_release(&w->nest);
	tls_close(w->tls);
	free(w);
}
