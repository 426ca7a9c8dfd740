#ifndef LEAK_CHANGE_H
#define LEAK_CHANGE_H
/*
 * leak_change - how the guilds of leak_model begin, and change: as Discord
 * tells at once, or unheard, until something shows that events were missed.
 */

#include "leak_said.h"
#include "store/settings.h"

enum { STEPS = 240, CUTS = GUILDS * (PLACES + ROLES) };

/* What is left of a history, while it is reduced. */
struct script {
	uint64_t seed;
	int steps;
	bool skip[STEPS];
	bool cut[CUTS]; /* overwrites of a place, permissions of a role */
};

static const struct script *script;

static bool
is_cut(int of, int what)
{
	return script->cut[of * (PLACES + ROLES) + what];
}

static void
make_place(struct guild *g, int of, int p, unsigned rarity)
{
	static const int kinds[] = {TEXT, TEXT, TEXT, NEWS, VOICE, STAGE,
	    FORUM};
	struct place *c = &g->place[p];

	c->there = true;
	c->parent = -1;
	if (p >= CHANNELS) {
		do
			c->parent = 1 + pick(CHANNELS - 1);
		while (g->place[c->parent].kind == VOICE ||
		       g->place[c->parent].kind == STAGE);
		c->kind = dice(2) ? OPEN_THREAD : CLOSED_THREAD;
		c->archived = dice(5) == 0;
		for (int m = 0; m < USERS; m++)
			c->joined[m] = dice(3) == 0;
		return;
	}
	c->kind = p == 1 ? TEXT : p ? kinds[dice(7)] : CATEGORY;
	c->parent = p && dice(2) ? 0 : -1;
	c->all = some_rule(5);
	for (int r = 0; r < ROLES; r++)
		c->role[r] = some_rule(rarity);
	for (int m = 0; m < USERS; m++)
		c->user[m] = some_rule(3 * rarity);
	if (!is_cut(of, p))
		return;
	c->all = (struct rule){0};
	memset(c->role, 0, sizeof(c->role));
	memset(c->user, 0, sizeof(c->user));
}

static void
make_guild(int of)
{
	struct guild *g = &guilds[of];
	unsigned rarity = 4 + dice(12);

	*g = (struct guild){.there = true, .enabled = true};
	g->owner = pick(MEMBERS);
	g->everyone = dice(6) ? VIEW | HISTORY | CONNECT : some(2);
	for (int r = 0; r < ROLES; r++) {
		g->has_role[r] = dice(6) != 0;
		g->role[r] = some(3) | (dice(12) == 0 ? ADMIN : 0);
		if (is_cut(of, PLACES + r))
			g->role[r] = 0;
	}
	for (int m = 0; m < USERS; m++) {
		g->in[m] = m == SOPHIA || m == g->owner || dice(8) != 0;
		g->mute[m] = dice(10) == 0;
		for (int r = 0; r < ROLES; r++)
			g->has[m][r] = g->has_role[r] && dice(3) == 0;
	}
	for (int p = 0; p < PLACES; p++)
		make_place(g, of, p, rarity);
}

static void
change_member(int of, bool loud)
{
	struct guild *g = &guilds[of];
	int m = pick(USERS), r = pick(ROLES);

	switch (dice(4)) {
	case 0: g->mute[m] = !g->mute[m]; break;
	case 1:
		if (m == SOPHIA || m == g->owner)
			return;
		g->in[m] = !g->in[m];
		memset(g->has[m], 0, sizeof(g->has[m]));
		for (int p = CHANNELS; p < PLACES; p++)
			g->place[p].joined[m] = false;
		note("%s %s guild %d", g->in[m] ? "joins" : "leaves", "", of);
		if (loud)
			say_member(of, m,
			    g->in[m] ? "GUILD_MEMBER_ADD"
				     : "GUILD_MEMBER_REMOVE");
		return;
	default: g->has[m][r] = g->has_role[r] && !g->has[m][r]; break;
	}
	note("member %d of guild %d changes%s", m, of, loud ? "" : ", unheard");
	if (loud && g->in[m])
		say_member(of, m, "GUILD_MEMBER_UPDATE");
}

static void
change_role(int of, bool loud)
{
	struct guild *g = &guilds[of];
	int r = pick(ROLES);

	note("role %d of guild %d changes%s", r, of, loud ? "" : ", unheard");
	if (dice(3) == 0) {
		g->everyone = dice(2) ? VIEW | HISTORY | CONNECT : some(2);
		r = -1;
	} else if (g->has_role[r] && dice(3) == 0) {
		g->has_role[r] = false;
		for (int m = 0; m < USERS; m++)
			g->has[m][r] = false;
		for (int p = 0; p < CHANNELS; p++)
			g->place[p].role[r] = (struct rule){0};
		if (loud)
			say_gone(of, role_id(of, r), "role_id",
			    "GUILD_ROLE_DELETE");
		return;
	} else {
		g->has_role[r] = true;
		g->role[r] = some(3) | (dice(12) == 0 ? ADMIN : 0);
	}
	if (loud)
		say_role(of, r, "GUILD_ROLE_UPDATE");
}

static void
change_rules(int of, bool loud)
{
	struct guild *g = &guilds[of];
	int p = pick(CHANNELS);
	struct place *c = &g->place[p];

	if (!c->there)
		return;
	note("overwrites of g%dp%d change%s", of, p, loud ? "" : ", unheard");
	switch (dice(3)) {
	case 0: c->all = some_rule(2); break;
	case 1: c->role[pick(ROLES)] = some_rule(2); break;
	default: c->user[pick(USERS)] = some_rule(2);
	}
	for (int r = 0; r < ROLES; r++)
		if (!g->has_role[r])
			c->role[r] = (struct rule){0};
	if (loud)
		say_place(of, p, "CHANNEL_UPDATE");
}

static void
change_thread(int of, bool loud)
{
	int p = CHANNELS + pick(THREADS), m = pick(USERS);
	struct place *c = &guilds[of].place[p];

	if (!c->there)
		return;
	note("thread g%dp%d changes%s", of, p, loud ? "" : ", unheard");
	if (dice(3) == 0) {
		c->archived = !c->archived;
		if (loud)
			say_place(of, p, "THREAD_UPDATE");
	} else if (guilds[of].in[m]) {
		c->joined[m] = !c->joined[m];
		if (loud)
			say_joined(of, p, m);
	}
}

/* That a thread was deleted is never known, unless it is heard. */
static void
remove_place(int of, bool loud)
{
	struct guild *g = &guilds[of];
	int p = 1 + pick((loud ? PLACES : CHANNELS) - 1);

	if (!g->place[p].there)
		return;
	note("g%dp%d is deleted%s", of, p, loud ? "" : ", unheard");
	g->place[p].there = false;
	for (int t = CHANNELS; t < PLACES; t++)
		if (g->place[t].parent == p)
			g->place[t].there = false;
	if (loud)
		say_place(of, p,
		    p < CHANNELS ? "CHANNEL_DELETE" : "THREAD_DELETE");
}

static void
change_owner(int of, bool loud)
{
	struct guild *g = &guilds[of];
	struct buf b = {0};
	int m = pick(MEMBERS);

	if (!g->in[m])
		return;
	note("guild %d gets another owner, %d", of, m);
	g->owner = m;
	buf_fmt(&b, "{\"id\":\"%d\",\"guild_id\":\"%d\",\"owner_id\":\"%d\"}",
	    guild_id(of), guild_id(of), user_id(m));
	if (loud)
		tell("GUILD_UPDATE", &b);
	buf_release(&b);
}

static void
set_enabled(void)
{
	char list[40];
	struct err e = {0};

	snprintf(list, sizeof(list), "%d,%d",
	    guilds[0].enabled ? guild_id(0) : 77,
	    guilds[1].enabled ? guild_id(1) : 78);
	if (settings_set("discord.guilds", list, &e) < 0)
		bail("settings", &e);
}

static void
change_presence(int of)
{
	struct guild *g = &guilds[of];

	note("guild %d is left, found or turned off and on", of);
	if (!g->there) {
		g->there = true;
		say_guild(of);
	} else if (!g->enabled) {
		g->enabled = true;
		set_enabled();
		say_ready();
	} else if (dice(2)) {
		g->there = false;
		say_gone(of, guild_id(of), "id", "GUILD_DELETE");
	} else {
		g->enabled = false;
		set_enabled();
	}
}

static void
change_one(bool loud)
{
	int of = dice(4) == 0;

	if (!guilds[of].there)
		return;
	/* What happens in a guild that is off is not taken in. */
	if (!guilds[of].enabled)
		return;
	switch (dice(24)) {
	case 0: remove_place(of, loud); break;
	case 1: change_owner(of, loud); break;
	case 2:
	case 3:
	case 4:
	case 5: change_role(of, loud); break;
	case 6:
	case 7:
	case 8:
	case 9:
	case 10:
	case 11: change_rules(of, loud); break;
	case 12:
	case 13:
	case 14:
	case 15: change_thread(of, loud); break;
	default: change_member(of, loud);
	}
}

/* Something is missed: and then a new session, or just the next event. */
static void
miss(void)
{
	for (unsigned i = 1 + dice(3); i > 0; i--)
		change_one(false);
	if (dice(2)) {
		say_ready();
		return;
	}
	sequence += 3;
	note("events are missed");
	tell_text("TYPING_START", "{}");
}

static void
change(void)
{
	for (int of = 0; of < GUILDS; of++)
		if (!guilds[of].there || !guilds[of].enabled) {
			if (dice(2)) {
				change_presence(of);
				return;
			}
		}
	switch (dice(30)) {
	case 0: change_presence((int)dice(2)); break;
	case 1: miss(); break;
	case 2:
	case 3:
	case 4: say_ready(); break;
	default: change_one(true);
	}
}

#endif
