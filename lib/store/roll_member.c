/* Roles of people, and who is where: the rest of store/roll.h. */
#include "core/err.h"
#include "core/id.h"
#include "record/message.h"
#include "store/author.h"
#include "store/roll.h"

static int
add_role(struct roll *r, uint32_t author, uint64_t guild, uint64_t role,
    struct err *e)
{
	stmt_start(&r->any, r->db,
	    "INSERT OR IGNORE INTO role(id, guild, name) VALUES (?1, ?2, '')");
	stmt_int(&r->any, 1, (int64_t)role);
	stmt_int(&r->any, 2, (int64_t)guild);
	if (stmt_run(&r->any, e) < 0)
		return -1;
	stmt_start(&r->member, r->db,
	    "INSERT OR IGNORE INTO member_role(author, guild, role)"
	    " VALUES (?1, ?2, ?3)");
	stmt_int(&r->member, 1, author);
	stmt_int(&r->member, 2, (int64_t)guild);
	stmt_int(&r->member, 3, (int64_t)role);
	return stmt_run(&r->member, e);
}

static int
drop_roles(struct roll *r, uint32_t author, uint64_t guild, struct err *e)
{
	stmt_start(&r->any, r->db,
	    "DELETE FROM member_role WHERE author = ?1 AND guild = ?2");
	stmt_int(&r->any, 1, author);
	stmt_int(&r->any, 2, (int64_t)guild);
	return stmt_run(&r->any, e);
}

/* 1 if these are the newest news of the member's roles, 0 or -1. */
static int
date_roles(struct roll *r, uint32_t author, const struct member_facts *m,
    int64_t at_ms, struct err *e)
{
	stmt_start(&r->any, r->db,
	    "UPDATE member SET roles_ms = ?3, timeout_ms = ?4, left_ms = NULL"
	    " WHERE author = ?1 AND guild = ?2 AND coalesce(roles_ms, 0) <= ?3"
	    " AND coalesce(left_ms, 0) <= ?3");
	stmt_int(&r->any, 1, author);
	stmt_int(&r->any, 2, (int64_t)m->guild);
	stmt_int(&r->any, 3, at_ms);
	stmt_opt(&r->any, 4, m->timeout_ms);
	return stmt_run(&r->any, e) < 0 ? -1 : db_changes(r->db) > 0;
}

int
roll_member(struct roll *r, struct authors *a, const struct member_facts *m,
    int64_t at_ms, struct err *e)
{
	const struct message news = {
	    .id = snowflake_first(at_ms),
	    .author =
		{
		    .id = m->id,
		    .name = m->name,
		    .discriminator = m->discriminator,
		    .display = m->display,
		    .nickname = m->nickname,
		    .bot = m->bot,
		    .member = true,
		},
	};
	uint32_t author;
	int newest;

	if (!m->has_user || roll_need_guild(r, m->guild, e) < 0 ||
	    authors_put(a, r->db, &news, m->guild, &author, e) < 0)
		return e->kind ? -1 : 0;
	if (!m->has_roles)
		return 0;
	newest = date_roles(r, author, m, at_ms, e);
	if (newest <= 0)
		return newest;
	if (drop_roles(r, author, m->guild, e) < 0)
		return -1;
	for (size_t i = 0; i < m->role_count; i++)
		if (add_role(r, author, m->guild, m->roles[i], e) < 0)
			return -1;
	return 0;
}

/* Are these the roles that are known: 1, 0 or -1. */
static int
same_roles(struct roll *r, int64_t author, const struct member_facts *m,
    struct err *e)
{
	size_t known = 0, found = 0;
	int row;

	stmt_start(&r->any, r->db,
	    "SELECT role FROM member_role WHERE author = ?1 AND guild = ?2");
	stmt_int(&r->any, 1, author);
	stmt_int(&r->any, 2, (int64_t)m->guild);
	while ((row = stmt_next(&r->any, e)) > 0) {
		known++;
		for (size_t i = 0; i < m->role_count; i++)
			if (m->roles[i] == (uint64_t)row_int(&r->any, 0)) {
				found++;
				break;
			}
	}
	stmt_reset(&r->any);
	return row < 0 ? -1 : known == found && known == m->role_count;
}

int
roll_member_lately(struct roll *r, struct authors *a,
    const struct member_facts *m, int64_t at_ms, int64_t fresh_ms,
    struct err *e)
{
	int64_t author;
	int row;

	stmt_start(&r->any, r->db,
	    "SELECT a.ord FROM author a JOIN member m ON m.author = a.ord"
	    " JOIN guild g ON g.id = m.guild"
	    " WHERE a.id = ?1 AND m.guild = ?2 AND m.roles_ms > ?3"
	    "  AND m.roles_ms >= coalesce(g.people_ms, 0)"
	    "  AND coalesce(m.timeout_ms, 0) = ?4");
	stmt_int(&r->any, 1, (int64_t)m->id);
	stmt_int(&r->any, 2, (int64_t)m->guild);
	stmt_int(&r->any, 3, at_ms - fresh_ms);
	stmt_int(&r->any, 4, m->timeout_ms);
	row = stmt_next(&r->any, e);
	author = row > 0 ? row_int(&r->any, 0) : 0;
	stmt_reset(&r->any);
	if (row > 0)
		row = same_roles(r, author, m, e);
	if (row)
		return row < 0 ? -1 : 0;
	return roll_member(r, a, m, at_ms, e);
}

int
roll_member_gone(struct roll *r, uint64_t guild, uint64_t user, int64_t at_ms,
    struct err *e)
{
	int64_t author = 0;
	int row;

	stmt_start(&r->any, r->db,
	    "SELECT m.author FROM author a JOIN member m ON m.author = a.ord"
	    " WHERE a.id = ?1 AND m.guild = ?2"
	    " AND coalesce(m.roles_ms, 0) <= ?3");
	stmt_int(&r->any, 1, (int64_t)user);
	stmt_int(&r->any, 2, (int64_t)guild);
	stmt_int(&r->any, 3, at_ms);
	row = stmt_next(&r->any, e);
	author = row > 0 ? row_int(&r->any, 0) : 0;
	stmt_reset(&r->any);
	if (row <= 0)
		return row;
	if (drop_roles(r, (uint32_t)author, guild, e) < 0)
		return -1;
	stmt_start(&r->any, r->db,
	    "UPDATE member SET left_ms = ?3, roles_ms = ?3"
	    " WHERE author = ?1 AND guild = ?2");
	stmt_int(&r->any, 1, author);
	stmt_int(&r->any, 2, (int64_t)guild);
	stmt_int(&r->any, 3, at_ms);
	return stmt_run(&r->any, e);
}
