#include "ext/http.h"

#include <stdlib.h>
#include <string.h>

#include <curl/curl.h>

#include "core/clock.h"
#include "core/mem.h"
#include "ext/form.h"
#include "ext/header.h"

enum {
	WAIT_MAX_MS = 60000,
	EXTRA_MAX = 64, /* descriptors of a poll */
};

struct http {
	CURLM *multi;
	struct poll *poll;
};

int
http_open(struct http **h, struct poll *p, struct err *e)
{
	*h = NULL;
	if (curl_global_init(CURL_GLOBAL_DEFAULT) != 0)
		return err_set(e, ERR_INTERNAL, "libcurl doesn't start");
	*h = mem_new(sizeof(**h));
	(*h)->poll = p;
	(*h)->multi = curl_multi_init();
	if ((*h)->multi)
		return 0;
	http_close(*h);
	*h = NULL;
	return err_set(e, ERR_INTERNAL, "libcurl gives no handle");
}

void
http_close(struct http *h)
{
	if (!h)
		return;
	curl_multi_cleanup(h->multi);
	free(h);
	curl_global_cleanup();
}

static void
touch(struct http_call *c)
{
	poll_set_timer(c->poll, &c->idle,
	    clock_boot_ms() + (int64_t)c->idle_s * 1000);
}

static size_t
on_body(char *bytes, size_t size, size_t count, void *ctx)
{
	struct http_call *c = ctx;
	size_t len = size * count;

	c->received += len;
	if (c->received > c->limit) {
		err_set(&c->why, ERR_REFUSED,
		    "the reply is longer than %zu bytes", c->limit);
		return 0;
	}
	return c->take(c->ctx, bytes, len, &c->why) < 0 ? 0 : len;
}

static void
keep(char *to, size_t room, const char *value)
{
	size_t len = strlen(value);

	if (len < room)
		memcpy(to, value, len + 1);
}

static void
take_header(struct http_call *c, const char *name, const char *value)
{
	if (strcmp(name, "retry-after") == 0)
		keep(c->retry_after, sizeof(c->retry_after), value);
	else if (strcmp(name, "retry-after-ms") == 0)
		keep(c->retry_after_ms, sizeof(c->retry_after_ms), value);
	else if (strcmp(name, "x-should-retry") == 0)
		keep(c->should_retry, sizeof(c->should_retry), value);
	if (c->header)
		c->header(c->ctx, name, value);
}

static size_t
on_header(char *line, size_t size, size_t count, void *ctx)
{
	struct http_call *c = ctx;
	char name[HEADER_NAME], value[HEADER_VALUE];
	size_t len = size * count;
	long status = 0;

	curl_easy_getinfo(c->easy, CURLINFO_RESPONSE_CODE, &status);
	c->status = (int)status;
	if (status >= 200 && header_split(line, len, name, value))
		take_header(c, name, value);
	return len;
}

/* Called often; only bytes that moved count as a sign of life. */
static int
on_progress(void *ctx, curl_off_t all_in, curl_off_t in, curl_off_t all_out,
    curl_off_t out)
{
	struct http_call *c = ctx;

	(void)all_in;
	(void)all_out;
	if (in + out != c->moved)
		touch(c);
	c->moved = in + out;
	return 0;
}

static struct curl_slist *
make_headers(const struct http_call *c)
{
	struct curl_slist *list = curl_slist_append(NULL, "Expect:");

	for (const char *const *h = c->headers; *h; h++)
		list = curl_slist_append(list, *h);
	return list;
}

/* libcurl itself knows of no variable for it; its tool and OpenSSL do. */
static void
set_trust(CURL *easy)
{
	const char *file = getenv("SSL_CERT_FILE");

	if (file && *file)
		curl_easy_setopt(easy, CURLOPT_CAINFO, file);
	curl_easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, 1L);
	curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, 2L);
}

/*
 * Wait for a connection that may turn out to carry several requests. Only TLS
 * can, as it says; one without, on which sending failed, is waited for in vain.
 */
static long
may_share(const struct http_call *c)
{
	return strncmp(c->url, "https:", 6) == 0;
}

static void
set_limits(CURL *easy, const struct http_call *c)
{
	set_trust(easy);
	curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "https,http");
	curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
	curl_easy_setopt(easy, CURLOPT_HTTP_VERSION,
	    (long)CURL_HTTP_VERSION_2TLS);
	curl_easy_setopt(easy, CURLOPT_PIPEWAIT, may_share(c));
	curl_easy_setopt(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
	curl_easy_setopt(easy, CURLOPT_FRESH_CONNECT, c->once ? 1L : 0L);
	curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(easy, CURLOPT_TCP_KEEPALIVE, 1L);
	curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT, (long)c->connect_s);
	if (!c->proxy)
		curl_easy_setopt(easy, CURLOPT_PROXY, "");
	if (c->compressed)
		curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "");
}

static void
set_callbacks(CURL *easy, struct http_call *c)
{
	curl_easy_setopt(easy, CURLOPT_PRIVATE, c);
	curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, c->reason);
	curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_body);
	curl_easy_setopt(easy, CURLOPT_WRITEDATA, c);
	curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, on_header);
	curl_easy_setopt(easy, CURLOPT_HEADERDATA, c);
	curl_easy_setopt(easy, CURLOPT_NOPROGRESS, 0L);
	curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, on_progress);
	curl_easy_setopt(easy, CURLOPT_XFERINFODATA, c);
}

/* Take it out of curl's hands. */
static void
let_go(struct http_call *c)
{
	poll_stop_timer(&c->idle);
	if (!c->easy)
		return;
	curl_multi_remove_handle(c->owner->multi, c->easy);
	curl_easy_cleanup(c->easy);
	curl_slist_free_all(c->header_list);
	form_free(c->form);
	c->easy = c->header_list = c->form = NULL;
}

static void
end(struct http_call *c, enum http_end how)
{
	let_go(c);
	c->end = how;
	c->ended(c->ctx);
}

/*
 * Could anything of the request have gone out? Only once the connection was
 * ready for it; how many bytes of a body moved says nothing about a GET.
 */
static bool
was_sent(const struct http_call *c)
{
	curl_off_t at = 0;

	curl_easy_getinfo(c->easy, CURLINFO_PRETRANSFER_TIME_T, &at);
	return at > 0 || c->status;
}

static void
on_idle(void *ctx)
{
	struct http_call *c = ctx;
	bool sent = was_sent(c);

	err_set(&c->why, ERR_AGAIN, "no byte came for %d s", c->idle_s);
	end(c, sent ? HTTP_BROKEN : HTTP_UNSENT);
}

static void
forget_last(struct http_call *c)
{
	c->end = HTTP_RUNS;
	c->status = 0;
	c->received = 0;
	c->moved = 0;
	c->retry_after[0] = c->retry_after_ms[0] = c->should_retry[0] = '\0';
	c->reason[0] = '\0';
	c->why = (struct err){0};
}

/* What is to be done, and with which body. */
static int
set_request(CURL *easy, struct http_call *c, struct err *e)
{
	curl_easy_setopt(easy, CURLOPT_URL, c->url);
	curl_easy_setopt(easy, CURLOPT_HTTPHEADER, c->header_list);
	if (c->part_count) {
		c->form = form_new(easy, c->parts, c->part_count, e);
		if (!c->form)
			return -1;
		curl_easy_setopt(easy, CURLOPT_MIMEPOST, c->form);
	} else if (c->body) {
		curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE,
		    (curl_off_t)c->body_len);
		curl_easy_setopt(easy, CURLOPT_POSTFIELDS, c->body);
	}
	if (c->method)
		curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, c->method);
	return 0;
}

int
http_start(struct http *h, struct http_call *c, struct err *e)
{
	CURL *easy = curl_easy_init();

	forget_last(c);
	c->owner = h;
	c->poll = h->poll;
	c->idle = (struct poll_timer){.fire = on_idle, .ctx = c};
	c->easy = easy;
	if (!easy)
		return err_set(e, ERR_INTERNAL, "libcurl gives no handle");
	c->header_list = make_headers(c);
	set_limits(easy, c);
	set_callbacks(easy, c);
	if (set_request(easy, c, e) < 0) {
		let_go(c);
		return -1;
	}
	if (curl_multi_add_handle(h->multi, easy) != CURLM_OK) {
		let_go(c);
		return err_set(e, ERR_INTERNAL, "libcurl takes no request");
	}
	touch(c);
	return 0;
}

void
http_stop(struct http_call *c)
{
	let_go(c);
}

static enum err_kind
kind_of(CURLcode code)
{
	switch (code) {
	case CURLE_URL_MALFORMAT:
	case CURLE_UNSUPPORTED_PROTOCOL:
	case CURLE_PEER_FAILED_VERIFICATION:
	case CURLE_SSL_CACERT_BADFILE:
	case CURLE_SSL_ISSUER_ERROR: return ERR_CONFIG;
	case CURLE_OUT_OF_MEMORY: return ERR_INTERNAL;
	default: return ERR_AGAIN;
	}
}

static void
finish(struct http_call *c, CURLcode code)
{
	if (code == CURLE_OK) {
		end(c, HTTP_DONE);
		return;
	}
	if (!c->why.kind)
		err_set(&c->why, kind_of(code), "%s",
		    c->reason[0] ? c->reason : curl_easy_strerror(code));
	end(c, was_sent(c) ? HTTP_BROKEN : HTTP_UNSENT);
}

/* A callback may stop any call, so ask for one message at a time. */
static void
serve(struct http *h)
{
	const CURLMsg *m;
	int left;

	while ((m = curl_multi_info_read(h->multi, &left)) != NULL) {
		struct http_call *c = NULL;
		CURLcode code = m->data.result;

		if (m->msg != CURLMSG_DONE)
			continue;
		curl_easy_getinfo(m->easy_handle, CURLINFO_PRIVATE, &c);
		finish(c, code);
	}
}

static int
wait_for(struct http *h, int64_t until_ms, struct err *e)
{
	struct curl_waitfd extra[EXTRA_MAX];
	const struct pollfd *fds;
	size_t count;
	int wait_ms, left_ms = clock_left_ms(until_ms);

	fds = poll_want(h->poll, &count, &wait_ms);
	if (count > EXTRA_MAX)
		return err_set(e, ERR_INTERNAL, "%zu pipes are too many",
		    count);
	for (size_t i = 0; i < count; i++)
		extra[i] = (struct curl_waitfd){.fd = fds[i].fd,
		    .events = (short)((fds[i].events & POLLIN ? CURL_WAIT_POLLIN
							      : 0) |
				      (fds[i].events & POLLOUT
					      ? CURL_WAIT_POLLOUT
					      : 0))};
	if (wait_ms < 0 || wait_ms > WAIT_MAX_MS)
		wait_ms = WAIT_MAX_MS;
	if (left_ms < wait_ms)
		wait_ms = left_ms;
	if (curl_multi_poll(h->multi, extra, (unsigned)count, wait_ms, NULL) !=
	    CURLM_OK)
		return err_set(e, ERR_INTERNAL, "libcurl can't wait");
	return 0;
}

int
http_step(struct http *h, int64_t until_ms, struct err *e)
{
	int running;

	if (wait_for(h, until_ms, e) < 0)
		return -1;
	if (curl_multi_perform(h->multi, &running) != CURLM_OK)
		return err_set(e, ERR_INTERNAL, "libcurl fails");
	serve(h);
	return poll_dispatch(h->poll, e);
}
