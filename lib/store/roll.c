#include "store/roll.h"

#include "core/err.h"

void
roll_release(struct roll *r)
{
	stmt_end(&r->guild);
	stmt_end(&r->channel);
	stmt_end(&r->ord);
	stmt_end(&r->overwrite);
	stmt_end(&r->role);
	stmt_end(&r->member);
	stmt_end(&r->any);
}

int
roll_need_guild(struct roll *r, uint64_t id, struct err *e)
{
	stmt_start(&r->any, r->db,
	    "INSERT OR IGNORE INTO guild(id, name) VALUES (?1, '')");
	stmt_int(&r->any, 1, (int64_t)id);
	return stmt_run(&r->any, e);
}

int
roll_guild(struct roll *r, const struct guild_facts *g, int shard,
    int64_t at_ms, struct err *e)
{
	stmt_start(&r->guild, r->db,
	    "INSERT INTO guild(id, name, owner, shard, as_of_ms)"
	    " VALUES (?1, coalesce(?2, ''), ?3, ?4, ?5)"
	    " ON CONFLICT(id) DO UPDATE SET name = coalesce(?2, name),"
	    " owner = coalesce(?3, owner), shard = ?4, as_of_ms = ?5,"
	    " gone_ms = NULL WHERE coalesce(as_of_ms, 0) <= ?5");
	stmt_int(&r->guild, 1, (int64_t)g->id);
	stmt_text(&r->guild, 2, g->name);
	stmt_opt(&r->guild, 3, (int64_t)g->owner);
	stmt_int(&r->guild, 4, shard);
	stmt_int(&r->guild, 5, at_ms);
	return stmt_run(&r->guild, e);
}

int
roll_guild_gone(struct roll *r, uint64_t id, int64_t at_ms, struct err *e)
{
	stmt_start(&r->any, r->db,
	    "UPDATE guild SET gone_ms = ?2, as_of_ms = ?2 WHERE id = ?1");
	stmt_int(&r->any, 1, (int64_t)id);
	stmt_int(&r->any, 2, at_ms);
	return stmt_run(&r->any, e);
}

/* The ordinal of a channel: 1, 0 if there is none, or -1. */
static int
ord_of(struct roll *r, uint64_t id, int64_t *ord, struct err *e)
{
	int row;

	stmt_start(&r->ord, r->db, "SELECT ord FROM channel WHERE id = ?1");
	stmt_int(&r->ord, 1, (int64_t)id);
	row = stmt_next(&r->ord, e);
	*ord = row > 0 ? row_int(&r->ord, 0) : 0;
	stmt_reset(&r->ord);
	return row;
}

static int
put_overwrites(struct roll *r, const struct channel_facts *c, struct err *e)
{
	int64_t ord;

	if (ord_of(r, c->id, &ord, e) <= 0)
		return -1;
	stmt_start(&r->any, r->db, "DELETE FROM overwrite WHERE channel = ?1");
	stmt_int(&r->any, 1, ord);
	if (stmt_run(&r->any, e) < 0)
		return -1;
	for (size_t i = 0; i < c->overwrite_count; i++) {
		const struct overwrite *o = &c->overwrites[i];

		stmt_start(&r->overwrite, r->db,
		    "INSERT OR REPLACE INTO overwrite(channel, target,"
		    " is_member, allow, deny) VALUES (?1, ?2, ?3, ?4, ?5)");
		stmt_int(&r->overwrite, 1, ord);
		stmt_int(&r->overwrite, 2, (int64_t)o->target);
		stmt_int(&r->overwrite, 3, o->member);
		stmt_int(&r->overwrite, 4, (int64_t)o->allow);
		stmt_int(&r->overwrite, 5, (int64_t)o->deny);
		if (stmt_run(&r->overwrite, e) < 0)
			return -1;
	}
	return 0;
}

static void
bind_channel(struct stmt *s, const struct channel_facts *c, int64_t at_ms)
{
	const bool thread = channel_is_thread(c->kind);
	const char *word = channel_kind_word(c->kind);

	stmt_int(s, 1, (int64_t)c->id);
	stmt_int(s, 2, (int64_t)c->guild);
	stmt_opt(s, 3, (int64_t)c->parent);
	stmt_text(s, 4, word);
	stmt_text(s, 5, c->name);
	stmt_text(s, 6, c->topic);
	stmt_int(s, 7, c->kind);
	stmt_int(s, 8, c->position);
	stmt_int(s, 9, c->nsfw);
	stmt_opt(s, 10, (int64_t)c->owner);
	if (thread) {
		stmt_int(s, 11, c->archived);
		stmt_int(s, 12, c->locked);
	}
	stmt_opt(s, 13, c->archived_ms);
	stmt_int(s, 14, at_ms);
	stmt_opt(s, 15, (int64_t)c->last);
}

/* 1 if Discord told of this channel before, 0 or -1. */
static int
was_told(struct roll *r, uint64_t id, struct err *e)
{
	int row;

	stmt_start(&r->any, r->db,
	    "SELECT 1 FROM channel WHERE id = ?1 AND as_of_ms IS NOT NULL");
	stmt_int(&r->any, 1, (int64_t)id);
	row = stmt_next(&r->any, e);
	stmt_reset(&r->any);
	return row;
}

int
roll_channel(struct roll *r, const struct channel_facts *c, int64_t at_ms,
    struct err *e)
{
	int told = was_told(r, c->id, e);

	if (told < 0 || roll_need_guild(r, c->guild, e) < 0)
		return -1;
	stmt_start(&r->channel, r->db,
	    "INSERT INTO channel(id, guild, parent, type, name, topic, kind,"
	    " position, nsfw, owner, archived, locked, archived_ms, as_of_ms, last)"
	    " VALUES (?1, ?2, ?3, ?4, coalesce(?5, ''), ?6, ?7, ?8, ?9, ?10,"
	    " ?11, ?12, ?13, ?14, ?15)"
	    " ON CONFLICT(id) DO UPDATE SET guild = ?2, parent = ?3,"
	    " type = ?4, name = coalesce(?5, name), topic = ?6, kind = ?7,"
	    " position = ?8, nsfw = ?9, owner = ?10, archived = ?11,"
	    " locked = ?12, archived_ms = ?13, as_of_ms = ?14, last = ?15,"
	    " forbidden = NULL, forbidden_ms = NULL"
	    " WHERE coalesce(as_of_ms, 0) <= ?14");
	bind_channel(&r->channel, c, at_ms);
	if (stmt_run(&r->channel, e) < 0)
		return -1;
	if (db_changes(r->db) && c->has_overwrites &&
	    put_overwrites(r, c, e) < 0)
		return -1;
	return !told;
}

/* Run a statement of a channel, or guild, and perhaps of a time. */
static int
run(struct roll *r, const char *sql, uint64_t id, int64_t at_ms, struct err *e)
{
	stmt_start(&r->any, r->db, sql);
	stmt_int(&r->any, 1, (int64_t)id);
	if (at_ms)
		stmt_int(&r->any, 2, at_ms);
	return stmt_run(&r->any, e);
}

int
roll_channel_gone(struct roll *r, uint64_t id, int64_t at_ms, struct err *e)
{
	static const char
	    mark[] = "UPDATE channel SET forbidden = 'it was deleted',"
		     " forbidden_ms = ?2, as_of_ms = ?2 WHERE id = ?1";
	static const char *const sql[] = {
	    "DELETE FROM overwrite WHERE channel ="
	    " (SELECT ord FROM channel WHERE id = ?1)",
	    "DELETE FROM thread_member WHERE channel ="
	    " (SELECT ord FROM channel WHERE id = ?1)",
	    "DELETE FROM crawl WHERE channel = ?1",
	    "DELETE FROM listing WHERE channel = ?1",
	};

	if (run(r, mark, id, at_ms, e) < 0)
		return -1;
	for (size_t i = 0; i < sizeof(sql) / sizeof(*sql); i++)
		if (run(r, sql[i], id, 0, e) < 0)
			return -1;
	return 0;
}

int
roll_absent(struct roll *r, uint64_t guild, int64_t at_ms, struct err *e)
{
	if (run(r,
		"UPDATE channel SET forbidden = 'Discord does not list it',"
		" forbidden_ms = ?2, as_of_ms = NULL WHERE guild = ?1 AND as_of_ms < ?2"
		" AND kind NOT BETWEEN 10 AND 12",
		guild, at_ms, e) < 0)
		return -1;
	return run(r,
	    "UPDATE channel SET archived = 1 WHERE guild = ?1"
	    " AND as_of_ms < ?2 AND kind BETWEEN 10 AND 12 AND archived = 0",
	    guild, at_ms, e);
}

int
roll_role(struct roll *r, const struct role_facts *x, int64_t at_ms,
    struct err *e)
{
	if (roll_need_guild(r, x->guild, e) < 0)
		return -1;
	stmt_start(&r->role, r->db,
	    "INSERT INTO role(id, guild, name, color, position, permissions,"
	    " as_of_ms) VALUES (?1, ?2, coalesce(?3, ''), ?4, ?5, ?6, ?7)"
	    " ON CONFLICT(id) DO UPDATE SET name = coalesce(?3, name),"
	    " color = ?4, position = ?5, permissions = ?6, as_of_ms = ?7"
	    " WHERE coalesce(as_of_ms, 0) <= ?7");
	stmt_int(&r->role, 1, (int64_t)x->id);
	stmt_int(&r->role, 2, (int64_t)x->guild);
	stmt_text(&r->role, 3, x->name);
	stmt_text(&r->role, 4, *x->color ? x->color : NULL);
	stmt_int(&r->role, 5, x->position);
	stmt_int(&r->role, 6, (int64_t)x->permissions);
	stmt_int(&r->role, 7, at_ms);
	return stmt_run(&r->role, e);
}

int
roll_role_gone(struct roll *r, uint64_t id, struct err *e)
{
	stmt_start(&r->any, r->db, "DELETE FROM member_role WHERE role = ?1");
	stmt_int(&r->any, 1, (int64_t)id);
	if (stmt_run(&r->any, e) < 0)
		return -1;
	stmt_start(&r->any, r->db, "DELETE FROM overwrite WHERE target = ?1");
	stmt_int(&r->any, 1, (int64_t)id);
	if (stmt_run(&r->any, e) < 0)
		return -1;
	stmt_start(&r->any, r->db, "DELETE FROM role WHERE id = ?1");
	stmt_int(&r->any, 1, (int64_t)id);
	return stmt_run(&r->any, e);
}

int
roll_roles_told(struct roll *r, uint64_t guild, int64_t at_ms, struct err *e)
{
	static const char old[] = "SELECT id FROM role WHERE guild = ?1"
				  " AND coalesce(as_of_ms, 0) < ?2 LIMIT 1";
	struct stmt s = {0};
	int row, result = 0;

	do {
		stmt_start(&s, r->db, old);
		stmt_int(&s, 1, (int64_t)guild);
		stmt_int(&s, 2, at_ms);
		row = stmt_next(&s, e);
		if (row > 0) {
			uint64_t id = (uint64_t)row_int(&s, 0);

			stmt_reset(&s);
			result = roll_role_gone(r, id, e);
		}
	} while (row > 0 && result == 0);
	stmt_end(&s);
	return row < 0 ? -1 : result;
}

int
roll_missed(struct roll *r, int shard, uint64_t bot, int64_t at_ms,
    struct err *e)
{
	stmt_start(&r->any, r->db,
	    "UPDATE guild SET people_ms = ?2 WHERE coalesce(shard, 0) = ?1");
	stmt_int(&r->any, 1, shard);
	stmt_int(&r->any, 2, at_ms);
	if (stmt_run(&r->any, e) < 0)
		return -1;
	stmt_start(&r->any, r->db,
	    "DELETE FROM thread_member WHERE user <> ?2 AND channel IN"
	    " (SELECT c.ord FROM channel c JOIN guild g ON g.id = c.guild"
	    "  WHERE coalesce(g.shard, 0) = ?1)");
	stmt_int(&r->any, 1, shard);
	stmt_int(&r->any, 2, (int64_t)bot);
	return stmt_run(&r->any, e);
}

int
roll_thread_member(struct roll *r, uint64_t thread, uint64_t user, bool in,
    struct err *e)
{
	int64_t ord;
	int row = ord_of(r, thread, &ord, e);

	if (row <= 0)
		return row;
	stmt_start(&r->any, r->db,
	    in ? "INSERT OR IGNORE INTO thread_member(channel, user)"
		 " VALUES (?1, ?2)"
	       : "DELETE FROM thread_member WHERE channel = ?1 AND user = ?2");
	stmt_int(&r->any, 1, ord);
	stmt_int(&r->any, 2, (int64_t)user);
	return stmt_run(&r->any, e);
}
