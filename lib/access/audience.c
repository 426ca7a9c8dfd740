#include "access/audience.h"

#include <stdlib.h>
#include <string.h>

#include "access/admission.h"
#include "access/reading.h"
#include "core/err.h"
#include "core/id.h"
#include "core/mem.h"
#include "ext/db.h"
#include "record/community.h"
#include "record/context.h"
#include "store/meta.h"
#include "store/settings.h"

static void
allow(struct audience *a, const struct realm_channel *c)
{
	a->channels = mem_resize(a->channels, a->channel_count + 1,
	    sizeof(*a->channels));
	a->channels[a->channel_count++] = c->ord;
}

/* The guild is asked; 1 if anything is known of it. */
static int
add_guild(struct audience *a, struct db *db, uint64_t guild,
    const struct reading *who, uint64_t here, struct err *e)
{
	struct reading w = *who;
	struct realm r = {0};
	int got = realm_load(&r, db, guild, e), may = 0;

	if (got > 0 && here && reading_place(&w, &r, here, e) < 0)
		got = -1;
	for (size_t i = 0; got > 0 && may >= 0 && i < r.channel_count; i++) {
		may = reading_may(&w, &r, &r.channels[i], true, e);
		if (may > 0)
			allow(a, &r.channels[i]);
		else
			a->hidden += r.channels[i].kind != CHANNEL_CATEGORY;
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
add_guilds(struct audience *a, struct db *db, const struct reading *who,
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
		result = add_guild(a, db, guild, who, 0, e);
		found += result > 0;
	}
	settings_close(&s);
	return result < 0 ? -1 : found;
}

/* The guild that a call comes from, or all of them. */
static int
add_place(struct audience *a, struct db *db, const struct context *c,
    const struct reading *who, struct err *e)
{
	uint64_t guild = 0, here = 0;

	if (c->location.kind != LOCATION_GUILD)
		return add_guilds(a, db, who, e);
	if (snowflake_read(&guild, c->location.guild) < 0)
		return err_set(e, ERR_DENIED, "the call names no server");
	if (admission_guild(c->location.guild, e) < 0)
		return -1;
	if (c->visibility == VISIBILITY_PUBLIC &&
	    snowflake_read(&here, c->location.channel) < 0)
		return err_set(e, ERR_DENIED,
		    "it isn't known where the answer will be read");
	return add_guild(a, db, guild, who, here, e);
}

int
audience_find(struct audience *a, struct db *db, const struct context *c,
    struct err *e)
{
	struct reading who = {0};
	int64_t bot = 0;
	int known;

	*a = (struct audience){0};
	if (strcmp(c->actor.id, "local") == 0) {
		a->everything = true;
		return 0;
	}
	if (snowflake_read(&who.actor, c->actor.id) < 0)
		return err_set(e, ERR_DENIED, "nobody asks");
	if (meta_int(db, "bot", 0, &bot, e) < 0)
		return -1;
	who.bot = (uint64_t)bot;
	known = add_place(a, db, c, &who, e);
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
