#include "store/author.h"

#include <stdlib.h>
#include <string.h>

#include "core/err.h"
#include "core/id.h"
#include "core/mem.h"
#include "ext/json.h"
#include "ext/text.h"
#include "record/message.h"
#include "store/print.h"

void
authors_forget(struct authors *a)
{
	free(a->slots);
	a->slots = NULL;
}

void
authors_release(struct authors *a)
{
	stmt_end(&a->find);
	stmt_end(&a->insert);
	stmt_end(&a->update);
	stmt_end(&a->member);
	stmt_end(&a->roles);
	stmt_end(&a->role);
	stmt_end(&a->name);
	stmt_end(&a->seen);
	stmt_end(&a->told);
	buf_release(&a->folded);
	authors_forget(a);
}

/* Write up to which message a slot's author was seen. */
static int
flush_slot(struct authors *a, struct db *db, struct author_slot *s,
    struct err *e)
{
	if (!s->id || s->seen <= s->stored)
		return 0;
	stmt_start(&a->seen, db,
	    "UPDATE member SET seen = ?3"
	    " WHERE author = ?1 AND guild = ?2 AND seen < ?3");
	stmt_int(&a->seen, 1, s->ord);
	stmt_int(&a->seen, 2, (int64_t)s->guild);
	stmt_int(&a->seen, 3, (int64_t)s->seen);
	s->stored = s->seen;
	return stmt_run(&a->seen, e);
}

/* The set of slots an author may be in, the one used last in front. */
static struct author_slot *
set_of(struct authors *a, uint64_t id, uint64_t guild)
{
	if (!a->slots)
		a->slots = mem_array(AUTHOR_SLOTS, sizeof(*a->slots));
	return &a->slots[print_mix(id ^ print_mix(guild)) %
			 (AUTHOR_SLOTS / AUTHOR_WAYS) * AUTHOR_WAYS];
}

/* Bring an author's slot to the front of its set; false if it has none. */
static bool
find_slot(struct author_slot *set, uint64_t id, uint64_t guild)
{
	struct author_slot found;
	size_t i = 0;

	while (set[i].id != id || set[i].guild != guild)
		if (++i == AUTHOR_WAYS)
			return false;
	if (i) {
		found = set[i];
		memmove(set + 1, set, i * sizeof(*set));
		set[0] = found;
	}
	return true;
}

/* Make room in front, for an author that has no slot. */
static int
push_slot(struct authors *a, struct db *db, struct author_slot *set,
    struct err *e)
{
	if (flush_slot(a, db, &set[AUTHOR_WAYS - 1], e) < 0)
		return -1;
	memmove(set + 1, set, (AUTHOR_WAYS - 1) * sizeof(*set));
	set[0] = (struct author_slot){0};
	return 0;
}

static uint64_t
print_of(const struct message *m)
{
	uint64_t p = print_start(m->author.bot + 2U * m->author.member);

	p = print_text(p, m->author.name);
	p = print_text(p, m->author.discriminator);
	p = print_text(p, m->author.nickname);
	p = print_text(p, m->author.display);
	p = print_text(p, m->author.color);
	return print_text(p, m->roles.data);
}

int
authors_flush(struct authors *a, struct db *db, struct err *e)
{
	for (size_t i = 0; a->slots && i < AUTHOR_SLOTS; i++)
		if (flush_slot(a, db, &a->slots[i], e) < 0)
			return -1;
	return 0;
}

/* Find the user, or add it. *newest: this message is the newest of theirs. */
static int
put_user(struct authors *a, struct db *db, const struct message *m,
    struct author_slot *s, bool *newest, struct err *e)
{
	int row;

	stmt_start(&a->find, db,
	    "SELECT ord, (SELECT max(seen) FROM member WHERE author = ord)"
	    " FROM author WHERE id = ?1");
	stmt_int(&a->find, 1, (int64_t)m->author.id);
	row = stmt_next(&a->find, e);
	if (row > 0) {
		s->ord = (uint32_t)row_int(&a->find, 0);
		*newest = (uint64_t)row_int(&a->find, 1) <= m->id;
	}
	stmt_reset(&a->find);
	if (row)
		return row;
	stmt_start(&a->insert, db,
	    "INSERT INTO author(id, name, discriminator, is_bot, display)"
	    " VALUES (?1, coalesce(?2, ''), ?3, ?4, ?5)");
	stmt_int(&a->insert, 1, (int64_t)m->author.id);
	stmt_text(&a->insert, 2, m->author.name);
	stmt_text(&a->insert, 3, m->author.discriminator);
	stmt_int(&a->insert, 4, m->author.bot);
	stmt_text(&a->insert, 5, m->author.display);
	if (stmt_run(&a->insert, e) < 0)
		return -1;
	s->ord = (uint32_t)db_last_id(db);
	*newest = true;
	return 0;
}

static int
update_user(struct authors *a, struct db *db, const struct message *m,
    const struct author_slot *s, struct err *e)
{
	stmt_start(&a->update, db,
	    "UPDATE author SET name = coalesce(?2, name),"
	    " discriminator = ?3, is_bot = ?4,"
	    " display = coalesce(?5, display) WHERE ord = ?1"
	    " AND (name IS NOT coalesce(?2, name) OR is_bot <> ?4"
	    "      OR display IS NOT coalesce(?5, display)"
	    "      OR discriminator IS NOT ?3)");
	stmt_int(&a->update, 1, s->ord);
	stmt_text(&a->update, 2, m->author.name);
	stmt_text(&a->update, 3, m->author.discriminator);
	stmt_int(&a->update, 4, m->author.bot);
	stmt_text(&a->update, 5, m->author.display);
	return stmt_run(&a->update, e);
}

/* Returns 1 if the row was new, or older than this message. */
static int
put_member(struct authors *a, struct db *db, const struct message *m,
    const struct author_slot *s, struct err *e)
{
	stmt_start(&a->member, db,
	    "INSERT INTO member(author, guild, nickname, color, seen)"
	    " VALUES (?1, ?2, ?3, ?4, ?5)"
	    " ON CONFLICT(author, guild) DO UPDATE SET"
	    " nickname = iif(?6, ?3, nickname), color = iif(?6, ?4, color),"
	    " seen = ?5 WHERE seen <= ?5");
	stmt_int(&a->member, 1, s->ord);
	stmt_int(&a->member, 2, (int64_t)s->guild);
	stmt_text(&a->member, 3, m->author.nickname);
	stmt_text(&a->member, 4, m->author.color);
	stmt_int(&a->member, 5, (int64_t)m->id);
	stmt_int(&a->member, 6, m->author.member);
	if (stmt_run(&a->member, e) < 0)
		return -1;
	return db_changes(db) > 0;
}

static int
put_role(struct authors *a, struct db *db, const struct author_slot *s,
    const struct json *v, struct err *e)
{
	const char *text = json_string(v, "id");
	uint64_t id;

	if (!text || snowflake_read(&id, text) < 0)
		return 0;
	stmt_start(&a->role, db,
	    "INSERT INTO role(id, guild, name, color, position)"
	    " VALUES (?1, ?2, coalesce(?3, ''), ?4, ?5)"
	    " ON CONFLICT(id) DO UPDATE SET name = coalesce(?3, name),"
	    " color = ?4, position = ?5 WHERE as_of_ms IS NULL");
	stmt_int(&a->role, 1, (int64_t)id);
	stmt_int(&a->role, 2, (int64_t)s->guild);
	stmt_text(&a->role, 3, json_string(v, "name"));
	stmt_text(&a->role, 4, json_string(v, "color"));
	stmt_int(&a->role, 5, json_int(v, "position", 0));
	if (stmt_run(&a->role, e) < 0)
		return -1;
	stmt_start(&a->roles, db,
	    "INSERT OR IGNORE INTO member_role(author, guild, role)"
	    " VALUES (?1, ?2, ?3)");
	stmt_int(&a->roles, 1, s->ord);
	stmt_int(&a->roles, 2, (int64_t)s->guild);
	stmt_int(&a->roles, 3, (int64_t)id);
	return stmt_run(&a->roles, e);
}

static int
put_roles(struct authors *a, struct db *db, const struct message *m,
    const struct author_slot *s, struct err *e)
{
	struct json *list = NULL;
	int result = -1;

	if (json_read(&list, m->roles.data, m->roles.len, e) < 0)
		goto out;
	stmt_start(&a->roles, db,
	    "DELETE FROM member_role WHERE author = ?1 AND guild = ?2");
	stmt_int(&a->roles, 1, s->ord);
	stmt_int(&a->roles, 2, (int64_t)s->guild);
	result = stmt_run(&a->roles, e);
	for (const struct json *v = json_first(list); v && result == 0;
	     v = json_next(v))
		result = put_role(a, db, s, v, e);
out:
	json_free(list);
	return result;
}

static int
put_name(struct authors *a, struct db *db, uint32_t ord, const char *name,
    const char *kind, uint64_t guild, uint64_t seen, struct err *e)
{
	if (!name || !*name)
		return 0;
	buf_clear(&a->folded);
	if (text_fold(a->text, &a->folded, name, strlen(name), e) < 0)
		return -1;
	stmt_start(&a->name, db,
	    "INSERT INTO author_name(folded, author, name, kind, guild, seen)"
	    " VALUES (?1, ?2, ?3, ?4, ?5, ?6)"
	    " ON CONFLICT DO UPDATE SET seen = max(seen, ?6)");
	stmt_text(&a->name, 1, buf_text(&a->folded));
	stmt_int(&a->name, 2, ord);
	stmt_text(&a->name, 3, name);
	stmt_text(&a->name, 4, kind);
	stmt_int(&a->name, 5, (int64_t)guild);
	stmt_int(&a->name, 6, (int64_t)seen);
	return stmt_run(&a->name, e);
}

static int
put_names(struct authors *a, struct db *db, const struct message *m,
    const struct author_slot *s, struct err *e)
{
	const struct message_author *w = &m->author;

	if (put_name(a, db, s->ord, w->name, "username", 0, m->id, e) < 0 ||
	    put_name(a, db, s->ord, w->display, "display", 0, m->id, e) < 0)
		return -1;
	return put_name(a, db, s->ord, w->nickname, "nickname", s->guild, m->id,
	    e);
}

/* 1 if Discord told the member's roles: an archive doesn't know better. */
static int
roles_told(struct authors *a, struct db *db, const struct author_slot *s,
    struct err *e)
{
	int row;

	stmt_start(&a->told, db,
	    "SELECT 1 FROM member WHERE author = ?1 AND guild = ?2"
	    " AND roles_ms IS NOT NULL");
	stmt_int(&a->told, 1, s->ord);
	stmt_int(&a->told, 2, (int64_t)s->guild);
	row = stmt_next(&a->told, e);
	stmt_reset(&a->told);
	return row;
}

/* Store all that a message says of its author. */
static int
renew(struct authors *a, struct db *db, const struct message *m,
    struct author_slot *s, struct err *e)
{
	bool newest = false;
	int member;

	if (put_user(a, db, m, s, &newest, e) < 0)
		return -1;
	if (newest && update_user(a, db, m, s, e) < 0)
		return -1;
	member = put_member(a, db, m, s, e);
	if (member < 0)
		return -1;
	if (member && m->roles.len) {
		member = roles_told(a, db, s, e);
		if (member < 0 || (!member && put_roles(a, db, m, s, e) < 0))
			return -1;
	}
	return put_names(a, db, m, s, e);
}

int
authors_put(struct authors *a, struct db *db, const struct message *m,
    uint64_t guild, uint32_t *ord, struct err *e)
{
	struct author_slot *s = set_of(a, m->author.id, guild);
	uint64_t print = print_of(m);
	bool found = find_slot(s, m->author.id, guild);

	if (!found && push_slot(a, db, s, e) < 0)
		return err_in(e, "author");
	if (!found || s->print != print) {
		if (flush_slot(a, db, s, e) < 0)
			return err_in(e, "author");
		*s = (struct author_slot){.guild = guild};
		if (renew(a, db, m, s, e) < 0)
			return err_in(e, "author");
		s->id = m->author.id;
		s->print = print;
		s->seen = s->stored = m->id;
	}
	if (m->id > s->seen)
		s->seen = m->id;
	*ord = s->ord;
	return 0;
}
