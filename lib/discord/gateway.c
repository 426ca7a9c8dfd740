#include "discord/gateway.h"

#include <stdio.h>
#include <string.h>

#include "core/clock.h"
#include "core/id.h"
#include "discord/intents.h"
#include "ext/json.h"

enum {
	KEPT_ROOM = 256 << 10,
	CLOSE_MS = 2000, /* for a close frame to get out */
};

static void act(struct gateway *g);

static void
wake(struct gateway *g)
{
	int64_t due_ms = session_due_ms(&g->session);

	if (due_ms == INT64_MAX)
		poll_stop_timer(&g->tick);
	else
		poll_set_timer(g->poll, &g->tick, due_ms);
}

static void
on_tick(void *ctx)
{
	struct gateway *g = ctx;

	session_tick(&g->session, clock_boot_ms());
	act(g);
}

static void
on_patience(void *ctx)
{
	struct gateway *g = ctx;

	g->cut = true;
}

/* Both answers are there, or known not to come. */
static void
answered(struct gateway *g)
{
	struct handshake_limit limit;
	struct err e = {0};

	if (--g->asked || g->session.state != SESSION_ASKING)
		return;
	if (g->where.end == REST_ANSWERED && g->where.status == 200 &&
	    handshake_read_limit(&limit, buf_text(&g->where.reply),
		g->where.reply.len, &e) == 0)
		session_answer(&g->session, &limit, clock_boot_ms());
	else
		session_no_answer(&g->session, 0, clock_boot_ms());
	rest_release(&g->where);
	rest_release(&g->who);
	act(g);
}

/* Discord refuses the token, or the address is wrong: that will not pass. */
static bool
fatal(struct gateway *g, const struct rest_call *c)
{
	struct err e = {0};

	if (c->verdict.kind != ERR_CONFIG)
		return false;
	err_set(&e, ERR_CONFIG, "GET %s: %s", c->path, c->verdict.text);
	session_fail(&g->session, &e);
	act(g);
	return true;
}

static void
on_where(void *ctx)
{
	struct gateway *g = ctx;

	if (!fatal(g, &g->where))
		answered(g);
}

/* What of the privileged intents the application has; -1 if it doesn't say. */
static int
read_offered(const struct rest_call *c, uint64_t *offered)
{
	struct json *root = NULL;
	struct err e = {0};
	int64_t flags = -1;

	if (c->end == REST_ANSWERED && c->status == 200 &&
	    json_object(&root, buf_text(&c->reply), c->reply.len, &e) == 0)
		flags = json_int(root, "flags", -1);
	json_free(root);
	*offered = flags < 0 ? 0 : intents_offered(flags);
	return flags < 0 ? -1 : 0;
}

static void
choose_intents(struct gateway *g)
{
	uint64_t offered, missing = 0;
	bool known = read_offered(&g->who, &offered) == 0;
	struct buf why = {0};
	struct err e = {0};

	g->session.who.intents = g->intents
				     ? g->intents
				     : INTENTS_DEFAULT |
					   (offered & INTENT_GUILD_MEMBERS);
	if (known)
		missing = g->session.who.intents & INTENTS_PRIVILEGED &
			  ~offered;
	if (!missing)
		return;
	buf_str(&why, "the bot is not allowed what it needs: ");
	intents_remedy(&why, missing);
	err_set(&e, ERR_CONFIG, "%s, or leave it out with --intents",
	    buf_text(&why));
	buf_release(&why);
	session_fail(&g->session, &e);
	act(g);
}

static void
on_who(void *ctx)
{
	struct gateway *g = ctx;

	if (fatal(g, &g->who))
		return;
	choose_intents(g);
	answered(g);
}

static void
ask(struct gateway *g)
{
	struct err e = {0};

	g->where = (struct rest_call){.method = "GET",
	    .path = "/gateway/bot",
	    .ended = on_where,
	    .ctx = g};
	g->who = (struct rest_call){.method = "GET",
	    .path = "/applications/@me",
	    .ended = on_who,
	    .ctx = g};
	g->asked = 2;
	if ((!g->rest && rest_open(&g->rest, g->poll, &e) < 0) ||
	    rest_start(g->rest, &g->where, &e) < 0 ||
	    rest_start(g->rest, &g->who, &e) < 0)
		session_fail(&g->session, &e);
}

static void
connect_to(struct gateway *g, const struct session_action *a)
{
	struct err e = {0};

	inflate_release(&g->inflate);
	buf_release(&g->payload);
	g->payload.limit = GATEWAY_PAYLOAD;
	if (ws_connect(g->ws, a->text, a->generation, &e) < 0)
		session_fail(&g->session, &e);
}

static void
send_text(struct gateway *g, const struct session_action *a)
{
	struct err e = {0};

	/* Nobody takes what we send: the missing ACK will tell. */
	(void)ws_send(g->ws, a->text, a->len, &e);
}

static void
hang_up(struct gateway *g, const struct session_action *a)
{
	ws_close(g->ws, a->code, a->text);
	inflate_release(&g->inflate);
}

static void
deliver(struct gateway *g, const struct session_action *a)
{
	g->held = (struct err){0};
	if (g->event(g->ctx, a->event, &g->held) < 0)
		session_hold(&g->session, clock_boot_ms());
}

static void
perform(struct gateway *g, const struct session_action *a)
{
	switch (a->what) {
	case SESSION_ASK: ask(g); break;
	case SESSION_CONNECT: connect_to(g, a); break;
	case SESSION_SEND: send_text(g, a); break;
	case SESSION_CLOSE: hang_up(g, a); break;
	case SESSION_EVENT: deliver(g, a); break;
	case SESSION_SAVE: g->changed(g->ctx); break;
	case SESSION_END:
		poll_set_timer(g->poll, &g->patience,
		    clock_boot_ms() + CLOSE_MS);
		break;
	}
}

/* Do what the session wants done, and wait for what it waits for. */
static void
act(struct gateway *g)
{
	struct session_action a;

	while (session_next(&g->session, &a))
		perform(g, &a);
	if (g->session.state != g->shown) {
		g->shown = g->session.state;
		g->changed(g->ctx);
	}
	wake(g);
}

static void
on_opened(void *ctx, unsigned number)
{
	struct gateway *g = ctx;

	g->lost[0] = '\0';
	session_opened(&g->session, number, clock_boot_ms());
	act(g);
}

static void
on_closed(void *ctx, unsigned number, int code, const char *why)
{
	struct gateway *g = ctx;

	snprintf(g->lost, sizeof(g->lost), "%s", why);
	session_closed(&g->session, number, code, clock_boot_ms());
	inflate_release(&g->inflate);
	act(g);
}

/* A payload is whole. */
static void
take(struct gateway *g, unsigned number)
{
	struct buf *b = &g->payload;

	b->len = payload_flatten(b->data, b->len);
	if (g->frame)
		g->frame(g->ctx, b->data, b->len);
	session_payload(&g->session, number, b->data, b->len, clock_boot_ms());
	act(g);
	if (b->room > KEPT_ROOM)
		buf_release(b);
	else
		buf_clear(b);
}

/* What it says makes no sense: as good as a lost connection. */
static void
give_up(struct gateway *g, unsigned number)
{
	ws_close(g->ws, SESSION_CLOSE_CODE, "no zlib-stream");
	on_closed(g, number, 0, "");
}

static void
on_received(void *ctx, unsigned number, const char *bytes, size_t len,
    bool last)
{
	struct gateway *g = ctx;
	struct err e = {0};

	if (g->plain)
		buf_add(&g->payload, bytes, len);
	else if (inflate_feed(&g->inflate, &g->payload, bytes, len, &e) < 0)
		g->payload.full = true;
	if (g->payload.full)
		give_up(g, number);
	else if (last && g->payload.len &&
		 (g->plain || inflate_whole(&g->inflate)))
		take(g, number);
}

int
gateway_open(struct gateway *g, struct poll *p, struct err *e)
{
	g->poll = p;
	g->tick = (struct poll_timer){.fire = on_tick, .ctx = g};
	g->patience = (struct poll_timer){.fire = on_patience, .ctx = g};
	if (api_open(&g->api, e) < 0)
		return -1;
	g->on = (struct ws_handlers){on_opened, on_received, on_closed, g};
	g->ws = ws_open(p, &g->on);
	g->session = (struct session){
	    .who = {.token = buf_text(&g->api.token),
		.intents = g->intents ? g->intents : INTENTS_DEFAULT,
		.shard = g->shard,
		.shards = g->shards},
	    .compress = !g->plain,
	    .seed = id_random(),
	};
	return 0;
}

void
gateway_start(struct gateway *g, const struct session_kept *kept,
    int64_t age_ms)
{
	const int64_t now_ms = clock_boot_ms();

	if (kept)
		(void)session_recall(&g->session, kept,
		    age_ms > 0 ? age_ms : 0);
	session_cool(&g->session, age_ms, now_ms);
	session_start(&g->session, now_ms);
	act(g);
}

void
gateway_lost(struct gateway *g, int64_t sequence, const struct err *why)
{
	g->held = *why;
	session_rewind(&g->session, sequence);
	session_hold(&g->session, clock_boot_ms());
	act(g);
}

void
gateway_go_on(struct gateway *g)
{
	session_go_on(&g->session, clock_boot_ms());
	act(g);
}

void
gateway_stop(struct gateway *g, bool keep)
{
	session_stop(&g->session, keep);
	act(g);
}

/* Requests are made only while there is no connection that could suffer. */
static void
end_asking(struct gateway *g)
{
	rest_stop(&g->where);
	rest_stop(&g->who);
	rest_close(g->rest);
	g->rest = NULL;
}

int
gateway_step(struct gateway *g, int64_t until_ms, struct err *e)
{
	if (g->session.state == SESSION_ASKING)
		return rest_step(g->rest, until_ms, e);
	if (g->rest)
		end_asking(g);
	return ws_step(g->ws, until_ms, e);
}

bool
gateway_over(const struct gateway *g)
{
	return g->session.state == SESSION_ENDED &&
	       (g->cut || !ws_closing(g->ws));
}

void
gateway_close(struct gateway *g)
{
	if (!g->poll)
		return;
	poll_stop_timer(&g->tick);
	poll_stop_timer(&g->patience);
	if (g->rest)
		end_asking(g);
	rest_release(&g->where);
	rest_release(&g->who);
	ws_release(g->ws);
	inflate_release(&g->inflate);
	buf_release(&g->payload);
	session_release(&g->session);
	api_close(&g->api);
	g->poll = NULL;
}
