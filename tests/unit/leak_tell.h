#ifndef LEAK_TELL_H
#define LEAK_TELL_H
/*
 * leak_tell - the guilds of leak_model as Discord's gateway tells of them: the
 * data of its events, as JSON.
 */

#include <inttypes.h>
#include <stdio.h>

#include "core/buf.h"
#include "leak_model.h"

enum {
	USER_ID = 10,
	SOPHIA_ID = 9,
	GUILD_ID = 1000,
	ROLE_ID = 100,
	PLACE_ID = 200,
	MESSAGE_ID = 500
};

static inline int
guild_id(int g)
{
	return GUILD_ID * (g + 1);
}

static inline int
role_id(int g, int r)
{
	return guild_id(g) + ROLE_ID + r;
}

static inline int
place_id(int g, int p)
{
	return guild_id(g) + PLACE_ID + p;
}

static inline int
user_id(int m)
{
	return m == SOPHIA ? SOPHIA_ID : USER_ID + m;
}

static inline uint64_t
leak_bits(unsigned bits)
{
	static const unsigned shift[BITS] = {10, 16, 20, 34, 3};
	uint64_t all = 0;

	for (int i = 0; i < BITS; i++)
		all |= bits & (1U << i) ? UINT64_C(1) << shift[i] : 0;
	return all;
}

static inline void
leak_comma(struct buf *b)
{
	if (b->data[b->len - 1] != '[')
		buf_char(b, ',');
}

static inline void
tell_role(struct buf *b, int id, unsigned bits)
{
	leak_comma(b);
	buf_fmt(b,
	    "{\"id\":\"%d\",\"name\":\"r%d\",\"permissions\":\"%" PRIu64 "\"}",
	    id, id, leak_bits(bits));
}

static inline void
tell_rule(struct buf *b, int id, bool user, struct rule r)
{
	if (!r.allow && !r.deny)
		return;
	leak_comma(b);
	buf_fmt(b,
	    "{\"id\":\"%d\",\"type\":%d,\"allow\":\"%" PRIu64
	    "\",\"deny\":\"%" PRIu64 "\"}",
	    id, user, leak_bits(r.allow), leak_bits(r.deny));
}

static inline void
tell_place(struct buf *b, const struct guild *g, int of, int p)
{
	const struct place *c = &g->place[p];

	buf_fmt(b,
	    "{\"id\":\"%d\",\"guild_id\":\"%d\",\"type\":%d,\"name\":"
	    "\"g%dp%d\"",
	    place_id(of, p), guild_id(of), c->kind, of, p);
	if (c->parent >= 0)
		buf_fmt(b, ",\"parent_id\":\"%d\"", place_id(of, c->parent));
	if (p >= CHANNELS) {
		if (c->joined[SOPHIA])
			buf_str(b, ",\"member\":{}");
		buf_fmt(b,
		    ",\"thread_metadata\":{\"archived\":%s,\"locked\":"
		    "false}}",
		    c->archived ? "true" : "false");
		return;
	}
	buf_str(b, ",\"permission_overwrites\":[");
	tell_rule(b, guild_id(of), false, c->all);
	for (int r = 0; r < ROLES; r++)
		if (g->has_role[r])
			tell_rule(b, role_id(of, r), false, c->role[r]);
	for (int m = 0; m < USERS; m++)
		tell_rule(b, user_id(m), true, c->user[m]);
	buf_str(b, "]}");
}

/* The members of a member's object, without braces. */
static inline void
tell_member(struct buf *b, const struct guild *g, int of, int m)
{
	buf_fmt(b,
	    "\"user\":{\"id\":\"%d\",\"username\":\"u%d\"},"
	    "\"communication_disabled_until\":%s,\"roles\":[",
	    user_id(m), m, g->mute[m] ? "\"2090-01-01T00:00:00Z\"" : "null");
	for (int r = 0; r < ROLES; r++)
		if (g->has_role[r] && g->has[m][r]) {
			leak_comma(b);
			buf_fmt(b, "\"%d\"", role_id(of, r));
		}
	buf_char(b, ']');
}

/* A guild with its roles, channels and active threads, and some of its people. */
static inline void
tell_guild(struct buf *b, const struct guild *g, int of, unsigned people)
{
	buf_fmt(b,
	    "{\"id\":\"%d\",\"name\":\"G\",\"owner_id\":\"%d\","
	    "\"roles\":[",
	    guild_id(of), user_id(g->owner));
	tell_role(b, guild_id(of), g->everyone);
	for (int r = 0; r < ROLES; r++)
		if (g->has_role[r])
			tell_role(b, role_id(of, r), g->role[r]);
	buf_str(b, "],\"members\":[");
	for (int m = 0; m < USERS; m++) {
		if (!g->in[m] || (m != SOPHIA && !(people & (1U << m))))
			continue;
		leak_comma(b);
		buf_char(b, '{');
		tell_member(b, g, of, m);
		buf_char(b, '}');
	}
	for (int p = 0; p < PLACES; p++) {
		if (p == 0 || p == CHANNELS)
			buf_str(b, p ? "],\"threads\":[" : "],\"channels\":[");
		if (!g->place[p].there || g->place[p].archived)
			continue;
		leak_comma(b);
		tell_place(b, g, of, p);
	}
	buf_str(b, "]}");
}

#endif
