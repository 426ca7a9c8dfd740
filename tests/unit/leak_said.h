#ifndef LEAK_SAID_H
#define LEAK_SAID_H
/*
 * leak_said - what Discord tells of the guilds of leak_model, put into the real
 * index by the real reader of events; and the dice that all of it is thrown
 * with.
 */

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/err.h"
#include "history/ingest.h"
#include "leak_tell.h"
#include "record/event.h"
#include "scratch.h"
#include "store/base.h"

static struct guild guilds[GUILDS];
static bool members_told; /* the session has the members intent */
static int step_now;
static bool tracing;
static struct store store;
static struct ingest in;
static int64_t number, sequence, last_ms;
static long ahead_ms;

static uint64_t chance;

static void
set_chance(uint64_t seed, uint64_t part)
{
	chance = (seed * 0x9e3779b97f4a7c15U) ^ (part * 0xc2b2ae3d27d4eb4fU);
	chance ^= chance >> 29;
}

static unsigned
dice(unsigned sides)
{
	chance = chance * 6364136223846793005U + 1442695040888963407U;
	return (unsigned)(chance >> 33) % sides;
}

static int
pick(int n)
{
	return (int)dice((unsigned)n);
}

/* Each bit in one of `rarity` cases. */
static unsigned
some(unsigned rarity)
{
	unsigned bits = 0;

	for (unsigned i = 0; i < 4; i++)
		bits |= dice(rarity) == 0 ? 1U << i : 0;
	return bits;
}

static struct rule
some_rule(unsigned rarity)
{
	struct rule r = {.allow = some(rarity), .deny = some(rarity)};

	r.deny &= ~r.allow;
	return r;
}

static void note(const char *fmt, ...) FORMAT(1, 2);

static void
note(const char *fmt, ...)
{
	struct buf b = {0};
	va_list ap;

	if (!tracing)
		return;
	va_start(ap, fmt);
	buf_vfmt(&b, fmt, ap);
	va_end(ap);
	printf("# %3d %s\n", step_now, buf_text(&b));
	buf_release(&b);
}

static void
bail(const char *what, const struct err *e)
{
	printf("Bail out! %s: %s\n", what, e->text);
	exit(1);
}

static void
tell_text(const char *name, const char *data)
{
	int64_t now = clock_now_ms();
	struct event x = {.number = ++number,
	    .sequence = ++sequence,
	    .data = data,
	    .data_len = strlen(data)};
	struct err e = {0};

	x.at_ms = last_ms = now > last_ms ? now : last_ms + 1;
	snprintf(x.name, sizeof(x.name), "%s", name);
	if (store_begin(&store, &e) < 0 || ingest_begin(&in, &e) < 0 ||
	    ingest_shard(&in, 0, &e) < 0 || ingest_event(&in, &x, &e) < 0 ||
	    ingest_end(&in, &e) < 0 || store_commit(&store, &e) < 0)
		bail(name, &e);
}

static void
tell(const char *name, struct buf *b)
{
	note("   told: %s %s", name, buf_text(b));
	tell_text(name, buf_text(b));
	buf_release(b);
}

static void
say_guild(int of)
{
	struct buf b = {0};

	tell_guild(&b, &guilds[of], of, ~(1U << dice(2 * MEMBERS)));
	tell("GUILD_CREATE", &b);
}

static void
say_ready(void)
{
	struct buf b = {0};

	members_told = dice(6) != 0;
	sequence = 0;
	buf_fmt(&b,
	    "{\"user\":{\"id\":\"%d\"},\"session_id\":\"s\","
	    "\"application\":{\"id\":\"1\",\"flags\":%d}}",
	    SOPHIA_ID, members_told ? 1 << 14 : 0);
	tell("READY", &b);
	for (int i = 0; i < GUILDS; i++)
		if (guilds[i].there)
			say_guild(i);
}

static void
say_place(int of, int p, const char *name)
{
	struct buf b = {0};

	tell_place(&b, &guilds[of], of, p);
	tell(name, &b);
}

/* A change of a member is told, or it is over an hour old before it counts. */
static void
say_member(int of, int m, const char *name)
{
	struct buf b = {0};

	if (!members_told && m != SOPHIA) {
		put_clock(ahead_ms += 3700000);
		note("   an hour passes");
		return;
	}
	buf_fmt(&b, "{\"guild_id\":\"%d\",", guild_id(of));
	tell_member(&b, &guilds[of], of, m);
	buf_char(&b, '}');
	tell(name, &b);
}

static void
say_joined(int of, int p, int m)
{
	bool is_in = guilds[of].place[p].joined[m];
	struct buf b = {0};

	if (!members_told && m != SOPHIA)
		return;
	buf_fmt(&b, "{\"id\":\"%d\",\"guild_id\":\"%d\",", place_id(of, p),
	    guild_id(of));
	if (is_in)
		buf_fmt(&b, "\"added_members\":[{\"user_id\":\"%d\"}]}",
		    user_id(m));
	else
		buf_fmt(&b, "\"removed_member_ids\":[\"%d\"]}", user_id(m));
	tell("THREAD_MEMBERS_UPDATE", &b);
}

static void
say_role(int of, int r, const char *name)
{
	struct guild *g = &guilds[of];
	struct buf b = {0};

	buf_fmt(&b,
	    "{\"guild_id\":\"%d\",\"role\":{\"id\":\"%d\",\"name\":"
	    "\"r\",\"permissions\":\"%" PRIu64 "\"}}",
	    guild_id(of), r < 0 ? guild_id(of) : role_id(of, r),
	    leak_bits(r < 0 ? g->everyone : g->role[r]));
	tell(name, &b);
}

static void
say_gone(int of, int id, const char *key, const char *name)
{
	struct buf b = {0};

	buf_fmt(&b, "{\"guild_id\":\"%d\",\"%s\":\"%d\"}", guild_id(of), key,
	    id);
	tell(name, &b);
}

#endif
