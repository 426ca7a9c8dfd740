#include "access/realm.h"

#include <stdlib.h>

#include "core/mem.h"
#include "ext/db.h"
#include "record/community.h"

struct realm_member {
	struct realm_member *next;
	uint64_t user;
	bool known, timed_out;
	uint64_t granted;
	uint64_t roles[ROLES_MOST];
	size_t role_count;
};

/* The guild itself: 1, 0 if it isn't known. */
static int
read_guild(struct realm *r, uint64_t guild, struct err *e)
{
	struct stmt s = {0};
	int row;

	stmt_start(&s, r->db,
	    "SELECT g.owner, r.permissions FROM guild g"
	    " JOIN role r ON r.id = g.id WHERE g.id = ?1"
	    " AND g.as_of_ms IS NOT NULL AND g.gone_ms IS NULL"
	    " AND r.permissions IS NOT NULL");
	stmt_int(&s, 1, (int64_t)guild);
	row = stmt_next(&s, e);
	if (row > 0) {
		r->crowd.guild = guild;
		r->crowd.owner = (uint64_t)row_int(&s, 0);
		r->crowd.everyone = (uint64_t)row_int(&s, 1);
	}
	stmt_end(&s);
	return row;
}

static int
read_roles(struct realm *r, struct err *e)
{
	struct stmt s = {0};
	size_t room = 0;
	int row;

	stmt_start(&s, r->db,
	    "SELECT id, permissions FROM role WHERE guild = ?1 AND id <> ?1"
	    " AND permissions IS NOT NULL");
	stmt_int(&s, 1, (int64_t)r->crowd.guild);
	while ((row = stmt_next(&s, e)) > 0) {
		if (r->crowd.role_count == room) {
			room = room ? 2 * room : 64;
			r->roles = mem_resize(r->roles, room,
			    sizeof(*r->roles));
		}
		r->roles[r->crowd.role_count++] = (struct crowd_role){
		    .id = (uint64_t)row_int(&s, 0),
		    .permissions = (uint64_t)row_int(&s, 1),
		};
	}
	r->crowd.roles = r->roles;
	stmt_end(&s);
	return row;
}

static int
read_overwrites(struct realm *r, struct realm_channel *c, struct stmt *s,
    size_t *room, struct err *e)
{
	int row;

	c->from = r->overwrite_count;
	stmt_start(s, r->db,
	    "SELECT target, is_member, allow, deny FROM overwrite"
	    " WHERE channel = ?1");
	stmt_int(s, 1, c->ord);
	while ((row = stmt_next(s, e)) > 0) {
		if (r->overwrite_count == *room) {
			*room = *room ? 2 * *room : 256;
			r->overwrites = mem_resize(r->overwrites, *room,
			    sizeof(*r->overwrites));
		}
		r->overwrites[r->overwrite_count++] = (struct overwrite){
		    .target = (uint64_t)row_int(s, 0),
		    .member = row_int(s, 1) != 0,
		    .allow = (uint64_t)row_int(s, 2),
		    .deny = (uint64_t)row_int(s, 3),
		};
		c->rules.count++;
	}
	stmt_reset(s);
	return row;
}

static int
read_channels(struct realm *r, struct err *e)
{
	struct stmt s = {0}, overwrites = {0};
	size_t room = 0, overwrite_room = 0;
	int row, result = 0;

	stmt_start(&s, r->db,
	    "SELECT id, parent, ord, kind FROM channel WHERE guild = ?1"
	    " AND as_of_ms IS NOT NULL AND kind IS NOT NULL ORDER BY id");
	stmt_int(&s, 1, (int64_t)r->crowd.guild);
	while (result == 0 && (row = stmt_next(&s, e)) > 0) {
		struct realm_channel *c;

		if (r->channel_count == room) {
			room = room ? 2 * room : 64;
			r->channels = mem_resize(r->channels, room,
			    sizeof(*r->channels));
		}
		c = &r->channels[r->channel_count++];
		*c = (struct realm_channel){
		    .id = (uint64_t)row_int(&s, 0),
		    .parent = (uint64_t)row_int(&s, 1),
		    .ord = row_int(&s, 2),
		    .kind = row_int(&s, 3),
		};
		result = read_overwrites(r, c, &overwrites, &overwrite_room, e);
	}
	stmt_end(&overwrites);
	stmt_end(&s);
	return result < 0 ? -1 : row;
}

/* Now that nothing moves any more, say whose rules hold where. */
static void
set_rules(struct realm *r)
{
	for (size_t i = 0; i < r->channel_count; i++) {
		struct realm_channel *c = &r->channels[i];

		c->rules.at = r->overwrites ? r->overwrites + c->from : NULL;
		c->ruled = !channel_is_thread(c->kind);
	}
	for (size_t i = 0; i < r->channel_count; i++) {
		struct realm_channel *c = &r->channels[i];
		const struct realm_channel *parent;

		if (c->ruled)
			continue;
		parent = realm_channel(r, c->parent);
		if (parent && !channel_is_thread(parent->kind)) {
			c->rules = parent->rules;
			c->ruled = true;
		}
	}
}

/* Roles of a member: 1, 0 if they aren't known, or -1. */
static int
read_member(struct realm *r, struct realm_member *m, struct err *e)
{
	struct stmt s = {0};
	int row;

	stmt_start(&s, r->db,
	    "SELECT r.id, r.permissions, m.timeout_ms"
	    " FROM author a JOIN member m ON m.author = a.ord AND m.guild = ?2"
	    " LEFT JOIN member_role k ON k.author = a.ord AND k.guild = ?2"
	    " LEFT JOIN role r ON r.id = k.role"
	    " WHERE a.id = ?1 AND m.roles_ms IS NOT NULL AND m.left_ms IS NULL"
	    " LIMIT ?3");
	stmt_int(&s, 1, (int64_t)m->user);
	stmt_int(&s, 2, (int64_t)r->crowd.guild);
	stmt_int(&s, 3, ROLES_MOST);
	while ((row = stmt_next(&s, e)) > 0) {
		m->known = true;
		m->timed_out = row_int(&s, 2) > r->now_ms;
		if (row_null(&s, 0) ||
		    (uint64_t)row_int(&s, 0) == r->crowd.guild)
			continue;
		m->granted |= (uint64_t)row_int(&s, 1);
		m->roles[m->role_count++] = (uint64_t)row_int(&s, 0);
	}
	stmt_end(&s);
	return row < 0 ? -1 : m->known;
}

/* The member, asked for once; NULL and *e if it can't be looked up. */
static const struct realm_member *
member(struct realm *r, uint64_t user, struct err *e)
{
	struct realm_member *m = r->members;

	while (m && m->user != user)
		m = m->next;
	if (m)
		return m;
	m = mem_new(sizeof(*m));
	m->user = user;
	m->next = r->members;
	r->members = m;
	return read_member(r, m, e) < 0 ? NULL : m;
}

static bool
known(void *ctx, uint64_t user, struct permission *p)
{
	struct realm *r = ctx;
	const struct realm_member *m = member(r, user, &r->failed);

	if (!m || !m->known)
		return false;
	p->granted = m->granted;
	p->roles = m->roles;
	p->role_count = m->role_count;
	return true;
}

int
realm_open(struct realm *r, struct db *db, uint64_t guild, int64_t now_ms,
    struct err *e)
{
	int row;

	*r = (struct realm){.db = db, .now_ms = now_ms};
	r->crowd.known = known;
	r->crowd.ctx = r;
	if ((row = read_guild(r, guild, e)) <= 0)
		return row;
	if (read_roles(r, e) < 0 || read_channels(r, e) < 0)
		return -1;
	set_rules(r);
	return 1;
}

void
realm_release(struct realm *r)
{
	struct realm_member *next;

	for (struct realm_member *m = r->members; m; m = next) {
		next = m->next;
		free(m);
	}
	free(r->channels);
	free(r->overwrites);
	free(r->roles);
	*r = (struct realm){0};
}

static int
by_id(const void *key, const void *item)
{
	uint64_t id = *(const uint64_t *)key;
	const struct realm_channel *c = item;

	return id < c->id ? -1 : id > c->id;
}

const struct realm_channel *
realm_channel(const struct realm *r, uint64_t id)
{
	return r->channel_count ? bsearch(&id, r->channels, r->channel_count,
				      sizeof(*r->channels), by_id)
				: NULL;
}

static int
is_joined(struct realm *r, uint64_t user, const struct realm_channel *c,
    struct err *e)
{
	struct stmt s = {0};
	int row;

	if (c->kind != CHANNEL_PRIVATE_THREAD)
		return 0;
	stmt_start(&s, r->db,
	    "SELECT 1 FROM thread_member WHERE channel = ?1 AND user = ?2");
	stmt_int(&s, 1, c->ord);
	stmt_int(&s, 2, (int64_t)user);
	row = stmt_next(&s, e);
	stmt_end(&s);
	return row;
}

int
realm_bits(struct realm *r, uint64_t user, const struct realm_channel *c,
    uint64_t *bits, struct err *e)
{
	const struct realm_member *m = member(r, user, e);
	struct permission p = {.guild = r->crowd.guild, .user = user};
	int joined;

	*bits = 0;
	if (!m)
		return -1;
	if (!m->known || !c->ruled)
		return 0;
	if ((joined = is_joined(r, user, c, e)) < 0)
		return -1;
	p.owner = user == r->crowd.owner;
	p.everyone = r->crowd.everyone;
	p.timed_out = m->timed_out;
	(void)known(r, user, &p);
	*bits = permission_at(&p, c->kind, joined, c->rules.at, c->rules.count);
	return 1;
}
