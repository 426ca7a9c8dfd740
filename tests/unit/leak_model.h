#ifndef LEAK_MODEL_H
#define LEAK_MODEL_H
/*
 * leak_model - guilds as they really are, and who may read what in them, by a
 * plain reading of Discord's documentation ("Permissions", "Threads"): one
 * permission after the other. It shares no code with what it judges.
 */

#include <stdbool.h>
#include <stdint.h>

enum {
	GUILDS = 2,
	MEMBERS = 8, /* people; the last of all users is Sophia */
	SOPHIA = MEMBERS,
	USERS = MEMBERS + 1,
	ROLES = 5,
	CHANNELS = 7, /* of a guild; the first is a category */
	THREADS = 5,
	PLACES = CHANNELS + THREADS,
};

enum { VIEW = 1, HISTORY = 2, CONNECT = 4, MANAGE = 8, ADMIN = 16, BITS = 5 };

enum {
	TEXT = 0,
	VOICE = 2,
	CATEGORY = 4,
	NEWS = 5,
	NEWS_POST = 10,
	OPEN_THREAD = 11,
	CLOSED_THREAD = 12,
	STAGE = 13,
	FORUM = 15
};

struct rule {
	unsigned allow, deny;
};

struct place {
	bool there, archived;
	int kind, parent; /* -1 for none */
	struct rule all, role[ROLES], user[USERS];
	bool joined[USERS];
};

struct guild {
	bool there, enabled; /* Sophia is in it; and may work in it */
	int owner;
	unsigned everyone, role[ROLES];
	bool has_role[ROLES];
	bool in[USERS], has[USERS][ROLES], mute[USERS];
	struct place place[PLACES];
};

/* Some role of theirs has it. */
static inline bool
model_base(const struct guild *g, int user, unsigned bit)
{
	if (g->everyone & bit)
		return true;
	for (int r = 0; r < ROLES; r++)
		if (g->has_role[r] && g->has[user][r] && (g->role[r] & bit))
			return true;
	return false;
}

static inline bool
model_rules_all(const struct guild *g, int user)
{
	return user == g->owner || model_base(g, user, ADMIN);
}

/* In a channel, for somebody who doesn't rule all. */
static inline bool
model_in(const struct guild *g, const struct place *c, int user, unsigned bit)
{
	bool may = model_base(g, user, bit), allowed = false, denied = false;

	if (c->all.deny & bit)
		may = false;
	if (c->all.allow & bit)
		may = true;
	for (int r = 0; r < ROLES; r++) {
		if (!g->has_role[r] || !g->has[user][r])
			continue;
		denied = denied || (c->role[r].deny & bit);
		allowed = allowed || (c->role[r].allow & bit);
	}
	may = allowed || (may && !denied);
	if (c->user[user].deny & bit)
		may = false;
	if (c->user[user].allow & bit)
		may = true;
	return may;
}

static inline bool
model_may(const struct guild *g, int place, int user, unsigned bit)
{
	const struct place *p = &g->place[place];

	if (!g->there || !g->in[user] || !p->there)
		return false;
	if (model_rules_all(g, user))
		return true;
	if (g->mute[user] && bit != VIEW && bit != HISTORY)
		return false;
	if (place >= CHANNELS)
		p = &g->place[p->parent];
	return p->there && model_in(g, p, user, bit);
}

static inline bool
model_sees(const struct guild *g, int place, int user)
{
	const struct place *p = &g->place[place];

	if (!model_may(g, place, user, VIEW))
		return false;
	return p->kind != CLOSED_THREAD || p->joined[user] ||
	       model_may(g, place, user, MANAGE);
}

static inline bool
model_reads(const struct guild *g, int place, int user)
{
	int kind = g->place[place].kind;

	if (!model_sees(g, place, user) || !model_may(g, place, user, HISTORY))
		return false;
	return (kind != VOICE && kind != STAGE) ||
	       model_may(g, place, user, CONNECT);
}

/* May what is in `from` be said to that user alone? */
static inline bool
model_tells(const struct guild *g, int from, int user)
{
	return g->enabled && model_reads(g, from, user) &&
	       model_reads(g, from, SOPHIA);
}

/* May it be said at `to`, for all who are there, by wish of that user? */
static inline bool
model_says(const struct guild *g, int from, int to, int user)
{
	if (!g->enabled || !model_sees(g, to, user))
		return false;
	if (from == to)
		return true;
	if (!model_tells(g, from, user))
		return false;
	for (int m = 0; m < USERS; m++)
		if (model_sees(g, to, m) && !model_reads(g, from, m))
			return false;
	return true;
}

#endif
