/* A realm from the message index. */
#include <stdlib.h>

#include "access/realm.h"
#include "core/clock.h"
#include "core/mem.h"
#include "ext/db.h"
#include "store/meta.h"

/* Does the session tell of each change of this user: 1, 0 or -1. */
static int
is_told(struct db *db, uint64_t user, struct err *e)
{
	int64_t bot, members;

	if (meta_int(db, "bot", 0, &bot, e) < 0 ||
	    meta_int(db, "members", 0, &members, e) < 0)
		return -1;
	return members || (uint64_t)bot == user;
}

static int
find_member(void *ctx, struct realm_member *m, struct err *e)
{
	const struct realm *r = ctx;
	struct stmt s = {0};
	int row, told = is_told(r->source.db, m->user, e);

	if (told < 0)
		return -1;
	stmt_start(&s, r->source.db,
	    "SELECT k.role, m.timeout_ms, m.left_ms"
	    " FROM author a JOIN member m ON m.author = a.ord AND m.guild = ?2"
	    " JOIN guild g ON g.id = ?2"
	    " LEFT JOIN member_role k ON k.author = a.ord AND k.guild = ?2"
	    " WHERE a.id = ?1 AND m.roles_ms >= max(coalesce(g.people_ms, 0), ?4)"
	    " LIMIT ?3");
	stmt_int(&s, 1, (int64_t)m->user);
	stmt_int(&s, 2, (int64_t)r->crowd.guild);
	stmt_int(&s, 3, ROLES_MOST);
	stmt_int(&s, 4, told ? 0 : clock_now_ms() - REALM_ROLES_MS);
	while ((row = stmt_next(&s, e)) > 0) {
		m->left = !row_null(&s, 2);
		m->known = !m->left;
		m->timed_out = row_int(&s, 1) > clock_now_ms();
		if (m->known && !row_null(&s, 0))
			m->roles[m->role_count++] = (uint64_t)row_int(&s, 0);
	}
	stmt_end(&s);
	return row;
}

static int
find_joined(void *ctx, uint64_t user, const struct realm_channel *c,
    struct err *e)
{
	const struct realm *r = ctx;
	struct stmt s = {0};
	int row = is_told(r->source.db, user, e);

	if (row <= 0)
		return row;
	stmt_start(&s, r->source.db,
	    "SELECT 1 FROM thread_member WHERE channel = ?1 AND user = ?2");
	stmt_int(&s, 1, c->ord);
	stmt_int(&s, 2, (int64_t)user);
	row = stmt_next(&s, e);
	stmt_end(&s);
	return row;
}

/* The guild itself, and its @everyone: 1, 0 if it isn't known. */
static int
load_guild(struct realm *r, struct db *db, uint64_t guild, struct err *e)
{
	const struct realm_source from = {
	    .member = find_member,
	    .joined = find_joined,
	    .ctx = r,
	    .db = db,
	};
	struct stmt s = {0};
	int row;

	stmt_start(&s, db,
	    "SELECT g.owner, r.permissions FROM guild g"
	    " JOIN role r ON r.id = g.id WHERE g.id = ?1"
	    " AND g.as_of_ms >= coalesce(g.people_ms, 0)"
	    " AND r.as_of_ms >= coalesce(g.people_ms, 0)"
	    " AND g.gone_ms IS NULL AND r.permissions IS NOT NULL");
	stmt_int(&s, 1, (int64_t)guild);
	row = stmt_next(&s, e);
	if (row > 0) {
		realm_start(r, guild, (uint64_t)row_int(&s, 0), &from);
		realm_add_role(r, guild, (uint64_t)row_int(&s, 1));
	}
	stmt_end(&s);
	return row;
}

static int
load_roles(struct realm *r, struct db *db, struct err *e)
{
	struct stmt s = {0};
	int row;

	stmt_start(&s, db,
	    "SELECT id, permissions FROM role WHERE guild = ?1 AND id <> ?1"
	    " AND permissions IS NOT NULL");
	stmt_int(&s, 1, (int64_t)r->crowd.guild);
	while ((row = stmt_next(&s, e)) > 0)
		realm_add_role(r, (uint64_t)row_int(&s, 0),
		    (uint64_t)row_int(&s, 1));
	stmt_end(&s);
	return row;
}

static int
load_overwrites(struct db *db, struct stmt *s, int64_t ord, struct overwrite *o,
    size_t *count, struct err *e)
{
	int row;

	*count = 0;
	stmt_start(s, db,
	    "SELECT target, is_member, allow, deny FROM overwrite"
	    " WHERE channel = ?1 LIMIT ?2");
	stmt_int(s, 1, ord);
	stmt_int(s, 2, OVERWRITES_MOST);
	while ((row = stmt_next(s, e)) > 0)
		o[(*count)++] = (struct overwrite){
		    .target = (uint64_t)row_int(s, 0),
		    .member = row_int(s, 1) != 0,
		    .allow = (uint64_t)row_int(s, 2),
		    .deny = (uint64_t)row_int(s, 3),
		};
	stmt_reset(s);
	return row;
}

static int
load_channels(struct realm *r, struct db *db, struct overwrite *room,
    struct err *e)
{
	struct stmt s = {0}, overwrites = {0};
	int row, result = 0;

	stmt_start(&s, db,
	    "SELECT id, parent, ord, kind FROM channel WHERE guild = ?1"
	    " AND as_of_ms IS NOT NULL AND kind IS NOT NULL"
	    " AND id NOT IN (SELECT id FROM tombstone_channel)"
	    " AND (kind BETWEEN 10 AND 12 OR as_of_ms >="
	    "  (SELECT coalesce(people_ms, 0) FROM guild WHERE id = ?1))");
	stmt_int(&s, 1, (int64_t)r->crowd.guild);
	while (result == 0 && (row = stmt_next(&s, e)) > 0) {
		struct channel_facts c = {
		    .id = (uint64_t)row_int(&s, 0),
		    .parent = (uint64_t)row_int(&s, 1),
		    .kind = row_int(&s, 3),
		    .overwrites = room,
		};

		result = load_overwrites(db, &overwrites, row_int(&s, 2), room,
		    &c.overwrite_count, e);
		realm_add_channel(r, &c, row_int(&s, 2));
	}
	stmt_end(&overwrites);
	stmt_end(&s);
	return result < 0 ? -1 : row;
}

int
realm_load(struct realm *r, struct db *db, uint64_t guild, struct err *e)
{
	struct overwrite *room;
	int row = load_guild(r, db, guild, e), result = -1;

	if (row <= 0)
		return row;
	room = mem_array(OVERWRITES_MOST, sizeof(*room));
	if (load_roles(r, db, e) == 0 && load_channels(r, db, room, e) == 0) {
		realm_ready(r);
		result = 1;
	}
	free(room);
	return result;
}
