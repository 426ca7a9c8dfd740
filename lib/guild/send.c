/* send_message */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/buf.h"
#include "core/clock.h"
#include "core/err.h"
#include "core/id.h"
#include "deliver/courier.h"
#include "deliver/trace.h"
#include "discord/compose.h"
#include "discord/parts.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "guild/change.h"
#include "guild/changes.h"
#include "guild/link.h"
#include "guild/mentions.h"
#include "guild/told.h"
#include "record/call.h"
#include "tool/serve.h"

enum { TEXT_MOST = 2000, PATH = 128 };

/* So long after it was begun, a request can't arrive any more. */
enum { LATE_MS = 30000 };

/* "Message Types" in Discord's documentation. */
enum { CHAT_COMMAND = 20, CONTEXT_COMMAND = 23 };

/* ---- check ---- */

/* Messages that a reply can refer to: people's and commands', no system's. */
static bool
can_answer(const struct json *m)
{
	int64_t type = json_int(m, "type", 0);

	return type == KIND_DEFAULT || type == KIND_REPLY ||
	       type == CHAT_COMMAND || type == CONTEXT_COMMAND;
}

static int
check_reply(struct change *c, struct place *p, struct err *e)
{
	const char *text = json_string(c->in, "reply_to");
	struct json *m;
	int result = 0;

	if (!text)
		return 0;
	if (change_message(c, text, p, &m, e) < 0)
		return -1;
	if (!can_answer(m))
		result = err_set(e, ERR_REFUSED,
		    "a message of Discord's own can't be replied to");
	jsonw_str(&c->p->plan, "reply", json_string(m, "id"));
	buf_fmt(&c->p->text, ", in reply to message %s of ",
	    json_string(m, "id"));
	change_name(&c->p->text, "",
	    json_string(json_get(m, "author"), "username"),
	    change_id(json_get(m, "author"), "id"));
	json_free(m);
	return result;
}

static int
check_can_write(const struct place *p, struct err *e)
{
	const struct json *thread = json_get(p->json, "thread_metadata");
	uint64_t send = channel_is_thread(p->kind) ? PERMIT_SEND_IN_THREADS
						   : PERMIT_SEND;

	switch (p->kind) {
	case CHANNEL_FORUM:
	case CHANNEL_MEDIA:
		return err_set(e, ERR_REFUSED,
		    "#%.80s holds posts only: create_thread makes one",
		    p->name);
	case CHANNEL_CATEGORY:
	case CHANNEL_DIRECTORY:
		return err_set(e, ERR_REFUSED, "%.80s holds no messages",
		    p->name);
	}
	if (change_need(p, PERMIT_VIEW | send, e) < 0)
		return -1;
	if (json_bool(thread, "locked", false))
		return change_need(p, PERMIT_MANAGE_THREADS, e);
	return 0;
}

/* To the person alone, in direct messages. */
static int
check_direct(struct change *c, struct err *e)
{
	const struct context *from = &c->call->context;
	uint64_t id;

	if (json_get(c->in, "channel") || json_get(c->in, "reply_to") ||
	    json_get(c->in, "mention"))
		return err_set(e, ERR_INPUT,
		    "a direct message has no channel, reply_to or mention");
	if (snowflake_read(&id, from->actor.id) < 0)
		return err_set(e, ERR_REFUSED,
		    "whoever asks from a terminal has no direct messages");
	jsonw_id(&c->p->plan, "recipient", id);
	if (from->location.kind == LOCATION_DM && from->location.channel)
		buf_str(&c->p->destination, from->location.channel);
	buf_str(&c->p->text, "send a direct message to ");
	change_name(&c->p->text, "", from->actor.name, id);
	change_target(c, PROPOSAL_MEMBER, id, from->actor.name);
	return 0;
}

static int
check_channel(struct change *c, struct err *e)
{
	const char *name = json_string(c->in, "channel");
	struct place p;

	if (!name)
		return err_set(e, ERR_INPUT, "channel is missing");
	if (change_begin(c, live_id(name, "<#"), e) < 0 ||
	    change_place(c, "channel", &p, e) < 0 || check_can_write(&p, e) < 0)
		return -1;
	jsonw_id(&c->p->plan, "guild", c->live->id);
	jsonw_id(&c->p->plan, "channel", p.id);
	jsonw_str(&c->p->plan, "name", p.name);
	buf_fmt(&c->p->destination, "%" PRIu64, p.id);
	buf_str(&c->p->text, "send a message to ");
	change_name(&c->p->text, "#", p.name, p.id);
	change_target_channel(c, p.id, p.name);
	return check_reply(c, &p, e) < 0
		   ? -1
		   : mentions_check(c, &p, json_string(c->in, "text"), e);
}

int
send_check(struct change *c, struct err *e)
{
	const char *text = change_words(c, "text", 1, TEXT_MOST, e);
	bool direct = json_bool(c->in, "direct", false);

	if (!text || (direct ? check_direct(c, e) : check_channel(c, e)) < 0)
		return -1;
	buf_fmt(&c->p->text, ":\n%s", text);
	return 0;
}

/* ---- act ---- */

/* The channel in which the plan's person is written to: 0 and *id. */
static int
open_direct(struct change *c, uint64_t *id, struct err *e)
{
	struct buf body = {0};
	const struct change_request r = {"POST", "/users/@me/channels", &body,
	    false};
	struct json *channel = NULL;
	int result;

	jsonw_object(&body, NULL);
	jsonw_str(&body, "recipient_id", json_string(c->plan, "recipient"));
	jsonw_end_object(&body);
	result = change_send(c, &r, &channel, e);
	*id = change_id(channel, "id");
	if (result < 0 && e->kind == ERR_UNKNOWN) /* nobody sees it */
		e->kind = ERR_AGAIN;
	else if (result == 0 && !*id)
		result = err_set(e, ERR_AGAIN, "Discord names no channel");
	json_free(channel);
	buf_release(&body);
	return result;
}

static void
compose(struct change *c, struct buf *body)
{
	struct mentions m;
	struct compose message = {
	    .content = json_string(c->in, "text"),
	    .nonce = c->call->nonce,
	    .reply = json_string(c->plan, "reply"),
	};

	mentions_take(&m, c->plan, &message);
	compose_write(body, &message);
}

/* 0 and the id of the message that Discord answers with. */
static int
post(struct change *c, uint64_t channel, uint64_t *id, struct err *e)
{
	struct buf body = {0};
	char path[PATH];
	const struct change_request r = {"POST", path, &body, false};
	struct json *m = NULL;
	int result;

	snprintf(path, sizeof(path), "/channels/%" PRIu64 "/messages", channel);
	compose(c, &body);
	result = change_send(c, &r, &m, e);
	*id = change_id(m, "id");
	json_free(m);
	buf_release(&body);
	if (result == 0 && !*id)
		return err_set(e, ERR_UNKNOWN,
		    "Discord's answer names no message");
	return result;
}

int
send_act(struct change *c, struct err *e)
{
	uint64_t guild = change_id(c->plan, "guild");
	uint64_t channel = change_id(c->plan, "channel"), id;

	if (!c->call->nonce)
		return err_set(e, ERR_REFUSED, "the call brings no nonce");
	if (!channel && open_direct(c, &channel, e) < 0)
		return -1;
	if (post(c, channel, &id, e) < 0)
		return -1;
	jsonw_object(&c->a->data, NULL);
	told_message(&c->a->data, "message", guild, channel, id);
	told_channel(&c->a->data, "channel", channel,
	    json_string(c->plan, "name"));
	jsonw_end_object(&c->a->data);
	buf_fmt(&c->a->summary, "sent to <#%" PRIu64 ">: ", channel);
	link_write(&c->a->summary, guild, channel, id);
	return 0;
}

/* ---- verify ---- */

static void
on_traced(void *ctx)
{
	(void)ctx; /* its end says it */
}

static int
trace(struct change *c, struct trace *t, struct err *e)
{
	int result;

	if (live_rest(c->live, &t->rest, e) < 0)
		return -1;
	result = trace_start(t, e);
	while (result == 0 && !t->end)
		result = rest_step(t->rest, POLL_NEVER, e);
	return result;
}

static int
tell(struct change *c, const struct trace *t, uint64_t channel, struct err *e)
{
	uint64_t id;

	switch (t->end) {
	case TRACE_FOUND:
		buf_str(&c->seen, "the message is there: ");
		if (snowflake_read(&id, t->message) == 0)
			link_write(&c->seen, change_id(c->plan, "guild"),
			    channel, id);
		return SEEN_DONE;
	case TRACE_ABSENT:
		buf_fmt(&c->seen, "no such message is in <#%" PRIu64 ">",
		    channel);
		if (clock_now_ms() > c->intent_ms + LATE_MS)
			return SEEN_UNDONE;
		buf_str(&c->seen, ", but it may be on its way: look again in "
				  "half a minute");
		return SEEN_NOTHING;
	case TRACE_UNSEEN: buf_str(&c->seen, t->why); return SEEN_NOTHING;
	default: return err_set(e, ERR_AGAIN, "%s", t->why);
	}
}

/* Its nonce can't be asked for: so it is looked for where it would be. */
int
send_verify(struct change *c, struct err *e)
{
	uint64_t channel = change_id(c->plan, "channel");
	char us[24], there[24];
	struct trace t = {
	    .tasks = c->tasks,
	    .us = us,
	    .channel = there,
	    .nonce = c->nonce,
	    .text = json_string(c->in, "text"),
	    .reply = json_string(c->plan, "reply"),
	    .from_ms = c->intent_ms - COURIER_SKEW_MS,
	    .to_ms = clock_now_ms() + COURIER_SKEW_MS,
	    .ended = on_traced,
	};
	int result;

	if (live_self(c->live, e) < 0 ||
	    (!channel && open_direct(c, &channel, e) < 0))
		return -1;
	snprintf(us, sizeof(us), "%" PRIu64, c->live->reading.bot);
	snprintf(there, sizeof(there), "%" PRIu64, channel);
	result = trace(c, &t, e);
	if (result == 0)
		result = tell(c, &t, channel, e);
	trace_release(&t);
	return result;
}
