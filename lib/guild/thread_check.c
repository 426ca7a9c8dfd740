/* create_thread: may it be done? */
#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "core/buf.h"
#include "core/err.h"
#include "discord/permission.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "guild/change.h"
#include "guild/changes.h"
#include "guild/mentions.h"
#include "guild/message.h"
#include "record/call.h"
#include "tool/serve.h"

enum {
	NAME_MOST = 100,
	TEXT_MOST = 2000,
	TAGS_MOST = 5,
	ACTIVE_MOST = 1000, /* threads of a server */
	HAS_THREAD = 1 << 5,
	REQUIRE_TAG = 1 << 4,
};

/* The forum's tag of that name or id. */
static int
add_tag(struct change *c, const struct place *p, const char *name,
    struct err *e)
{
	const struct json *v = json_first(json_get(p->json, "available_tags"));
	const char *id = NULL;

	for (; v && !id; v = json_next(v)) {
		const char *its = json_string(v, "name");

		if ((its && strcasecmp(its, name) == 0) ||
		    strcmp(json_string(v, "id"), name) == 0)
			id = json_string(v, "id");
		if (id && json_bool(v, "moderated", false) &&
		    change_need(p, PERMIT_MANAGE_THREADS, e) < 0)
			return -1;
	}
	if (!id)
		return err_set(e, ERR_INPUT, "#%.80s has no tag '%.40s'",
		    p->name, name);
	jsonw_str(&c->p->plan, NULL, id);
	return 0;
}

static int
check_tags(struct change *c, const struct place *p, struct err *e)
{
	const struct json *tags = json_get(c->in, "tags");
	const struct json *v = json_first(tags);
	bool forum = p->kind == CHANNEL_FORUM || p->kind == CHANNEL_MEDIA;
	int result = 0;

	if (tags && !forum)
		return err_set(e, ERR_INPUT, "only posts of a forum have tags");
	if (json_count(tags) > TAGS_MOST)
		return err_set(e, ERR_INPUT, "a post has at most %d tags",
		    TAGS_MOST);
	if (!v && (json_int(p->json, "flags", 0) & REQUIRE_TAG) && forum)
		return err_set(e, ERR_REFUSED, "a post in #%.80s needs a tag",
		    p->name);
	jsonw_array(&c->p->plan, "tags");
	for (; v && result == 0; v = json_next(v))
		result = add_tag(c, p, json_text(v) ? json_text(v) : "", e);
	jsonw_end_array(&c->p->plan);
	return result;
}

/* Which kind of thread it becomes, and what that takes. */
static int
check_kind(struct change *c, const struct place *p, bool message, int64_t *kind,
    struct err *e)
{
	bool hidden = json_bool(c->in, "private", false);
	bool text = json_get(c->in, "text") != NULL;
	uint64_t needs = hidden ? PERMIT_PRIVATE_THREADS
				: PERMIT_PUBLIC_THREADS;

	*kind = hidden ? CHANNEL_PRIVATE_THREAD : CHANNEL_PUBLIC_THREAD;
	if (p->kind == CHANNEL_NEWS)
		*kind = CHANNEL_NEWS_THREAD;
	switch (p->kind) {
	case CHANNEL_FORUM:
	case CHANNEL_MEDIA:
		if (hidden || message)
			return err_set(e, ERR_REFUSED,
			    "a post in a forum is neither private nor made "
			    "from a message");
		if (!text)
			return err_set(e, ERR_INPUT,
			    "a post in a forum needs a text");
		return change_need(p, PERMIT_VIEW | PERMIT_SEND, e);
	case CHANNEL_TEXT: break;
	case CHANNEL_NEWS:
		if (!hidden)
			break;
		return err_set(e, ERR_REFUSED,
		    "there are no private threads in #%.80s", p->name);
	default:
		return err_set(e, ERR_REFUSED, "there are no threads in #%.80s",
		    p->name);
	}
	if (hidden && message)
		return err_set(e, ERR_INPUT,
		    "a thread made from a message can't be private");
	if (text)
		needs |= PERMIT_SEND_IN_THREADS;
	return change_need(p, PERMIT_VIEW | needs, e);
}

static int
check_message(struct change *c, struct place *p, struct json *m, struct err *e)
{
	if (!message_is_ones(m))
		return err_set(e, ERR_REFUSED,
		    "no thread can be made from a message of Discord's own");
	if ((json_int(m, "flags", 0) & HAS_THREAD) || json_get(m, "thread"))
		return err_set(e, ERR_REFUSED, "it has a thread already: <#%s>",
		    json_string(m, "id"));
	jsonw_str(&c->p->plan, "message", json_string(m, "id"));
	change_target_message(c, p, change_id(m, "id"), NULL);
	buf_fmt(&c->p->text, " from message %s", json_string(m, "id"));
	return 0;
}

static int
check_duration(const struct json *in, struct err *e)
{
	int64_t hours = json_int(in, "archive_after_hours", 0);

	if (!json_get(in, "archive_after_hours") || hours == 1 || hours == 24 ||
	    hours == 72 || hours == 168)
		return 0;
	return err_set(e, ERR_INPUT, "archive_after_hours is 1, 24, 72 or 168");
}

static int
propose(struct change *c, struct place *p, struct json *m, const char *name,
    struct err *e)
{
	const char *text = change_words(c, "text", 0, TEXT_MOST, e);
	int64_t kind;

	if (!text || check_kind(c, p, m != NULL, &kind, e) < 0)
		return -1;
	if (json_count(c->live->threads) >= ACTIVE_MOST)
		return err_set(e, ERR_REFUSED,
		    "there are %d active threads, as many as can be",
		    ACTIVE_MOST);
	jsonw_id(&c->p->plan, "guild", c->live->id);
	jsonw_id(&c->p->plan, "channel", p->id);
	jsonw_bool(&c->p->plan, "forum",
	    p->kind == CHANNEL_FORUM || p->kind == CHANNEL_MEDIA);
	jsonw_int(&c->p->plan, "kind", kind);
	if (kind == CHANNEL_PRIVATE_THREAD && change_asker(c))
		jsonw_id(&c->p->plan, "member", change_asker(c));
	buf_fmt(&c->p->destination, "%" PRIu64, p->id);
	change_target_channel(c, p->id, p->name);
	buf_fmt(&c->p->text, "create %s '%s' in ",
	    kind == CHANNEL_PRIVATE_THREAD ? "a private thread" : "a thread",
	    name);
	change_name(&c->p->text, "#", p->name, p->id);
	if ((m && check_message(c, p, m, e) < 0) || check_tags(c, p, e) < 0 ||
	    mentions_check(c, p, text, e) < 0)
		return -1;
	if (*text)
		buf_fmt(&c->p->text, ":\n%s", text);
	return 0;
}

int
thread_check(struct change *c, struct err *e)
{
	const char *name = change_words(c, "name", 1, NAME_MOST, e);
	const char *channel = json_string(c->in, "channel");
	const char *message = json_string(c->in, "message");
	struct place p = {0};
	struct json *m = NULL;
	int result;

	if (!name || check_duration(c->in, e) < 0)
		return -1;
	if (message) {
		if (change_at(c, message, &p, e) < 0 ||
		    change_message(c, message, &p, &m, e) < 0)
			return -1;
	} else if (change_begin(c, channel ? live_id(channel, "<#") : 0, e) <
		       0 ||
		   change_place(c, "channel", &p, e) < 0) {
		return -1;
	}
	result = propose(c, &p, m, name, e);
	json_free(m);
	return result;
}
