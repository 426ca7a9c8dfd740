/* What checks have in common. */
#include <inttypes.h>

#include "core/err.h"
#include "core/utf8.h"
#include "discord/parts.h"
#include "discord/permits.h"
#include "ext/json.h"
#include "guild/change.h"
#include "guild/link.h"
#include "record/call.h"
#include "tool/serve.h"

enum { NAME_SHOWN = 120 };

int
change_begin(struct change *c, uint64_t also, struct err *e)
{
	if (live_begin(c->live, c->call, also, e) < 0)
		return -1;
	buf_clear(&c->p->guild);
	buf_fmt(&c->p->guild, "%" PRIu64, c->live->id);
	return 0;
}

static int
fill_place(struct change *c, uint64_t id, struct place *p, struct err *e)
{
	const struct realm_channel *r = realm_channel(&c->live->realm, id);
	int got = 0;

	*p = (struct place){
	    .id = id,
	    .json = live_channel(c->live, id),
	};
	p->kind = json_int(p->json, "type", -1);
	p->name = json_string(p->json, "name");
	p->name = p->name ? p->name : "";
	if (r)
		got = realm_bits(&c->live->realm, c->live->reading.bot, r,
		    &p->bits, e);
	if (got == 0)
		return err_set(e, ERR_REFUSED,
		    "it isn't known what Sophia may do in #%.80s", p->name);
	return got < 0 ? -1 : 0;
}

int
change_place(struct change *c, const char *key, struct place *p, struct err *e)
{
	const char *name = json_string(c->in, key);
	uint64_t id;

	if (!name)
		name = c->call->context.location.channel;
	if (!name)
		return err_set(e, ERR_INPUT, "%s is missing", key);
	if (live_name_channel(c->live, name, &id, e) < 0)
		return -1;
	return fill_place(c, id, p, e);
}

int
change_at(struct change *c, const char *message, struct place *p, struct err *e)
{
	const char *channel = json_string(c->in, "channel");
	struct link at;

	link_read(&at, message);
	if (!at.message)
		return err_set(e, ERR_INPUT, "'%.120s' is no link or id",
		    message ? message : "");
	if (change_begin(c, channel ? live_id(channel, "<#") : at.channel, e) <
	    0)
		return -1;
	return at.channel && !channel ? 0 : change_place(c, "channel", p, e);
}

/* In the same words, be it hidden, or gone, or never there. */
static int
no_message(const char *text, struct err *e)
{
	return err_set(e, ERR_INPUT, "no message '%.120s'", text);
}

/* Where the link says, or where p is: 1, 0 unless they may read it, or -1. */
static int
find_place(struct change *c, const struct link *at, struct place *p,
    struct err *e)
{
	uint64_t id = at->channel ? at->channel : p->id;
	int may;

	if (!at->message || !id || (p->id && p->id != id))
		return 0;
	if ((may = live_may(c->live, id, true, e)) <= 0)
		return may;
	return p->id || fill_place(c, id, p, e) == 0 ? 1 : -1;
}

int
change_message(struct change *c, const char *text, struct place *p,
    struct json **m, struct err *e)
{
	char path[96];
	struct link at;
	int found;

	*m = NULL;
	link_read(&at, text);
	if ((found = find_place(c, &at, p, e)) <= 0)
		return found < 0 ? -1 : no_message(text, e);
	if (change_need(p, PERMIT_VIEW | PERMIT_HISTORY, e) < 0)
		return -1;
	snprintf(path, sizeof(path), "/channels/%" PRIu64 "/messages/%" PRIu64,
	    p->id, at.message);
	if ((found = live_find(c->live, path, m, e)) < 0)
		return -1;
	return found ? 0 : no_message(text, e);
}

/* ---- permissions ---- */

static int
lacks(uint64_t missing, const char *where, struct err *e)
{
	struct buf names = {.limit = 300};
	int result;

	for (int i = 0; i < PERMITS; i++)
		if ((missing & UINT64_C(1) << i) && permit_name(i))
			buf_fmt(&names, "%s%s", names.len ? ", " : "",
			    permit_name(i));
	result = err_set(e, ERR_REFUSED, "Sophia lacks %s in %.100s",
	    buf_text(&names), where);
	buf_release(&names);
	return result;
}

int
change_need_guild(struct change *c, uint64_t bits, struct err *e)
{
	struct realm *r = &c->live->realm;
	struct buf where = {0};
	uint64_t has;
	int got = realm_guild_bits(r, c->live->reading.bot, &has, e);

	if (got >= 0 && (bits & ~has)) {
		change_name(&where, "", json_string(c->live->guild, "name"),
		    c->live->id);
		got = lacks(bits & ~has, buf_text(&where), e);
		buf_release(&where);
	}
	return got < 0 ? -1 : 0;
}

int
change_need(const struct place *p, uint64_t bits, struct err *e)
{
	struct buf where = {0};
	int result = 0;

	if (bits & ~p->bits) {
		change_name(&where, "#", p->name, p->id);
		result = lacks(bits & ~p->bits, buf_text(&where), e);
	}
	buf_release(&where);
	return result;
}

void
change_name(struct buf *b, const char *mark, const char *name, uint64_t id)
{
	char shown[NAME_SHOWN];

	utf8_tame(shown, sizeof(shown), name ? name : "");
	buf_fmt(b, "%s%s (%" PRIu64 ")", mark, shown, id);
}
