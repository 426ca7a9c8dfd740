#include "access/audience.h"

#include <stdlib.h>
#include <string.h>

#include "access/realm.h"
#include "core/err.h"
#include "core/id.h"
#include "core/mem.h"
#include "ext/db.h"
#include "record/community.h"
#include "record/context.h"
#include "store/meta.h"
#include "store/settings.h"

/* For whom, and where it will be read. */
struct reading {
	uint64_t actor, bot;
	uint64_t here; /* the channel of a public answer; 0: it is private */
	int64_t now_ms;
};

static void
allow(struct audience *a, const struct realm_channel *c)
{
	a->channels = mem_resize(a->channels, a->channel_count + 1,
	    sizeof(*a->channels));
	a->channels[a->channel_count++] = c->ord;
}

static uint64_t
needed(const struct realm_channel *c)
{
	bool voice = c->kind == CHANNEL_VOICE || c->kind == CHANNEL_STAGE;

	return PERMIT_VIEW | PERMIT_HISTORY | (voice ? PERMIT_CONNECT : 0);
}

/* 1 if the user has all of need there, 0 if not, or not known. */
static int
has(struct realm *r, uint64_t user, const struct realm_channel *c,
    uint64_t need, struct err *e)
{
	uint64_t bits = 0;
	int got = realm_bits(r, user, c, &bits, e);

	return got <= 0 ? got : (bits & need) == need;
}

static int
may_read(struct realm *r, const struct reading *w,
    const struct realm_channel *here, const struct realm_channel *c,
    struct err *e)
{
	uint64_t need = needed(c);
	int got;

	if (here == c) /* whoever reads the answer is there */
		need = PERMIT_VIEW;
	if ((got = has(r, w->actor, c, need, e)) <= 0 ||
	    (got = has(r, w->bot, c, need, e)) <= 0)
		return got;
	if (!here || here == c)
		return 1;
	if (c->kind == CHANNEL_PRIVATE_THREAD)
		return 0;
	return crowd_covers(&r->crowd, &here->rules, &c->rules, need);
}

/* Where the answer is public, the requester must be there. */
static int
find_here(struct realm *r, const struct reading *w,
    const struct realm_channel **here, struct err *e)
{
	int got;

	*here = NULL;
	if (!w->here)
		return 0;
	*here = realm_channel(r, w->here);
	got = *here ? has(r, w->actor, *here, PERMIT_VIEW, e) : 0;
	if (got < 0)
		return -1;
	return got ? 0
		   : err_set(e, ERR_DENIED,
			 "it isn't known who can read this channel");
}

/* The guild is asked; 1 if anything is known of it. */
static int
add_guild(struct audience *a, struct db *db, uint64_t guild,
    const struct reading *w, struct err *e)
{
	const struct realm_channel *here;
	struct realm r = {0};
	int got = realm_open(&r, db, guild, w->now_ms, e), may = 0;

	if (got > 0 && find_here(&r, w, &here, e) < 0)
		got = -1;
	for (size_t i = 0; got > 0 && may >= 0 && i < r.channel_count; i++) {
		may = may_read(&r, w, here, &r.channels[i], e);
		if (may > 0)
			allow(a, &r.channels[i]);
		else
			a->hidden += r.channels[i].kind != CHANNEL_CATEGORY;
	}
	if (got > 0 && r.failed.kind) {
		*e = r.failed;
		got = -1;
	}
	if (got > 0) {
		a->guilds = mem_resize(a->guilds, a->guild_count + 1,
		    sizeof(*a->guilds));
		a->guilds[a->guild_count++] = guild;
	}
	realm_release(&r);
	return may < 0 ? -1 : got;
}

/* Every guild that is enabled. */
static int
add_guilds(struct audience *a, struct db *db, const struct reading *w,
    struct err *e)
{
	struct settings s = {0};
	const char *id;
	uint64_t guild;
	int result = settings_open(&s, e), found = 0;

	for (int i = 0;
	     result >= 0 && (id = settings_id(&s, "discord.guilds", i)) != NULL;
	     i++) {
		if (snowflake_read(&guild, id) < 0)
			continue;
		result = add_guild(a, db, guild, w, e);
		found += result > 0;
	}
	settings_close(&s);
	return result < 0 ? -1 : found;
}

int
audience_find(struct audience *a, struct db *db, const struct context *c,
    int64_t now_ms, struct err *e)
{
	struct reading w = {.now_ms = now_ms};
	uint64_t guild = 0;
	int64_t bot = 0;
	int known;

	*a = (struct audience){0};
	if (strcmp(c->actor.id, "local") == 0) {
		a->everything = true;
		return 0;
	}
	if (snowflake_read(&w.actor, c->actor.id) < 0)
		return err_set(e, ERR_DENIED, "nobody asks");
	if (meta_int(db, "bot", 0, &bot, e) < 0)
		return -1;
	w.bot = (uint64_t)bot;
	if (c->location.kind != LOCATION_GUILD) {
		known = add_guilds(a, db, &w, e);
	} else {
		(void)snowflake_read(&guild, c->location.guild);
		if (c->visibility == VISIBILITY_PUBLIC &&
		    snowflake_read(&w.here, c->location.channel) < 0)
			return err_set(e, ERR_DENIED,
			    "it isn't known where the answer will be read");
		known = add_guild(a, db, guild, &w, e);
	}
	if (known > 0)
		return 0;
	audience_release(a);
	if (known == 0)
		err_set(e, ERR_DENIED,
		    "it isn't known yet who can read what there: the gateway "
		    "and sophia index follow must have run");
	return -1;
}

void
audience_release(struct audience *a)
{
	free(a->channels);
	free(a->guilds);
	*a = (struct audience){0};
}
