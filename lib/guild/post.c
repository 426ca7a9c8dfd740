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
    struct err *e)
{
	char path[PATH];
	const struct change_request r = {"POST", path, body, false};
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
