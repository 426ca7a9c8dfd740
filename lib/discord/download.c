#include "discord/download.h"

#include "core/clock.h"
#include "discord/api.h"
#include "discord/cdn.h"
#include "discord/rest.h"

enum { CONNECT_S = 10, IDLE_S = 20, OK = 200, GONE = 404 };

static const char *const headers[] = {"User-Agent: " API_AGENT, NULL};

static void
finish(struct download *d)
{
	poll_stop_timer(&d->late);
	d->over = true;
	if (d->ended)
		d->ended(d->ctx);
}

static void
on_late(void *ctx)
{
	struct download *d = ctx;

	http_stop(&d->http);
	err_set(&d->why, ERR_AGAIN,
	    "the file didn't come within %d s; %zu bytes of it did", DOWNLOAD_S,
	    d->bytes.len);
	finish(d);
}

/* What comes with another status is a page for people. */
static int
on_bytes(void *ctx, const char *bytes, size_t len, struct err *e)
{
	struct download *d = ctx;

	(void)e;
	if (d->http.status == OK)
		buf_add(&d->bytes, bytes, len);
	return 0;
}

static void
judge(struct download *d)
{
	const struct http_call *h = &d->http;

	d->status = h->status;
	if (h->end != HTTP_DONE) {
		d->why = h->why;
		return;
	}
	if (h->status == OK)
		return;
	if (h->status >= 300 && h->status < 400)
		err_set(&d->why, ERR_REFUSED,
		    "Discord's media host leads elsewhere (HTTP %d), and "
		    "that is not followed",
		    h->status);
	else
		err_set(&d->why, h->status < 500 ? ERR_REFUSED : ERR_AGAIN,
		    "Discord's media host answers with HTTP %d%s", h->status,
		    h->status == GONE ? ": the address has expired, or there "
					"is no such file"
				      : "");
}

static void
on_ended(void *ctx)
{
	struct download *d = ctx;

	judge(d);
	finish(d);
}

int
download_start(struct download *d, struct rest *r, struct err *e)
{
	const char *base;
	struct http *http = rest_http(r, &base);

	d->over = false;
	d->status = 0;
	d->why = (struct err){0};
	buf_clear(&d->bytes);
	if (!cdn_is(d->url, base))
		return err_set(e, ERR_INPUT,
		    "%.80s is no address of Discord's media hosts", d->url);
	d->http = (struct http_call){
	    .url = d->url,
	    .headers = headers,
	    .limit = d->limit,
	    .connect_s = CONNECT_S,
	    .idle_s = IDLE_S,
	    .take = on_bytes,
	    .ended = on_ended,
	    .ctx = d,
	};
	d->late = (struct poll_timer){.fire = on_late, .ctx = d};
	if (http_start(http, &d->http, e) < 0)
		return -1;
	poll_set_timer(d->http.poll, &d->late,
	    clock_boot_ms() + (int64_t)DOWNLOAD_S * 1000);
	return 0;
}

void
download_release(struct download *d)
{
	poll_stop_timer(&d->late);
	http_stop(&d->http);
	buf_release(&d->bytes);
}
