#include "discord/attempt.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "core/utf8.h"
#include "discord/api.h"
#include "discord/rest.h"

enum {
	CONNECT_S = 10,
	IDLE_S = 20,
	REASON_MAX = 512, /* characters, as Discord counts them */
	TOO_MANY = 429,
};

static int
on_bytes(void *ctx, const char *bytes, size_t len, struct err *e)
{
	struct rest_call *c = ctx;

	(void)e;
	buf_add(&c->reply, bytes, len);
	return 0;
}

static void
on_header(void *ctx, const char *name, const char *value)
{
	struct rest_call *c = ctx;

	quota_header(&c->attempt.quota, name, value);
}

static void
on_ended(void *ctx)
{
	struct rest_call *c = ctx;
	struct attempt *a = &c->attempt;

	a->quota.status = a->http.status;
	if (a->http.status == TOO_MANY)
		quota_body(&a->quota, buf_text(&c->reply), c->reply.len);
	a->ended(c);
}

/* Percent-encoded, as a header of Discord's wants it (RFC 3986, 2.1). */
static void
add_reason(struct buf *b, const char *reason)
{
	size_t len = strlen(reason), n;
	uint32_t cp;

	buf_str(b, "X-Audit-Log-Reason: ");
	for (size_t i = 0, count = 0; i < len && count < REASON_MAX;
	     i += n, count++) {
		n = utf8_next(reason + i, len - i, &cp);
		for (size_t k = i; cp != UTF8_BAD && k < i + n; k++)
			if (isalnum((unsigned char)reason[k]) ||
			    strchr("-._~", reason[k]))
				buf_char(b, reason[k]);
			else
				buf_fmt(b, "%%%02X", (unsigned char)reason[k]);
	}
}

static void
make_headers(struct rest_call *c, const char *auth)
{
	struct attempt *a = &c->attempt;
	size_t n = 0;

	a->headers[n++] = "User-Agent: " API_AGENT;
	if (auth)
		a->headers[n++] = auth;
	if (!c->file_count) /* without a body, none of curl's own choice */
		a->headers[n++] = c->body ? "Content-Type: application/json"
					  : "Content-Type:";
	if (c->reason) {
		buf_clear(&a->reason);
		add_reason(&a->reason, c->reason);
		a->headers[n++] = buf_text(&a->reason);
	}
	a->headers[n] = NULL;
}

/* The form: the JSON, then the files. Returns how many parts. */
static size_t
make_parts(struct rest_call *c)
{
	struct attempt *a = &c->attempt;
	size_t n = 0;

	if (c->body)
		a->parts[n++] = (struct http_part){
		    .name = "payload_json",
		    .type = "application/json",
		    .bytes = c->body,
		    .len = c->body_len,
		};
	for (size_t i = 0; i < c->file_count; i++) {
		const struct rest_file *f = &c->files[i];

		snprintf(a->names[i], sizeof(a->names[i]), "files[%zu]", i);
		a->parts[n++] = (struct http_part){
		    .name = a->names[i],
		    .filename = f->name,
		    .type = f->type,
		    .bytes = f->bytes,
		    .len = f->len,
		    .path = f->path,
		};
	}
	return n;
}

/* A method with a body says so also where that is empty. */
static const char *
body_of(const struct rest_call *c)
{
	if (c->body || strcmp(c->method, "GET") == 0 ||
	    strcmp(c->method, "DELETE") == 0)
		return c->body;
	return "";
}

int
attempt_start(struct rest_call *c, struct http *h, const char *base,
    const char *auth, bool once, void (*ended)(struct rest_call *c),
    struct err *e)
{
	struct attempt *a = &c->attempt;

	quota_start(&a->quota);
	a->call = c;
	a->ended = ended;
	buf_clear(&a->url);
	buf_fmt(&a->url, "%s%s", base, c->path);
	make_headers(c, auth);
	buf_clear(&c->reply);
	a->http = (struct http_call){
	    .method = c->method,
	    .url = buf_text(&a->url),
	    .headers = a->headers,
	    .body = body_of(c),
	    .body_len = c->body_len,
	    .parts = a->parts,
	    .part_count = c->file_count ? make_parts(c) : 0,
	    .limit = REST_REPLY_MAX,
	    .connect_s = CONNECT_S,
	    .idle_s = IDLE_S,
	    .compressed = true,
	    .once = once,
	    .header = on_header,
	    .take = on_bytes,
	    .ended = on_ended,
	    .ctx = c,
	};
	return http_start(h, &a->http, e);
}

void
attempt_release(struct attempt *a)
{
	buf_release(&a->url);
	buf_release(&a->reason);
}
