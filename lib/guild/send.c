/* send_message */
#include <inttypes.h>

#include "core/buf.h"
#include "core/err.h"
#include "core/id.h"
#include "discord/compose.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "guild/change.h"
#include "guild/changes.h"
#include "guild/mentions.h"
#include "guild/message.h"
#include "guild/post.h"
#include "guild/seek.h"
#include "record/call.h"
#include "tool/serve.h"

enum { TEXT_MOST = 2000 };

/* ---- check ---- */

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
	if (!message_is_ones(m))
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

/* To the person alone. */
static int
check_direct(struct change *c, struct err *e)
{
	if (json_get(c->in, "channel") || json_get(c->in, "reply_to") ||
	    json_get(c->in, "mention"))
		return err_set(e, ERR_INPUT,
		    "a direct message has no channel, reply_to or mention");
	return post_propose_direct(c, "send a direct message to ", e);
}

static int
check_channel(struct change *c, struct err *e)
{
	struct place p;

	if (post_place(c, &p, e) < 0)
		return -1;
	post_propose(c, &p, "send a message to ");
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

int
send_act(struct change *c, struct err *e)
{
	uint64_t channel = change_id(c->plan, "channel");
	struct buf body = {0};
	int result;

	if (!channel && post_open_direct(c, &channel, e) < 0)
		return -1;
	compose(c, &body);
	result = post_send(c, channel, &body, NULL, e);
	buf_release(&body);
	return result;
}

/* ---- verify ---- */

int
send_verify(struct change *c, struct err *e)
{
	struct seek s = {
	    .guild = change_id(c->plan, "guild"),
	    .channel = change_id(c->plan, "channel"),
	    .text = json_string(c->in, "text"),
	    .reply = json_string(c->plan, "reply"),
	};

	if (!s.channel && post_open_direct(c, &s.channel, e) < 0)
		return -1;
	return seek_message(c, &s, e);
}
