#include "access/reach.h"

#include <stdbool.h>
#include <stdlib.h>

#include "core/err.h"
#include "core/mem.h"
#include "discord/permission.h"
#include "ext/db.h"
#include "record/community.h"

/* A channel, or thread, and the channel whose overwrites hold in it. */
struct ground {
	int64_t ord, rules; /* channel.ord of both */
	int64_t kind;       /* of what was asked for */
	uint64_t guild;
	uint64_t owner; /* of the guild */
};

static int
find_ground(struct db *db, uint64_t channel, struct ground *g, struct err *e)
{
	struct stmt s = {0};
	int row;

	stmt_start(&s, db,
	    "SELECT c.ord, c.kind, c.guild, g.owner,"
	    " iif(c.kind BETWEEN 10 AND 12, p.ord, c.ord)"
	    " FROM channel c JOIN guild g ON g.id = c.guild"
	    " LEFT JOIN channel p ON p.id = c.parent AND p.guild = c.guild"
	    "  AND p.as_of_ms IS NOT NULL AND p.kind NOT BETWEEN 10 AND 12"
	    " WHERE c.id = ?1 AND c.as_of_ms IS NOT NULL"
	    " AND g.as_of_ms IS NOT NULL AND g.gone_ms IS NULL");
	stmt_int(&s, 1, (int64_t)channel);
	row = stmt_next(&s, e);
	if (row > 0) {
		g->ord = row_int(&s, 0);
		g->kind = row_int(&s, 1);
		g->guild = (uint64_t)row_int(&s, 2);
		g->owner = (uint64_t)row_int(&s, 3);
		g->rules = row_int(&s, 4);
		row = !row_null(&s, 4);
	}
	stmt_end(&s);
	return row;
}

/* The member's roles, put into p with what they permit: 1, 0 or -1. */
static int
find_roles(struct db *db, struct permission *p, uint64_t *roles, int64_t now_ms,
    struct err *e)
{
	struct stmt s = {0};
	int row, known = 0;

	stmt_start(&s, db,
	    "SELECT r.id, r.permissions, m.timeout_ms"
	    " FROM author a JOIN member m ON m.author = a.ord AND m.guild = ?2"
	    " JOIN guild g ON g.id = ?2"
	    " JOIN role r ON r.id = ?2 OR r.id IN (SELECT role FROM member_role"
	    "  WHERE author = a.ord AND guild = ?2)"
	    " WHERE a.id = ?1 AND m.left_ms IS NULL"
	    "  AND m.roles_ms >= coalesce(g.people_ms, 0)"
	    " LIMIT ?3");
	stmt_int(&s, 1, (int64_t)p->user);
	stmt_int(&s, 2, (int64_t)p->guild);
	stmt_int(&s, 3, ROLES_MOST);
	while ((row = stmt_next(&s, e)) > 0) {
		uint64_t id = (uint64_t)row_int(&s, 0);

		p->timed_out = row_int(&s, 2) > now_ms;
		if (id == p->guild) {
			p->everyone = (uint64_t)row_int(&s, 1);
			known = !row_null(&s, 1);
			continue;
		}
		p->granted |= (uint64_t)row_int(&s, 1);
		roles[p->role_count++] = id;
	}
	p->roles = roles;
	stmt_end(&s);
	return row < 0 ? -1 : known;
}

static int
find_overwrites(struct db *db, int64_t ord, struct overwrite *o, size_t *count,
    struct err *e)
{
	struct stmt s = {0};
	int row;

	stmt_start(&s, db,
	    "SELECT target, is_member, allow, deny FROM overwrite"
	    " WHERE channel = ?1 LIMIT ?2");
	stmt_int(&s, 1, ord);
	stmt_int(&s, 2, OVERWRITES_MOST);
	while ((row = stmt_next(&s, e)) > 0)
		o[(*count)++] = (struct overwrite){
		    .target = (uint64_t)row_int(&s, 0),
		    .member = row_int(&s, 1) != 0,
		    .allow = (uint64_t)row_int(&s, 2),
		    .deny = (uint64_t)row_int(&s, 3),
		};
	stmt_end(&s);
	return row;
}

static int
bits_on(struct db *db, const struct ground *g, uint64_t user, bool joined,
    int64_t now_ms, uint64_t *bits, struct err *e)
{
	struct permission p = {.guild = g->guild,
	    .user = user,
	    .owner = g->owner == user};
	struct overwrite *o = mem_array(OVERWRITES_MOST, sizeof(*o));
	uint64_t *roles = mem_array(ROLES_MOST, sizeof(*roles));
	size_t count = 0;
	int known;

	known = find_roles(db, &p, roles, now_ms, e);
	if (known > 0 && find_overwrites(db, g->rules, o, &count, e) < 0)
		known = -1;
	if (known > 0)
		*bits = permission_at(&p, g->kind, joined, o, count);
	free(roles);
	free(o);
	return known;
}

int
reach_bits(struct db *db, uint64_t user, uint64_t channel, int64_t now_ms,
    uint64_t *bits, struct err *e)
{
	struct ground g = {0};
	int known = find_ground(db, channel, &g, e);

	return known <= 0 ? known
			  : bits_on(db, &g, user, true, now_ms, bits, e);
}

static int
is_inside(struct db *db, int64_t ord, uint64_t user, struct err *e)
{
	struct stmt s = {0};
	int row;

	stmt_start(&s, db,
	    "SELECT 1 FROM thread_member WHERE channel = ?1 AND user = ?2");
	stmt_int(&s, 1, ord);
	stmt_int(&s, 2, (int64_t)user);
	row = stmt_next(&s, e);
	stmt_end(&s);
	return row;
}

int
reach_channel(struct db *db, uint64_t user, uint64_t channel, int64_t now_ms,
    struct err *e)
{
	struct ground g = {0};
	uint64_t bits = 0;
	int known = find_ground(db, channel, &g, e), inside = 0;

	if (known > 0 && g.kind == CHANNEL_PRIVATE_THREAD)
		inside = is_inside(db, g.ord, user, e);
	if (known > 0 && inside >= 0)
		known = bits_on(db, &g, user, inside, now_ms, &bits, e);
	if (known <= 0 || inside < 0)
		return known < 0 || inside < 0 ? -1 : REACH_UNKNOWN;
	if ((g.kind == CHANNEL_VOICE || g.kind == CHANNEL_STAGE) &&
	    !(bits & PERMIT_CONNECT))
		return REACH_NOTHING;
	if (!(bits & PERMIT_VIEW))
		return REACH_NOTHING;
	return bits & PERMIT_HISTORY ? REACH_ALL : REACH_LIVE;
}
