/* edit_message */
#include <inttypes.h>
#include <stdio.h>

#include "core/buf.h"
#include "core/err.h"
#include "discord/compose.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "guild/change.h"
#include "guild/changes.h"
#include "guild/link.h"
#include "guild/seek.h"
#include "guild/told.h"
#include "record/call.h"
#include "tool/serve.h"

enum { TEXT_MOST = 2000, PATH = 128, COMPONENTS_V2 = 1 << 15 };

/* ---- check ---- */

/*
 * What people press buttons of must go on saying what it said; so what has
 * components is no message to be edited by a task.
 */
static int
check_own(const struct change *c, const struct place *p, const struct json *m,
    struct err *e)
{
	const struct json *thread = json_get(p->json, "thread_metadata");
	const struct json *author = json_get(m, "author");

	if (change_id(author, "id") != c->live->reading.bot)
		return err_set(e, ERR_REFUSED,
		    "Sophia can edit her own messages only, and this is one of "
		    "%.80s",
		    json_string(author, "username"));
	if (json_count(json_get(m, "components")) ||
	    (json_int(m, "flags", 0) & COMPONENTS_V2))
		return err_set(e, ERR_REFUSED,
		    "a message with buttons can't be edited");
	if (json_kind(json_get(m, "poll")) == JSON_OBJECT)
		return err_set(e, ERR_REFUSED, "a poll can't be edited");
	if (json_bool(thread, "archived", false))
		return err_set(e, ERR_REFUSED,
		    "#%.80s is archived: nothing in it can be edited", p->name);
	return 0;
}

static void
propose(struct change *c, const struct place *p, const struct json *m,
    const char *text)
{
	uint64_t id = change_id(m, "id");

	jsonw_id(&c->p->plan, "guild", c->live->id);
	jsonw_id(&c->p->plan, "channel", p->id);
	jsonw_str(&c->p->plan, "name", p->name);
	jsonw_id(&c->p->plan, "message", id);
	buf_fmt(&c->p->destination, "%" PRIu64, p->id);
	change_target_message(c, p, id, NULL);
	buf_fmt(&c->p->text, "edit message %" PRIu64 " in ", id);
	change_name(&c->p->text, "#", p->name, p->id);
	buf_fmt(&c->p->text, ", which says\n%s\nso that it says\n%s",
	    json_string(m, "content"), text);
}

int
edit_check(struct change *c, struct err *e)
{
	const char *text = change_words(c, "text", 1, TEXT_MOST, e);
	const char *name = json_string(c->in, "message");
	struct place p = {0};
	struct json *m;
	int result;

	if (!text || change_at(c, name, &p, e) < 0 ||
	    change_message(c, name, &p, &m, e) < 0)
		return -1;
	result = check_own(c, &p, m, e);
	if (result == 0)
		propose(c, &p, m, text);
	json_free(m);
	return result;
}

/* ---- act ---- */

static void
make_path(const struct change *c, char path[PATH])
{
	snprintf(path, PATH, "/channels/%" PRIu64 "/messages/%" PRIu64,
	    change_id(c->plan, "channel"), change_id(c->plan, "message"));
}

int
edit_act(struct change *c, struct err *e)
{
	const struct compose message = {.content = json_string(c->in, "text")};
	uint64_t guild = change_id(c->plan, "guild");
	uint64_t channel = change_id(c->plan, "channel");
	uint64_t id = change_id(c->plan, "message");
	struct buf body = {0};
	char path[PATH];
	const struct change_request r = {"PATCH", path, &body, false, NULL};
	int result;

	make_path(c, path);
	compose_write(&body, &message);
	result = change_send(c, &r, NULL, e);
	buf_release(&body);
	if (result < 0)
		return -1;
	jsonw_object(&c->a->data, NULL);
	told_message(&c->a->data, "message", guild, channel, id);
	told_channel(&c->a->data, "channel", channel,
	    json_string(c->plan, "name"));
	jsonw_end_object(&c->a->data);
	buf_fmt(&c->a->summary, "edited in <#%" PRIu64 ">: ", channel);
	link_write(&c->a->summary, guild, channel, id);
	return 0;
}

/* ---- verify ---- */

int
edit_verify(struct change *c, struct err *e)
{
	const char *wanted = json_string(c->in, "text"), *is;
	char path[PATH];
	struct json *m;
	int found;

	make_path(c, path);
	if ((found = live_find(c->live, path, &m, e)) < 0)
		return -1;
	is = json_string(m, "content");
	if (is && wanted && change_alike(is, wanted)) {
		buf_str(&c->seen, "the message says so now");
		found = SEEN_DONE;
	} else {
		buf_str(&c->seen, found ? "the message says something else"
					: "the message is gone");
		found = seek_late(c) ? SEEN_UNDONE : SEEN_NOTHING;
	}
	json_free(m);
	return found;
}
