/* create_thread: do it, and see whether it was done. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/buf.h"
#include "core/err.h"
#include "core/id.h"
#include "deliver/courier.h"
#include "discord/compose.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "guild/change.h"
#include "guild/changes.h"
#include "guild/mentions.h"
#include "guild/message.h"
#include "guild/seek.h"
#include "guild/told.h"
#include "record/call.h"
#include "record/community.h"
#include "store/receipt.h"
#include "tool/serve.h"

enum { PATH = 128 };

static void
write_text(struct change *c, struct buf *body, bool nonce)
{
	struct mentions m;
	struct compose message = {
	    .content = json_string(c->in, "text"),
	    .nonce = nonce ? c->call->nonce : NULL,
	};

	mentions_take(&m, c->plan, &message);
	compose_write(body, &message);
}

static void
write_thread(struct change *c, struct buf *body)
{
	int64_t hours = json_int(c->in, "archive_after_hours", 0);
	bool forum = json_bool(c->plan, "forum", false);
	struct buf post = {0};

	jsonw_object(body, NULL);
	jsonw_str(body, "name", json_string(c->in, "name"));
	if (hours)
		jsonw_int(body, "auto_archive_duration", hours * 60);
	if (forum) {
		write_text(c, &post, false);
		jsonw_value(body, "applied_tags", json_get(c->plan, "tags"));
		jsonw_raw(body, "message", buf_text(&post), post.len);
	} else if (!json_get(c->plan, "message")) {
		jsonw_int(body, "type", json_int(c->plan, "kind", -1));
	}
	jsonw_end_object(body);
	buf_release(&post);
}

static void
tell_thread(struct buf *to, const struct json *thread)
{
	jsonw_object(to, NULL);
	told_channel(to, "channel", change_id(thread, "id"),
	    json_string(thread, "name"));
	jsonw_end_object(to);
}

/* With what is sent to it afterwards. */
static bool
is_long(const struct change *c)
{
	bool said = json_get(c->in, "text") &&
		    !json_bool(c->plan, "forum", false);

	return said || json_get(c->plan, "member");
}

static int
open_thread(struct change *c, uint64_t *id, struct err *e)
{
	const char *message = json_string(c->plan, "message");
	struct buf body = {0};
	char path[PATH];
	const struct change_request r = {"POST", path, &body, false, NULL};
	struct json *thread = NULL;
	int result;

	snprintf(path, sizeof(path), "/channels/%" PRIu64 "%s%.20s/threads",
	    change_id(c->plan, "channel"), message ? "/messages/" : "",
	    message ? message : "");
	write_thread(c, &body);
	if (is_long(c))
		result = change_send_part(c, "create the thread", &r, &thread,
		    tell_thread, e);
	else
		result = change_send(c, &r, &thread, e);
	*id = change_id(thread, "id");
	json_free(thread);
	buf_release(&body);
	if (result == 0 && !*id)
		return err_set(e, ERR_UNKNOWN,
		    "Discord's answer names no thread");
	return result;
}

/* Whoever asked has to be in a private one to see it. */
static int
let_in(struct change *c, uint64_t thread, struct err *e)
{
	char path[PATH];
	const struct change_request r = {"PUT", path, NULL, false, NULL};

	snprintf(path, sizeof(path),
	    "/channels/%" PRIu64 "/thread-members/%.20s", thread,
	    json_string(c->plan, "member"));
	return change_send_part(c, "let in whoever asked", &r, NULL, NULL, e);
}

static int
say_first(struct change *c, uint64_t thread, struct err *e)
{
	struct buf body = {0};
	char path[PATH];
	const struct change_request r = {"POST", path, &body, false, NULL};
	int result;

	snprintf(path, sizeof(path), "/channels/%" PRIu64 "/messages", thread);
	write_text(c, &body, true);
	result = change_send_part(c, "send its first message", &r, NULL,
	    message_tell, e);
	buf_release(&body);
	return result;
}

int
thread_act(struct change *c, struct err *e)
{
	bool forum = json_bool(c->plan, "forum", false);
	uint64_t id;
	int result;

	if (open_thread(c, &id, e) < 0)
		return -1;
	jsonw_object(&c->a->data, NULL);
	told_channel(&c->a->data, "channel", id, json_string(c->in, "name"));
	jsonw_end_object(&c->a->data);
	buf_fmt(&c->a->summary, "created the thread <#%" PRIu64 ">", id);
	result = json_get(c->plan, "member") ? let_in(c, id, e) : 0;
	if (result == 0 && json_get(c->in, "text") && !forum)
		result = say_first(c, id, e);
	return result < 0 ? change_stop(c, true, e) : 0;
}

/* ---- verify ---- */

/* Made by us, of that name, there, since then. */
static bool
is_it(struct change *c, const struct json *thread)
{
	const char *name = json_string(thread, "name");
	const char *wanted = json_string(c->in, "name");
	uint64_t id = change_id(thread, "id");

	return name && wanted && strcmp(name, wanted) == 0 &&
	       change_id(thread, "parent_id") ==
		   change_id(c->plan, "channel") &&
	       change_id(thread, "owner_id") == c->live->reading.bot &&
	       id >= snowflake_first(c->receipt->intent_ms - COURIER_SKEW_MS);
}

/* Among those that are active: 1 and *id, 0, or -1. */
static int
find_active(struct change *c, uint64_t *id, struct err *e)
{
	struct json *list;
	char path[PATH];
	int found = 0;

	snprintf(path, sizeof(path), "/guilds/%" PRIu64 "/threads/active",
	    change_id(c->plan, "guild"));
	if (live_self(c->live, e) < 0 || live_get(c->live, path, &list, e) < 0)
		return -1;
	for (const struct json *v = json_first(json_get(list, "threads")); v;
	     v = json_next(v)) {
		char text[24];
		int known;

		if (!is_it(c, v))
			continue;
		snprintf(text, sizeof(text), "%" PRIu64, change_id(v, "id"));
		known = seek_known(c, text, e);
		if (known < 0)
			found = -1;
		if (known != 0)
			continue;
		*id = change_id(v, "id");
		found = 1;
	}
	json_free(list);
	return found;
}

/* The one that the first request made, if that is known. */
static uint64_t
known_thread(const struct change *c)
{
	const struct json *outcome = json_get(json_first(c->parts), "outcome");

	return change_id(json_get(outcome, "channel"), "id");
}

/* The thread of a message has its id. */
static int
find_thread(struct change *c, uint64_t *id, struct err *e)
{
	struct json *thread;
	char path[PATH];
	int found;

	*id = change_id(c->plan, "message");
	if (!*id)
		*id = known_thread(c);
	if (!*id)
		return find_active(c, id, e);
	snprintf(path, sizeof(path), "/channels/%" PRIu64, *id);
	found = live_find(c->live, path, &thread, e);
	json_free(thread);
	return found;
}

static int
find_asker(struct change *c, uint64_t thread, struct err *e)
{
	struct json *member;
	char path[PATH];
	int found;

	snprintf(path, sizeof(path),
	    "/channels/%" PRIu64 "/thread-members/%.20s", thread,
	    json_string(c->plan, "member"));
	found = live_find(c->live, path, &member, e);
	json_free(member);
	if (found == 0)
		buf_str(&c->seen, ", but whoever asked is not in it");
	return found < 0 ? -1 : found ? SEEN_DONE : SEEN_NOTHING;
}

/* What was to be said in it. */
static int
find_first(struct change *c, uint64_t thread, struct err *e)
{
	const struct seek s = {
	    .guild = change_id(c->plan, "guild"),
	    .channel = thread,
	    .text = json_string(c->in, "text"),
	};
	int seen;

	buf_str(&c->seen, ", and ");
	seen = seek_message(c, &s, e);
	return seen == SEEN_UNDONE ? SEEN_NOTHING : seen;
}

int
thread_verify(struct change *c, struct err *e)
{
	bool forum = json_bool(c->plan, "forum", false);
	uint64_t id;
	int found = find_thread(c, &id, e), seen = SEEN_DONE;

	if (found < 0)
		return -1;
	if (!found) {
		buf_str(&c->seen, "there is no such thread");
		return seek_late(c) ? SEEN_UNDONE : SEEN_NOTHING;
	}
	buf_fmt(&c->seen, "the thread is there: <#%" PRIu64 ">", id);
	if (json_get(c->plan, "member"))
		seen = find_asker(c, id, e);
	if (seen == SEEN_DONE && json_get(c->in, "text") && !forum)
		seen = find_first(c, id, e);
	return seen;
}
