#include "access/venue.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "access/admission.h"
#include "access/realm.h"
#include "core/err.h"
#include "core/id.h"
#include "core/mem.h"
#include "ext/db.h"
#include "record/context.h"
#include "store/meta.h"

struct venue_guild {
	struct venue_guild *next;
	uint64_t id;
	bool known; /* it is enabled, and its realm is loaded */
	bool off;   /* it isn't enabled */
	struct realm realm;
};

/* The guild of a channel in the index: 1, 0 if it isn't known, or -1. */
static int
find_guild(struct venue *v, uint64_t channel, uint64_t *guild, struct err *e)
{
	struct stmt s = {0};
	int row;

	if (!v->index)
		return 0;
	stmt_start(&s, v->index,
	    "SELECT guild FROM channel WHERE id = ?1 AND guild <> 0");
	stmt_int(&s, 1, (int64_t)channel);
	row = stmt_next(&s, e);
	if (row > 0)
		*guild = (uint64_t)row_int(&s, 0);
	stmt_end(&s);
	return row;
}

/* 1 if the guild is enabled, by the settings as they are now. */
static int
enabled(uint64_t guild, struct err *e)
{
	struct err why = {0};
	char id[24];

	snprintf(id, sizeof(id), "%" PRIu64, guild);
	if (admission_guild(id, &why) == 0)
		return 1;
	if (why.kind == ERR_DENIED)
		return 0;
	*e = why;
	return -1;
}

static int
load(struct venue *v, struct venue_guild *g, struct err *e)
{
	int got = enabled(g->id, e);

	g->off = got == 0;
	if (got > 0)
		got = realm_load(&g->realm, v->index, g->id, e);
	g->known = got > 0;
	return got < 0 ? -1 : 0;
}

/* The guild, looked up once; NULL and *e if that fails. */
static struct venue_guild *
guild_of(struct venue *v, uint64_t id, struct err *e)
{
	struct venue_guild *g = v->guilds;

	while (g && g->id != id)
		g = g->next;
	if (g)
		return g;
	g = mem_new(sizeof(*g));
	g->id = id;
	g->next = v->guilds;
	v->guilds = g;
	return load(v, g, e) < 0 ? NULL : g;
}

/* A channel in the realm of its guild: 1, 0 if it isn't known, or -1. */
static int
find(struct venue *v, uint64_t channel, struct venue_guild **g,
    const struct realm_channel **c, struct err *e)
{
	uint64_t guild = 0;
	int row = find_guild(v, channel, &guild, e);

	if (row <= 0)
		return row;
	if ((*g = guild_of(v, guild, e)) == NULL)
		return -1;
	*c = (*g)->known ? realm_channel(&(*g)->realm, channel) : NULL;
	return *c != NULL;
}

static int
unknown(struct err *e)
{
	return err_set(e, ERR_DENIED,
	    "it isn't known who would read it in that channel");
}

/* Its server is closed until Discord has told it anew. */
static int
unknown_now(struct err *e)
{
	return err_set(e, ERR_AGAIN,
	    "it isn't known just now who would read it in that channel");
}

/* Whoever sees this channel will read it. */
static int
set_place(struct venue *v, struct reading *w, uint64_t place, uint64_t *guild,
    struct err *e)
{
	const struct realm_channel *c;
	struct venue_guild *g = NULL;
	int row = find(v, place, &g, &c, e);

	if (row < 0)
		return -1;
	if (row == 0)
		return g && !g->known && !g->off ? unknown_now(e) : unknown(e);
	*guild = g->id;
	return reading_place(w, &g->realm, place, e);
}

/* Who asks, and for whom Sophia reads. */
static int
set_people(struct venue *v, struct err *e)
{
	int64_t bot = 0;

	if (strcmp(v->context->actor.id, "local") != 0 &&
	    snowflake_read(&v->reader.actor, v->context->actor.id) < 0)
		return err_set(e, ERR_DENIED, "nobody asks");
	if (v->index && meta_int(v->index, "bot", 0, &bot, e) < 0)
		return -1;
	v->reader.bot = (uint64_t)bot;
	return 0;
}

int
venue_open(struct venue *v, struct db *index, const struct context *c,
    const char *place, struct err *e)
{
	const struct location *at = &c->location;
	uint64_t id = 0;

	*v = (struct venue){.index = index, .context = c};
	if (set_people(v, e) < 0)
		return -1;
	if (at->kind == LOCATION_DM && at->channel)
		(void)snowflake_read(&v->private_dm, at->channel);
	if (place && snowflake_read(&id, place) < 0)
		return unknown(e);
	if (!place || (id && id == v->private_dm)) {
		v->everything = !v->reader.actor;
		return 0;
	}
	v->private_dm = 0;
	if (set_place(v, &v->reader, id, &v->guild, e) == 0)
		return 0;
	venue_close(v);
	return -1;
}

int
venue_open_here(struct venue *v, struct db *index, const struct context *c,
    struct err *e)
{
	bool everyone = c->visibility == VISIBILITY_PUBLIC &&
			c->location.kind == LOCATION_GUILD;

	return venue_open(v, index, c, everyone ? c->location.channel : NULL,
	    e);
}

void
venue_close(struct venue *v)
{
	struct venue_guild *next;

	for (struct venue_guild *g = v->guilds; g; g = next) {
		next = g->next;
		realm_release(&g->realm);
		free(g);
	}
	*v = (struct venue){0};
}

int
venue_takes(struct venue *v, uint64_t channel, struct err *e)
{
	const struct realm_channel *c;
	struct venue_guild *g;
	int row;

	if (v->everything || (channel && channel == v->private_dm))
		return 1;
	row = find(v, channel, &g, &c, e);
	if (row <= 0)
		return row;
	if (v->guild && g->id != v->guild)
		return 0;
	return reading_may(&v->reader, &g->realm, c, true, e);
}

/* Discord doesn't list it any more, or said that it was deleted. */
static int
is_gone(struct venue *v, uint64_t channel, struct err *e)
{
	struct stmt s = {0};
	int row;

	stmt_start(&s, v->index,
	    "SELECT 1 FROM channel WHERE id = ?1 AND (as_of_ms IS NULL"
	    " OR id IN (SELECT id FROM tombstone_channel))");
	stmt_int(&s, 1, (int64_t)channel);
	row = stmt_next(&s, e);
	stmt_end(&s);
	return row;
}

int
venue_tells(struct venue *v, uint64_t channel, struct err *e)
{
	const struct realm_channel *c;
	struct venue_guild *g = NULL;
	int row;

	if (v->everything)
		return 1;
	row = find(v, channel, &g, &c, e);
	if (row < 0 || !g)
		return row < 0 ? -1 : 1;
	if (row == 0)
		return g->known ? is_gone(v, channel, e) : 0;
	if (v->guild && g->id != v->guild)
		return 0;
	return reading_may(&v->reader, &g->realm, c, false, e);
}

int
venue_knows(struct venue *v, uint64_t channel, struct err *e)
{
	const struct realm_channel *c;
	struct venue_guild *g;
	uint64_t guild = 0;
	int row = find_guild(v, channel, &guild, e);

	if (row <= 0)
		return row;
	if ((g = guild_of(v, guild, e)) == NULL)
		return -1;
	if (!g->known)
		return g->off;
	c = realm_channel(&g->realm, channel);
	if (!c)
		return is_gone(v, channel, e);
	row = realm_knows(&g->realm, v->reader.bot, e);
	if (row > 0 && v->reader.actor)
		row = realm_knows(&g->realm, v->reader.actor, e);
	return row;
}

int
venue_closed(struct venue *v, uint64_t channel, struct err *e)
{
	const struct realm_channel *c;
	struct venue_guild *g = NULL;
	int row = find(v, channel, &g, &c, e);

	return row < 0 ? -1 : g && !g->known && !g->off;
}

int
venue_names(struct venue *v, uint64_t channel, struct err *e)
{
	const struct context *at = v->context;
	struct reading w = {.actor = v->reader.actor, .bot = v->reader.bot};
	const struct realm_channel *c;
	struct venue_guild *g;
	struct err why = {0};
	uint64_t here = 0, guild = 0;
	int row;

	if (!w.actor)
		return 1;
	row = find(v, channel, &g, &c, e);
	if (row <= 0)
		return row;
	if (at->visibility != VISIBILITY_PUBLIC ||
	    at->location.kind != LOCATION_GUILD)
		return reading_may(&w, &g->realm, c, false, e);
	if (snowflake_read(&here, at->location.channel) < 0 ||
	    set_place(v, &w, here, &guild, &why) < 0 || guild != g->id)
		return 0;
	return reading_may(&w, &g->realm, c, false, e);
}
