#include "access/listing.h"

#include <string.h>

#include "access/operator.h"
#include "access/standing.h"
#include "core/buf.h"
#include "core/clock.h"
#include "ext/jsonw.h"
#include "store/policy.h"
#include "store/settings.h"

static void
begin(struct buf *b, const char *kind)
{
	jsonw_object(b, NULL);
	jsonw_str(b, "type", "policy");
	jsonw_str(b, "kind", kind);
}

/* " role 5", or as a mention of what is one; nothing without an id. */
static void
say(struct buf *b, const struct listing *l, const char *what, const char *id)
{
	static const struct {
		const char *what, *before;
	} known[] = {{"user", "<@"}, {"role", "<@&"}, {"channel", "<#"}};

	if (!id)
		return;
	buf_fmt(b, "%s%s ", b->len && b->data[b->len - 1] != '\n' ? " " : "",
	    what);
	for (size_t i = 0; l->mentions && i < 3; i++)
		if (strcmp(known[i].what, what) == 0 && *id != '*') {
			buf_fmt(b, "%s%s>", known[i].before, id);
			return;
		}
	buf_str(b, id);
}

/* One that is no more than an id: its record, or `text` with the id. */
static void
put_id(struct buf *b, const struct listing *l, const char *kind,
    const char *key, const char *id, const char *text)
{
	if (!l->json) {
		say(b, l, strcmp(key, "guild") == 0 ? "server" : key, id);
		buf_fmt(b, "%s\n", text);
		return;
	}
	begin(b, kind);
	jsonw_str(b, key, id);
	jsonw_line(b);
}

static int
put_places(struct buf *b, const struct listing *l)
{
	const bool dms = strcmp(settings_text(l->settings, "discord.dms"),
			     "on") == 0;
	const char *id;
	int n = 1;

	for (int i = 0;
	     (id = settings_id(l->settings, "discord.guilds", i)) != NULL; i++)
		if (!l->guild || standing_same(id, l->guild)) {
			put_id(b, l, "server", "guild", id, " is enabled");
			n++;
		}
	if (l->json) {
		begin(b, "direct");
		jsonw_bool(b, "on", dms);
		jsonw_line(b);
	} else {
		buf_fmt(b, "direct messages are %s\n", dms ? "on" : "off");
	}
	for (int i = 0;
	     (id = settings_id(l->settings, "discord.users", i)) != NULL; i++) {
		if (!l->json && strcmp(id, "*") == 0)
			buf_str(b, "everybody in an enabled server may ask\n");
		else
			put_id(b, l, "person", "user", id, " may ask");
		n++;
	}
	return n;
}

static int
put_operators(struct buf *b, const struct listing *l)
{
	char id[OPERATOR_ID];
	int n = 0;

	for (const char *at = NULL; operator_next(&at, id); n++)
		put_id(b, l, "operator", "user", id, " is an operator");
	return n;
}

static bool
is_there(const struct listing *l, const char *guild)
{
	return !l->guild || !guild || standing_same(guild, l->guild);
}

static void
write_origin(struct buf *b, const char *by, int64_t at_ms)
{
	jsonw_str(b, "by", by);
	jsonw_time(b, "at", at_ms);
	jsonw_line(b);
}

static void
say_origin(struct buf *b, const char *by, int64_t at_ms)
{
	char at[CLOCK_TEXT];

	clock_text(at, at_ms);
	buf_fmt(b, " (by %s, %.10s)\n", by, at);
}

static void
write_grant(struct buf *b, const struct policy_grant *g, bool ended)
{
	begin(b, "grant");
	jsonw_opt(b, "user", g->user);
	jsonw_opt(b, "role", g->role);
	jsonw_opt(b, "guild", g->guild);
	jsonw_str(b, "tier", tier_word(g->tier));
	jsonw_str(b, "mode", g->automatic ? "auto" : "ask");
	if (g->until_ms)
		jsonw_time(b, "until", g->until_ms);
	jsonw_bool(b, "ended", ended);
	write_origin(b, g->by, g->at_ms);
}

static void
say_grant(struct buf *b, const struct listing *l, const struct policy_grant *g,
    bool ended)
{
	char until[CLOCK_TEXT];

	buf_str(b, "grant to");
	say(b, l, "user", g->user);
	say(b, l, "role", g->role);
	say(b, l, "in server", g->guild);
	buf_fmt(b, "%s: %s, %s", g->guild ? "" : " everywhere",
	    tier_word(g->tier), g->automatic ? "auto" : "ask");
	if (g->until_ms) {
		clock_text(until, g->until_ms);
		buf_fmt(b, ", %s %s", ended ? "ended" : "until", until);
	}
	say_origin(b, g->by, g->at_ms);
}

static int
put_grants(struct buf *b, const struct listing *l)
{
	const struct json *at = NULL;
	struct policy_grant g;
	int n = 0;

	while (policy_grant(l->settings, &at, &g)) {
		const bool ended = g.until_ms && g.until_ms <= l->now_ms;

		if (!is_there(l, g.guild))
			continue;
		if (l->json)
			write_grant(b, &g, ended);
		else
			say_grant(b, l, &g, ended);
		n++;
	}
	return n;
}

static void
write_rule(struct buf *b, const struct policy_rule *r)
{
	begin(b, "rule");
	jsonw_str(b, "effect", policy_effect_word(r->effect));
	jsonw_opt(b, "capability", r->capability);
	if (!r->capability)
		jsonw_str(b, "tier", tier_word(r->tier));
	jsonw_opt(b, "user", r->user);
	jsonw_opt(b, "role", r->role);
	jsonw_opt(b, "guild", r->guild);
	jsonw_opt(b, "channel", r->channel);
	write_origin(b, r->by, r->at_ms);
}

static void
say_rule(struct buf *b, const struct listing *l, const struct policy_rule *r)
{
	buf_fmt(b, "rule: %s %s%s", policy_effect_word(r->effect),
	    r->capability ? r->capability : tier_word(r->tier),
	    r->capability ? "" : " calls");
	buf_str(b, r->user || r->role ? " of" : "");
	say(b, l, "user", r->user);
	say(b, l, "role", r->role);
	say(b, l, "in server", r->guild);
	buf_str(b, r->channel ? " in" : "");
	say(b, l, "channel", r->channel);
	say_origin(b, r->by, r->at_ms);
}

static int
put_rules(struct buf *b, const struct listing *l)
{
	const struct json *at = NULL;
	struct policy_rule r;
	int n = 0;

	while (policy_rule(l->settings, &at, &r))
		if (is_there(l, r.guild)) {
			if (l->json)
				write_rule(b, &r);
			else
				say_rule(b, l, &r);
			n++;
		}
	return n;
}

static void
put_place(struct buf *b, const struct listing *l, const char *kind,
    const struct policy_place *p)
{
	if (!l->json) {
		buf_str(b, kind);
		say(b, l, "channel", p->channel);
		say(b, l, "role", p->role);
		say(b, l, "user", p->user);
		say(b, l, "in server", p->guild);
		say_origin(b, p->by, p->at_ms);
		return;
	}
	begin(b, kind);
	jsonw_opt(b, "channel", p->channel);
	jsonw_opt(b, "role", p->role);
	jsonw_opt(b, "user", p->user);
	jsonw_str(b, "guild", p->guild);
	write_origin(b, p->by, p->at_ms);
}

static int
put_list(struct buf *b, const struct listing *l, const char *kind,
    bool (*next)(const struct settings *, const struct json **,
	struct policy_place *))
{
	const struct json *at = NULL;
	struct policy_place p;
	int n = 0;

	while (next(l->settings, &at, &p))
		if (is_there(l, p.guild)) {
			put_place(b, l, kind, &p);
			n++;
		}
	return n;
}

int
listing_write(struct buf *b, const struct listing *l)
{
	int n = 0;

	if (l->parts & LISTING_PLACES)
		n += put_places(b, l);
	if (l->parts & LISTING_OPERATORS)
		n += put_operators(b, l);
	if (l->parts & LISTING_GRANTS)
		n += put_grants(b, l);
	if (l->parts & LISTING_RULES)
		n += put_rules(b, l);
	if (l->parts & LISTING_PROTECTED)
		n += put_list(b, l, "protected", policy_protected);
	if (l->parts & LISTING_MODERATORS)
		n += put_list(b, l, "moderator", policy_moderator);
	return n;
}
