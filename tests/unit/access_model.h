#ifndef ACCESS_MODEL_H
#define ACCESS_MODEL_H
/*
 * access_model - policies and questions at random, and a model of what is to be
 * decided, written from the description of the policy alone: nothing of
 * lib/access is called. What isn't known (roles, where a channel lies) is taken
 * for the worst that could be: the model tries all of it.
 */

#include <stdbool.h>
#include <stdint.h>

#include "access/decide.h" /* for the numbers of kinds and tiers */

enum {
	GRANTS = 4,
	RULES = 4,
	PROTECTED = 2,
	MODERATORS = 2,
	TARGETS = 2,
	NOBODY = 0,
	LOCAL = 10, /* the person at the machine; others are 11 to 13 */
	USERS = 4,
	OUTSIDER = 32, /* no member: has no role at all */
};

enum { DENY, ASK, ALLOW };

/* Guild 1 has a category with a channel that has a thread, and one more; a
 * channel without one. Guild 2 has a category with a channel. */
static const int parents[] = {
    [50] = 0, [51] = 50, [52] = 50, [53] = 51, [54] = 0, [60] = 0, [61] = 60};
static const int channels[] = {50, 51, 52, 53, 54, 60, 61};
enum { CHANNELS = 7 };
static const int roles[] = {31, 32, 41, 42}; /* two of each guild */

static int
guild_of(int id)
{
	return id >= 60 ? 2 : id >= 50 ? 1 : id >= 41 ? 2 : 1;
}

struct given {
	int user, role, guild, tier;
	bool automatic, ended;
};

struct ruled {
	int effect, name, tier, user, role, guild, channel;
};

struct named {
	int guild, channel, role, user;
};

struct world {
	bool enabled[4], dms, star, listed[20], operators[20];
	struct given grants[GRANTS];
	struct ruled rules[RULES];
	struct named guarded[PROTECTED], mods[MODERATORS];
	int grant_count, rule_count, guarded_count, mod_count;
};

struct touched {
	int kind, id, channel; /* of a message: the channel that it is in */
	bool placed;
};

struct asked {
	int actor, place, here, channel, guild, name, tier;
	struct touched at[TARGETS];
	int count;
	bool early, strict, corrected, known;
	unsigned roles; /* bits, by roles[]; or OUTSIDER */
};

/* ---- chance ---- */

static uint64_t state = 88172645463325252u;

static int
pick(int n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (int)(state % (uint64_t)n);
}

static bool
rarely(int n)
{
	return pick(n) == 0;
}

static int
some_user(void)
{
	return LOCAL + 1 + pick(USERS - 1);
}

static int
role_of(int guild)
{
	return rarely(5) ? guild : roles[(guild - 1) * 2 + pick(2)];
}

static int
channel_of(int guild)
{
	return guild == 1 ? channels[pick(5)] : channels[5 + pick(2)];
}

static struct given
new_grant(void)
{
	struct given g = {.tier = (int[]){TIER_READ, TIER_WRITE,
			      TIER_DESTRUCTIVE, TIER_DESTRUCTIVE}[pick(4)],
	    .automatic = rarely(2),
	    .ended = rarely(6),
	    .guild = 1 + pick(2)};

	if (rarely(2))
		g.role = role_of(g.guild);
	else
		g.user = some_user();
	if (g.user && rarely(3))
		g.guild = 0;
	return g;
}

static struct ruled
new_rule(void)
{
	struct ruled r = {.effect = pick(3),
	    .name = rarely(2) ? 1 + pick(4) : 0,
	    .tier = pick(4),
	    .guild = rarely(3) ? 0 : 1 + pick(2)};

	if (rarely(3))
		r.user = some_user();
	else if (r.guild && rarely(2))
		r.role = role_of(r.guild);
	if (r.guild && rarely(3))
		r.channel = channel_of(r.guild);
	return r;
}

static void
new_world(struct world *w)
{
	*w = (struct world){.dms = !rarely(3), .star = rarely(3)};
	w->enabled[1] = !rarely(8);
	w->enabled[2] = !rarely(4);
	for (int u = LOCAL + 1; u < LOCAL + USERS; u++) {
		w->listed[u] = rarely(3);
		w->operators[u] = rarely(5);
	}
	for (w->grant_count = 0; w->grant_count < pick(GRANTS + 1);)
		w->grants[w->grant_count++] = new_grant();
	for (w->rule_count = 0; w->rule_count < pick(RULES + 1);)
		w->rules[w->rule_count++] = new_rule();
	for (int i = 0; i < pick(PROTECTED + 1); i++) {
		struct named *p = &w->guarded[w->guarded_count++];

		p->guild = 1 + pick(2);
		if (rarely(3))
			p->role = role_of(p->guild);
		else
			p->channel = channel_of(p->guild);
	}
	for (int i = 0; i < pick(MODERATORS + 1); i++) {
		struct named *m = &w->mods[w->mod_count++];

		m->guild = 1 + pick(2);
		if (rarely(2))
			m->role = role_of(m->guild);
		else
			m->user = some_user();
	}
}

static struct touched
new_target(int guild)
{
	struct touched t = {.kind = pick(5), .placed = !rarely(4)};

	switch (t.kind) {
	case ACCESS_CHANNEL: t.id = channel_of(guild); break;
	case ACCESS_ROLE: t.id = role_of(guild); break;
	case ACCESS_MEMBER: t.id = some_user(); break;
	case ACCESS_MESSAGE:
		t.id = 99;
		t.channel = channel_of(guild);
		break;
	default: t.id = 77; break;
	}
	return t;
}

static void
new_question(struct asked *q)
{
	*q = (struct asked){.actor = rarely(8) ? LOCAL : some_user(),
	    .place = rarely(6)   ? LOCATION_DM
		     : rarely(8) ? LOCATION_LOCAL
				 : LOCATION_GUILD,
	    .name = 1 + pick(4),
	    .tier = rarely(2) ? TIER_DESTRUCTIVE : pick(4),
	    .early = rarely(5),
	    .strict = rarely(6),
	    .corrected = rarely(8),
	    .known = !rarely(4),
	    .roles = (unsigned)pick(16)};
	if (q->actor == LOCAL && !rarely(5))
		q->place = LOCATION_LOCAL;
	if (q->place == LOCATION_GUILD) {
		q->here = 1 + pick(2);
		q->channel = channel_of(q->here);
	}
	if (rarely(5) || (q->place != LOCATION_GUILD && !rarely(4)))
		q->guild = 1 + pick(2);
	q->count = q->early ? 0 : pick(TARGETS + 1);
	for (int i = 0; i < q->count; i++)
		q->at[i] = new_target(q->guild  ? q->guild
				      : q->here ? q->here
						: 1);
}

/* ---- the model ---- */

/* One way in which what isn't known may be. */
struct guess {
	unsigned roles;
	int near[TARGETS]; /* a channel that the target is in or around; or 0 */
};

static int
where(const struct asked *q)
{
	return q->guild ? q->guild : q->here;
}

static bool
has_role(const struct asked *q, const struct guess *x, int role)
{
	if (q->actor == LOCAL || x->roles == OUTSIDER)
		return false;
	if (role == where(q))
		return true;
	for (int i = 0; i < 4; i++)
		if (roles[i] == role && guild_of(role) == where(q))
			return x->roles >> i & 1;
	return false;
}

static bool
is_about(const struct asked *q, const struct guess *x, int user, int role,
    int guild)
{
	return (!guild || guild == where(q)) && (!user || user == q->actor) &&
	       (!role || has_role(q, x, role));
}

static bool
is_open(const struct world *w, const struct asked *q)
{
	if (q->place == LOCATION_LOCAL && q->actor != LOCAL)
		return false;
	if (q->place == LOCATION_DM && !w->dms)
		return false;
	if (q->place == LOCATION_GUILD && !w->enabled[q->here])
		return false;
	return !q->guild || w->enabled[q->guild];
}

static bool
is_in(const struct world *w, const struct asked *q, const struct guess *x)
{
	bool in = q->actor == LOCAL || w->operators[q->actor] ||
		  w->listed[q->actor] ||
		  (w->star && q->place == LOCATION_GUILD);

	for (int i = 0; i < w->grant_count; i++)
		in |= !w->grants[i].ended &&
		      is_about(q, x, w->grants[i].user, w->grants[i].role,
			  w->grants[i].guild);
	for (int i = 0; i < w->mod_count; i++)
		in |= is_about(q, x, w->mods[i].user, w->mods[i].role,
		    w->mods[i].guild);
	return in;
}

/* Is b in a, at any depth? */
static bool
holds(int a, int b)
{
	while (b && b != a)
		b = parents[b];
	return b == a;
}

static bool
touches(const struct asked *q, const struct guess *x, int channel)
{
	for (int i = 0; i < q->count; i++) {
		const struct touched *t = &q->at[i];

		if (x->near[i] == channel)
			return true;
		if (t->kind == ACCESS_MESSAGE &&
		    (t->channel == channel ||
			(t->placed && holds(channel, t->channel))))
			return true;
		if (t->kind == ACCESS_CHANNEL &&
		    (t->id == channel ||
			(t->placed &&
			    (holds(channel, t->id) || holds(t->id, channel)))))
			return true;
	}
	return false;
}

/* Is all that is changed the channel, or in it? */
static bool
touches_only(const struct asked *q, const struct guess *x, int channel)
{
	(void)x;
	for (int i = 0; i < q->count; i++) {
		const struct touched *t = &q->at[i];
		const int in = t->kind == ACCESS_MESSAGE   ? t->channel
			       : t->kind == ACCESS_CHANNEL ? t->id
							   : NOBODY;

		if (!in ||
		    (in != channel && !(t->placed && holds(channel, in))))
			return false;
	}
	return q->count || q->channel == channel;
}

static int
tier_of_call(const struct asked *q)
{
	/* delete_channel, move_channel */
	return q->name == 2 || q->name == 4 ? TIER_DESTRUCTIVE : q->tier;
}

static bool
is_guarded(const struct world *w, const struct asked *q, const struct guess *x)
{
	for (int i = 0; i < w->guarded_count; i++) {
		const struct named *p = &w->guarded[i];

		if (p->channel && touches(q, x, p->channel))
			return true;
		for (int j = 0; p->role && j < q->count; j++)
			if (q->at[j].kind == ACCESS_ROLE &&
			    q->at[j].id == p->role)
				return true;
		if (!q->count && !q->early &&
		    (!where(q) || p->guild == where(q)))
			return true;
	}
	return false;
}

/* Which of the effects there are: bits. */
static unsigned
effects(const struct world *w, const struct asked *q, const struct guess *x)
{
	const int tier = tier_of_call(q);
	unsigned found = 0;

	for (int i = 0; i < w->rule_count; i++) {
		const struct ruled *r = &w->rules[i];
		bool hit = r->name ? r->name == q->name : r->tier == tier;

		if (!r->name && r->effect != ALLOW && r->tier == TIER_WRITE &&
		    tier == TIER_DESTRUCTIVE)
			hit = true;
		if (!hit || !is_about(q, x, r->user, r->role, r->guild))
			continue;
		if (r->channel && r->effect == ALLOW &&
		    !touches_only(q, x, r->channel))
			continue;
		if (r->channel && r->effect != ALLOW &&
		    q->channel != r->channel && !touches(q, x, r->channel))
			continue;
		found |= 1u << r->effect;
	}
	return found;
}

static int
granted(const struct world *w, const struct asked *q, const struct guess *x)
{
	int best = q->actor == LOCAL || w->operators[q->actor] ? ASK : DENY;

	for (int i = 0; i < w->grant_count; i++) {
		const struct given *g = &w->grants[i];

		if (g->ended || g->tier < tier_of_call(q) ||
		    !is_about(q, x, g->user, g->role, g->guild))
			continue;
		if (g->automatic)
			return ALLOW;
		best = ASK;
	}
	return best;
}

static int
model_once(const struct world *w, const struct asked *q, const struct guess *x)
{
	const int tier = tier_of_call(q);
	const bool change = tier == TIER_WRITE || tier == TIER_DESTRUCTIVE;
	int is = change ? granted(w, q, x) : ALLOW;
	unsigned rules;

	if (!is_open(w, q) || !is_in(w, q, x) || is == DENY)
		return DENY;
	if (tier == TIER_DESTRUCTIVE && is_guarded(w, q, x))
		return DENY;
	rules = effects(w, q, x);
	if (rules & 1u << DENY)
		return DENY;
	if (rules & 1u << ASK)
		is = ASK;
	else if (rules & 1u << ALLOW)
		is = ALLOW;
	return change && (q->strict || q->corrected) ? ASK : is;
}

static bool
is_unplaced(const struct asked *q, int i)
{
	return i < q->count && !q->at[i].placed &&
	       (q->at[i].kind == ACCESS_CHANNEL ||
		   q->at[i].kind == ACCESS_MESSAGE);
}

/* Wherever the targets may lie, from the i-th on: the worst. */
static int
worst_place(const struct world *w, const struct asked *q, struct guess *x,
    int i)
{
	int worst, one;

	x->near[i] = NOBODY;
	worst = i + 1 < TARGETS ? worst_place(w, q, x, i + 1)
				: model_once(w, q, x);
	for (int k = 0; is_unplaced(q, i) && k < CHANNELS; k++) {
		if (where(q) && guild_of(channels[k]) != where(q))
			continue;
		x->near[i] = channels[k];
		one = i + 1 < TARGETS ? worst_place(w, q, x, i + 1)
				      : model_once(w, q, x);
		worst = one < worst ? one : worst;
	}
	return worst;
}

static int
model(const struct world *w, const struct asked *q)
{
	struct guess x = {.roles = q->roles};
	int worst = ALLOW, one;

	if (q->known)
		return worst_place(w, q, &x, 0);
	for (unsigned r = 0; r < 17; r++) {
		x.roles = r < 16 ? r : OUTSIDER;
		one = worst_place(w, q, &x, 0);
		worst = one < worst ? one : worst;
	}
	return worst;
}

#endif
