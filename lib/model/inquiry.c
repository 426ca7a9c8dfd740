#define _GNU_SOURCE /* explicit_bzero */
#include "model/inquiry.h"

#include <string.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/log.h"
#include "model/chat_request.h"
#include "model/profile.h"
#include "model/retry.h"
#include "record/exhibit.h"
#include "record/request.h"

enum {
	ADMIT_MS = 15,       /* between two looks for a free slot */
	PAGE_MAX = 64 << 10, /* bytes of an error's page */
	TRUST_TOKENS = 3000, /* below this an estimate says nothing */
	SHORT_OF = 3,        /* a third of the estimate is far below it */
	LINGER_MS = 300,     /* for the end of a body after its last event */
};

static void try_start(void *ctx);

static void
settle(struct inquiry *x, const struct refusal *why)
{
	if (x->admitted)
		x->hooks.settle(x->hooks.ctx, &x->reply.meter,
		    why && why->kind ? why : NULL);
	x->admitted = false;
}

/* Everything is said: hand out what is left, and the word that it is over. */
static void
finish(struct inquiry *x)
{
	const struct refusal *why = &x->reply.refusal;

	poll_stop_timer(&x->next);
	poll_stop_timer(&x->linger);
	poll_stop_timer(&x->silent);
	x->over = true;
	x->verdict = why->kind;
	snprintf(x->text, sizeof(x->text), "%s", why->text);
	settle(x, why);
	if (x->out.len)
		x->hooks.told(x->hooks.ctx, &x->out);
	buf_clear(&x->out);
	x->hooks.ended(x->hooks.ctx);
}

static void
fail(struct inquiry *x, const struct refusal *why, int64_t wait_ms)
{
	chat_reply_fail(&x->reply, why, wait_ms, &x->out);
	finish(x);
}

static struct retry
facts(const struct inquiry *x)
{
	const struct http_call *c = &x->call;

	return (struct retry){
	    .unsent = c->end == HTTP_UNSENT && c->why.kind == ERR_AGAIN,
	    .status = c->status,
	    .after = c->retry_after,
	    .after_ms = c->retry_after_ms,
	    .should = c->should_retry,
	};
}

/* Different for each request and attempt; its id is random. */
static uint32_t
seed_of(const struct inquiry *x)
{
	uint32_t seed = (uint32_t)x->retries;

	for (const char *c = x->request->id; *c; c++)
		seed = seed * 31 + (unsigned char)*c;
	return seed;
}

/* Is there something that the model has to see, or hear, and won't? */
static int
check_shown(const struct inquiry *x, const struct gallery *g, struct err *e)
{
	for (size_t i = 0; x->request->must_show && i < g->count; i++)
		if (!g->items[i].shown)
			return err_set(e, ERR_REFUSED, "%s: %s",
			    g->items[i].exhibit->name, g->items[i].why);
	return 0;
}

/* Write the body; without: with no media, for that reason, or NULL. */
static int
compose(struct inquiry *x, const char *without, struct err *e)
{
	struct gallery g;
	int result;

	gallery_plan(&g, x->request, x->profile, &x->media, without);
	x->shows = g.shown > 0;
	buf_clear(&x->body);
	result = check_shown(x, &g, e);
	if (result == 0)
		result = chat_request_write(&x->body, x->request, x->profile,
		    &g, &x->aliases, e);
	gallery_release(&g);
	return result;
}

/* Was it refused, perhaps for a picture? Then ask again without them, once. */
static bool
ask_blind(struct inquiry *x, const struct refusal *why)
{
	struct err e = {0};

	if (!x->shows || x->request->must_show ||
	    (strcmp(why->code, "bad_request") != 0 &&
		strcmp(why->code, "too_large") != 0))
		return false;
	log_warn("profile %s: asked again without pictures and sounds: %s",
	    x->profile->id, why->text);
	settle(x, why);
	if (compose(x, "the provider refused a request with it", &e) < 0)
		return false;
	x->call.body = buf_text(&x->body);
	x->call.body_len = x->body.len;
	poll_set_timer(x->poll, &x->next, clock_boot_ms());
	return true;
}

/* Nothing came of it: try again later, or give up with this reason. */
static void
retry_or_fail(struct inquiry *x, const struct refusal *why)
{
	struct retry r = facts(x);
	int64_t now_ms = clock_now_ms();
	int64_t wait_ms = retry_wait_ms(&r, x->retries, now_ms, seed_of(x));

	if (wait_ms == RETRY_NO) {
		fail(x, why, retry_asked_ms(&r, now_ms));
		return;
	}
	settle(x, why);
	x->retries++;
	poll_set_timer(x->poll, &x->next, clock_boot_ms() + wait_ms);
}

static bool
is_answer(const struct http_call *c)
{
	return c->status >= 200 && c->status < 300;
}

/* Ollama cuts what doesn't fit its window, and says nothing. */
static void
warn_if_cut(const struct inquiry *x)
{
	int64_t guess = chat_request_tokens(x->request, x->profile->inputs);
	const struct usage_count *in = &x->reply.meter.input;

	if (in->known && guess >= TRUST_TOKENS && in->n < guess / SHORT_OF)
		log_warn("profile %s: the server read %lld tokens of about "
			 "%lld: it may cut requests to its own window, "
			 "which must be raised there",
		    x->profile->id, (long long)in->n, (long long)guess);
}

static void
end_answer(struct inquiry *x)
{
	struct refusal why;

	if (x->call.end == HTTP_DONE || x->reply.finished || x->reply.over) {
		chat_reply_end(&x->reply, &x->out);
		warn_if_cut(x);
		finish(x);
		return;
	}
	refusal_set(&why, ERR_AGAIN, "truncated",
	    "the connection broke in the middle of the reply: %.300s",
	    x->call.why.text);
	fail(x, &why, 0);
}

static void
on_ended(void *ctx)
{
	struct inquiry *x = ctx;
	struct http_call *c = &x->call;
	struct refusal why;

	poll_stop_timer(&x->silent);
	if (is_answer(c)) {
		end_answer(x);
		return;
	}
	if (c->end == HTTP_DONE && c->status < 400)
		refusal_set(&why, ERR_CONFIG, "server",
		    "%s answers with HTTP %d, which is no reply: base_url is "
		    "not right",
		    x->profile->base_url, c->status);
	else if (c->status)
		refusal_read(&why, c->status, buf_text(&x->page), x->page.len);
	else
		refusal_set(&why, c->why.kind,
		    c->end == HTTP_UNSENT ? "connect" : "truncated",
		    "%.80s: %.300s", x->profile->base_url, c->why.text);
	if (!ask_blind(x, &why))
		retry_or_fail(x, &why);
}

/* All is said, but the server keeps the connection open. */
static void
on_linger(void *ctx)
{
	struct inquiry *x = ctx;

	http_stop(&x->call);
	end_answer(x);
}

/* A server that sends comments for ever keeps a connection alive, no more. */
static void
on_silent(void *ctx)
{
	struct inquiry *x = ctx;
	struct refusal why;

	http_stop(&x->call);
	if (x->reply.finished) {
		end_answer(x);
		return;
	}
	refusal_set(&why, ERR_AGAIN, "timeout",
	    "the provider said nothing for %d s, though it is there",
	    x->profile->silent_s);
	fail(x, &why, 0);
}

static void
wait_for_content(struct inquiry *x)
{
	poll_set_timer(x->poll, &x->silent,
	    clock_boot_ms() + (int64_t)x->profile->silent_s * 1000);
}

static int
on_bytes(void *ctx, const char *bytes, size_t len, struct err *e)
{
	struct inquiry *x = ctx;
	size_t before = x->reply.content;

	(void)e;
	if (!is_answer(&x->call)) {
		buf_add(&x->page, bytes, len);
		return 0;
	}
	chat_reply_feed(&x->reply, bytes, len, &x->out);
	if (x->reply.content != before)
		wait_for_content(x);
	if (x->out.len) {
		x->hooks.told(x->hooks.ctx, &x->out);
		buf_clear(&x->out);
	}
	if (x->reply.over)
		poll_set_timer(x->poll, &x->linger,
		    clock_boot_ms() + LINGER_MS);
	return 0;
}

static void
begin_reply(struct inquiry *x)
{
	chat_reply_release(&x->reply);
	x->reply.request = x->request;
	x->reply.profile = x->profile;
	x->reply.aliases = &x->aliases;
	x->reply.secret = x->key;
	buf_clear(&x->page);
	x->page.full = false;
}

/* Ask for leave, and send it; or look again soon. */
static void
try_start(void *ctx)
{
	struct inquiry *x = ctx;
	struct err e = {0};
	struct refusal why;
	int leave = x->hooks.admit(x->hooks.ctx, &e);

	if (leave == 0) {
		poll_set_timer(x->poll, &x->next,
		    clock_boot_ms() + ADMIT_MS + getpid() % ADMIT_MS);
		return;
	}
	begin_reply(x);
	x->admitted = leave > 0;
	if (leave > 0 && http_start(x->http, &x->call, &e) == 0) {
		wait_for_content(x);
		return;
	}
	refusal_set(&why, e.kind, "admission", "%.430s", e.text);
	fail(x, &why, 0);
}

static void
make_headers(struct inquiry *x)
{
	size_t n = 0;

	x->headers[n++] = "Content-Type: application/json";
	x->headers[n++] = x->request->stream ? "Accept: text/event-stream"
					     : "Accept: application/json";
	if (x->key) {
		buf_fmt(&x->auth, "Authorization: Bearer %s", x->key);
		x->headers[n++] = buf_text(&x->auth);
	}
	for (size_t i = 0; i < x->profile->header_count; i++)
		x->headers[n++] = x->profile->headers[i];
	x->headers[n] = NULL;
}

int
inquiry_start(struct inquiry *x, struct err *e)
{
	const struct profile *p = x->profile;

	if (compose(x, NULL, e) < 0)
		return -1;
	buf_fmt(&x->url, "%s/chat/completions", p->base_url);
	make_headers(x);
	x->page.limit = PAGE_MAX;
	x->call = (struct http_call){
	    .url = buf_text(&x->url),
	    .headers = x->headers,
	    .body = buf_text(&x->body),
	    .body_len = x->body.len,
	    .limit = CHAT_REPLY_MAX,
	    .connect_s = p->connect_s,
	    .idle_s = p->idle_s,
	    .proxy = p->proxy,
	    .take = on_bytes,
	    .ended = on_ended,
	    .ctx = x,
	};
	x->next = (struct poll_timer){.fire = try_start, .ctx = x};
	x->linger = (struct poll_timer){.fire = on_linger, .ctx = x};
	x->silent = (struct poll_timer){.fire = on_silent, .ctx = x};
	begin_reply(x);
	poll_set_timer(x->poll, &x->next, clock_boot_ms());
	return 0;
}

void
inquiry_cancel(struct inquiry *x)
{
	struct refusal why;

	if (x->over)
		return;
	http_stop(&x->call);
	refusal_set(&why, ERR_AGAIN, "cancelled", "it was cancelled");
	fail(x, &why, 0);
}

void
inquiry_release(struct inquiry *x)
{
	poll_stop_timer(&x->next);
	poll_stop_timer(&x->linger);
	poll_stop_timer(&x->silent);
	http_stop(&x->call);
	chat_reply_release(&x->reply);
	aliases_release(&x->aliases);
	buf_release(&x->body);
	buf_release(&x->url);
	if (x->auth.data)
		explicit_bzero(x->auth.data, x->auth.len);
	buf_release(&x->auth);
	buf_release(&x->out);
	buf_release(&x->page);
	x->over = true;
}
