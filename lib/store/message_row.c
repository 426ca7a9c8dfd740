#include "store/message_row.h"

#include <string.h>

#include "core/err.h"
#include "record/message.h"

int
message_flags(const struct message *m)
{
	const char *more = buf_text(&m->more);

	return (m->pinned ? MESSAGE_PINNED : 0) |
	       (strncmp(more, "{\"attachments\"", 14) == 0 ? MESSAGE_HAS_FILES
							   : 0) |
	       (strstr(more, "\"embeds\":") ? MESSAGE_HAS_EMBEDS : 0) |
	       (m->edited_ms ? MESSAGE_EDITED : 0);
}

static void
bind(struct stmt *t, const struct message *m, const struct message_row *r)
{
	stmt_int(t, 1, r->ord);
	stmt_int(t, 2, (int64_t)m->id);
	stmt_int(t, 3, r->channel);
	stmt_int(t, 4, r->author);
	stmt_int(t, 5, m->kind);
	stmt_int(t, 6, r->flags);
	stmt_opt(t, 7, (int64_t)m->reply);
	stmt_opt(t, 8, m->edited_ms);
	if (*r->language)
		stmt_text_ref(t, 9, r->language, strlen(r->language));
	stmt_text_ref(t, 10, m->text ? m->text : "", m->text_len);
	if (m->more.len)
		stmt_text_ref(t, 11, m->more.data, m->more.len);
}

int
message_row_insert(struct message_rows *s, struct db *db,
    const struct message *m, const struct message_row *r, struct err *e)
{
	stmt_start(&s->insert, db,
	    "INSERT INTO message(ord, id, channel, author, kind, flags, reply,"
	    " edited, language, text, more)"
	    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)"
	    " ON CONFLICT(id) DO NOTHING");
	bind(&s->insert, m, r);
	if (stmt_run(&s->insert, e) < 0)
		return -1;
	return db_changes(db) > 0;
}

int
message_row_update(struct message_rows *s, struct db *db,
    const struct message *m, const struct message_row *r, struct err *e)
{
	stmt_start(&s->update, db,
	    "UPDATE message SET id = ?2, channel = ?3, author = ?4, kind = ?5,"
	    " flags = ?6, reply = ?7, edited = ?8, language = ?9, text = ?10,"
	    " more = ?11 WHERE ord = ?1");
	bind(&s->update, m, r);
	return stmt_run(&s->update, e);
}

int
message_row_drop(struct message_rows *s, struct db *db, int64_t ord,
    struct err *e)
{
	stmt_start(&s->drop, db, "DELETE FROM message WHERE ord = ?1");
	stmt_int(&s->drop, 1, ord);
	return stmt_run(&s->drop, e);
}

int
message_row_find(struct message_rows *s, struct db *db, uint64_t id,
    struct message *old, struct message_row *r, struct err *e)
{
	size_t len;
	int row;

	stmt_start(&s->find, db,
	    "SELECT ord, channel, author, kind, flags, reply, edited,"
	    " language, text, more FROM message WHERE id = ?1");
	stmt_int(&s->find, 1, (int64_t)id);
	row = stmt_next(&s->find, e);
	if (row <= 0)
		return row;
	r->ord = row_int(&s->find, 0);
	r->channel = (uint32_t)row_int(&s->find, 1);
	r->author = (uint32_t)row_int(&s->find, 2);
	r->flags = (int)row_int(&s->find, 4);
	r->language = row_text(&s->find, 7);
	old->id = id;
	old->kind = row_int(&s->find, 3);
	old->pinned = r->flags & MESSAGE_PINNED;
	old->reply = (uint64_t)row_int(&s->find, 5);
	old->edited_ms = row_int(&s->find, 6);
	old->text = row_text(&s->find, 8);
	old->text_len = row_len(&s->find, 8);
	len = row_len(&s->find, 9);
	buf_add(&old->more, row_text(&s->find, 9), len);
	return 1;
}

void
message_row_done(struct message_rows *s)
{
	stmt_reset(&s->find);
}

void
message_rows_release(struct message_rows *s)
{
	stmt_end(&s->insert);
	stmt_end(&s->find);
	stmt_end(&s->update);
	stmt_end(&s->drop);
}
