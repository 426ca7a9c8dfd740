#include "access/standing.h"

#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include "access/decide.h"
#include "access/operator.h"
#include "core/id.h"
#include "store/policy.h"
#include "store/settings.h"

void
standing_note(struct buf *why, const char *fmt, ...)
{
	va_list ap;

	if (!why)
		return;
	va_start(ap, fmt);
	buf_vfmt(why, fmt, ap);
	va_end(ap);
	buf_char(why, '\n');
}

static bool
is_local(const char *actor)
{
	return actor && strcmp(actor, "local") == 0;
}

bool
standing_operator(const char *actor)
{
	return is_local(actor) || operator_is(actor);
}

bool
standing_same(const char *a, const char *b)
{
	uint64_t x, y;

	return snowflake_read(&x, a) == 0 && snowflake_read(&y, b) == 0 &&
	       x == y;
}

bool
standing_in(const char *id, const struct access_ids *ids)
{
	for (size_t i = 0; i < ids->count; i++)
		if (standing_same(id, ids->at[i]))
			return true;
	return false;
}

const char *
standing_guild(const struct access_question *q)
{
	return q->guild                             ? q->guild
	       : q->location.kind == LOCATION_GUILD ? q->location.guild
						    : NULL;
}

/* Everybody has the role that has the id of its guild. */
static enum standing
has_role(const struct access_question *q, const char *role)
{
	if (is_local(q->actor))
		return STANDING_NO;
	if (!q->roles.known)
		return STANDING_MAYBE;
	return standing_same(role, standing_guild(q)) ||
		       standing_in(role, &q->roles.ids)
		   ? STANDING_YES
		   : STANDING_NO;
}

enum standing
standing_among(const struct access_question *q, const char *user,
    const char *role, const char *guild)
{
	if (guild && !standing_same(guild, standing_guild(q)))
		return STANDING_NO;
	if (user && !standing_same(user, q->actor))
		return STANDING_NO;
	return role ? has_role(q, role) : STANDING_YES;
}

static bool
listed(const struct settings *s, const char *name, const char *id)
{
	const char *one;

	for (int i = 0; (one = settings_id(s, name, i)) != NULL; i++)
		if (standing_same(one, id))
			return true;
	return false;
}

bool
standing_enabled(const struct settings *s, const char *guild)
{
	return listed(s, "discord.guilds", guild);
}

static bool
is_guild_open(const struct access_question *q, const char *guild,
    struct buf *why)
{
	if (standing_enabled(q->settings, guild))
		return true;
	standing_note(why, "server %s is not in discord.guilds",
	    guild ? guild : "?");
	return false;
}

static bool
is_here_open(const struct access_question *q, struct buf *why)
{
	switch (q->location.kind) {
	case LOCATION_GUILD: return is_guild_open(q, q->location.guild, why);
	case LOCATION_LOCAL:
		if (is_local(q->actor))
			return true;
		standing_note(why, "only the person at the machine is there");
		return false;
	case LOCATION_DM:
		if (strcmp(settings_text(q->settings, "discord.dms"), "on") ==
		    0)
			return true;
		standing_note(why, "direct messages are not switched on");
		return false;
	}
	return false;
}

bool
standing_open(const struct access_question *q, struct buf *why)
{
	return is_here_open(q, why) &&
	       (!q->guild || is_guild_open(q, q->guild, why));
}

/* "*" is about the guilds: it lets nobody write directly. */
static bool
is_listed(const struct access_question *q)
{
	const char *one;

	if (listed(q->settings, "discord.users", q->actor))
		return true;
	for (int i = 0;
	     q->location.kind == LOCATION_GUILD &&
	     (one = settings_id(q->settings, "discord.users", i)) != NULL;
	     i++)
		if (strcmp(one, "*") == 0)
			return true;
	return false;
}

static enum standing
more(enum standing a, enum standing b)
{
	return a > b ? a : b;
}

static enum standing
by_grant(const struct access_question *q)
{
	const struct json *at = NULL;
	enum standing best = STANDING_NO;
	struct policy_grant g;

	while (policy_grant(q->settings, &at, &g))
		if (!g.until_ms || g.until_ms > q->now_ms)
			best = more(best,
			    standing_among(q, g.user, g.role, g.guild));
	return best;
}

static enum standing
by_office(const struct access_question *q)
{
	const struct json *at = NULL;
	enum standing best = STANDING_NO;
	struct policy_place p;

	while (policy_moderator(q->settings, &at, &p))
		best = more(best, standing_among(q, p.user, p.role, p.guild));
	return best;
}

enum standing
standing_admitted(const struct access_question *q, struct buf *why)
{
	enum standing is;
	uint64_t id;

	if (standing_operator(q->actor)) {
		standing_note(why, "%s is an operator", q->actor);
		return STANDING_YES;
	}
	if (!q->actor || snowflake_read(&id, q->actor) < 0) {
		standing_note(why, "whoever asks has no id");
		return STANDING_NO;
	}
	if (is_listed(q)) {
		standing_note(why, "%s is let in by discord.users", q->actor);
		return STANDING_YES;
	}
	is = more(by_grant(q), by_office(q));
	standing_note(why,
	    is == STANDING_YES ? "%s is let in by a grant, or as a moderator"
	    : is == STANDING_MAYBE
		? "%s is let in if a role of theirs is, but their roles aren't "
		  "known"
		: "%s is not let in: not in discord.users, without a grant "
		  "here, no moderator",
	    q->actor);
	return is;
}
