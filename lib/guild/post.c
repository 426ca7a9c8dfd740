#include "guild/post.h"

#include <inttypes.h>
#include <stdio.h>

#include "core/buf.h"
#include "core/err.h"
#include "discord/permission.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "guild/change.h"
#include "guild/link.h"
#include "guild/told.h"
#include "record/call.h"
#include "tool/serve.h"

enum { PATH = 128 };

int
post_check(const struct place *p, struct err *e)
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

int
post_place(struct change *c, struct place *p, struct err *e)
{
	const char *name = json_string(c->in, "channel");

	if (!name)
		return err_set(e, ERR_INPUT, "channel is missing");
	if (change_begin(c, live_id(name, "<#"), e) < 0 ||
	    change_place(c, "channel", p, e) < 0)
		return -1;
	return post_check(p, e);
}

void
post_propose(struct change *c, const struct place *p, const char *what)
{
	jsonw_id(&c->p->plan, "guild", c->live->id);
	jsonw_id(&c->p->plan, "channel", p->id);
	jsonw_str(&c->p->plan, "name", p->name);
	buf_fmt(&c->p->destination, "%" PRIu64, p->id);
	change_target_channel(c, p->id, p->name);
	buf_str(&c->p->text, what);
	change_name(&c->p->text, "#", p->name, p->id);
}

int
post_propose_direct(struct change *c, const char *what, struct err *e)
{
	const struct context *from = &c->call->context;
	uint64_t id = change_asker(c);

	if (!id)
		return err_set(e, ERR_REFUSED,
		    "whoever asks from a terminal has no direct messages");
	jsonw_id(&c->p->plan, "recipient", id);
	buf_str(&c->p->destination, PROPOSAL_ASKER);
	buf_str(&c->p->text, what);
	change_name(&c->p->text, "", from->actor.name, id);
	change_target(c, PROPOSAL_MEMBER, id, from->actor.name);
	return 0;
}

int
post_open_direct(struct change *c, uint64_t *id, struct err *e)
{
	struct buf body = {0};
	const struct change_request r = {.method = "POST",
	    .path = "/users/@me/channels",
	    .body = &body};
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
tell(struct change *c, uint64_t channel, uint64_t id)
{
	uint64_t guild = change_id(c->plan, "guild");

	jsonw_object(&c->a->data, NULL);
	told_message(&c->a->data, "message", guild, channel, id);
	told_channel(&c->a->data, "channel", channel,
	    json_string(c->plan, "name"));
	jsonw_end_object(&c->a->data);
	buf_fmt(&c->a->summary, "sent to <#%" PRIu64 ">: ", channel);
	link_write(&c->a->summary, guild, channel, id);
}

int
post_send(struct change *c, uint64_t channel, const struct buf *body,
    const struct rest_file *file, struct err *e)
{
	char path[PATH];
	const struct change_request r = {.method = "POST",
	    .path = path,
	    .body = body,
	    .file = file};
	struct json *m;
	uint64_t id;

	snprintf(path, sizeof(path), "/channels/%" PRIu64 "/messages", channel);
	if (change_send(c, &r, &m, e) < 0)
		return -1;
	id = change_id(m, "id");
	json_free(m);
	if (!id)
		return err_set(e, ERR_UNKNOWN,
		    "Discord's answer names no message");
	tell(c, channel, id);
	return 0;
}
