#include "access/concern.h"

#include "access/decide.h"
#include "core/id.h"
#include "store/policy.h"

static bool
has_place(const struct access_target *t)
{
	return t->kind == ACCESS_CHANNEL || t->kind == ACCESS_MESSAGE;
}

/* What bears no id of Discord's may be anything. */
static bool
is_named(const struct access_target *t)
{
	uint64_t id;

	return t->id && snowflake_read(&id, t->id) == 0;
}

static bool
is_it(const struct access_target *t, const char *channel)
{
	return t->kind == ACCESS_CHANNEL && standing_same(t->id, channel);
}

static enum standing
touches(const struct access_target *t, const char *channel)
{
	if (!has_place(t))
		return STANDING_NO;
	if (is_it(t, channel) || standing_in(channel, &t->above) ||
	    standing_in(channel, &t->below))
		return STANDING_YES;
	return t->placed && is_named(t) ? STANDING_NO : STANDING_MAYBE;
}

static enum standing
any_touches(const struct access_question *q, const char *channel)
{
	enum standing most = STANDING_NO;

	for (size_t i = 0; i < q->target_count; i++) {
		const enum standing is = touches(&q->targets[i], channel);

		most = is > most ? is : most;
	}
	return most;
}

enum standing
concern_touches(const struct access_question *q, const char *channel)
{
	return standing_same(q->location.channel, channel)
		   ? STANDING_YES
		   : any_touches(q, channel);
}

bool
concern_only(const struct access_question *q, const char *channel)
{
	for (size_t i = 0; i < q->target_count; i++) {
		const struct access_target *t = &q->targets[i];

		if (!has_place(t) ||
		    !(is_it(t, channel) || standing_in(channel, &t->above)))
			return false;
	}
	return q->target_count || standing_same(q->location.channel, channel);
}

static enum standing
has_role(const struct access_question *q, const char *role)
{
	enum standing most = STANDING_NO;

	for (size_t i = 0; i < q->target_count; i++) {
		const struct access_target *t = &q->targets[i];

		if (t->kind != ACCESS_ROLE)
			continue;
		if (standing_same(t->id, role))
			return STANDING_YES;
		if (!is_named(t))
			most = STANDING_MAYBE;
	}
	return most;
}

enum standing
concern_protected(const struct access_question *q, const struct policy_place *p)
{
	const char *guild = standing_guild(q);
	enum standing is;

	if (p->role)
		is = has_role(q, p->role);
	else
		is = any_touches(q, p->channel);
	if (is == STANDING_YES)
		return is;
	if (guild && !standing_same(p->guild, guild))
		return STANDING_NO;
	return q->target_count || q->early ? is : STANDING_MAYBE;
}
