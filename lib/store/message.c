#include "store/message.h"

#include <stdio.h>
#include <string.h>

#include "core/err.h"
#include "core/id.h"
#include "ext/text.h"
#include "record/message.h"
#include "store/base.h"
#include "store/meta.h"

enum { FLAG_PINNED = 1, FLAG_FILES = 2, FLAG_EMBEDS = 4, FLAG_EDITED = 8 };

/* What the row of a message holds, besides its text. */
struct row {
	int64_t ord;
	uint32_t channel, author;
	int flags;
	const char *language;
};

int
messages_open(struct messages *s, struct store *base, struct err *e)
{
	int64_t analyzer, rebuild;

	*s = (struct messages){.db = &base->db};
	tokens_open(&s->tokens, s->db);
	s->authors.text = s->tokens.text;
	if (meta_int(s->db, "analyzer", text_version(), &analyzer, e) < 0 ||
	    meta_int(s->db, "rebuild", 0, &rebuild, e) < 0) {
		messages_close(s);
		return -1;
	}
	return analyzer != text_version() || rebuild != 0;
}

void
messages_close(struct messages *s)
{
	stmt_end(&s->insert);
	stmt_end(&s->find);
	stmt_end(&s->update);
	stmt_end(&s->dead);
	channels_release(&s->channels);
	authors_release(&s->authors);
	tokens_close(&s->tokens);
}

/* The index's generation; a new index gets one. After a reset, caches go. */
static int
check_generation(struct messages *s, struct err *e)
{
	struct buf now = {0};
	int row = meta_text(s->db, "generation", &now, e);

	if (row == 0) {
		char id[ID_LEN + 1];

		id_new(id);
		buf_str(&now, id);
		row = meta_set_text(s->db, "generation", id, e);
		if (row == 0)
			row = meta_set_int(s->db, "analyzer", text_version(),
			    e);
	}
	if (row >= 0 && strcmp(s->generation, buf_text(&now)) != 0) {
		channels_forget(&s->channels);
		authors_forget(&s->authors);
		snprintf(s->generation, sizeof(s->generation), "%s",
		    buf_text(&now));
	}
	buf_release(&now);
	return row < 0 ? -1 : 0;
}

int
messages_begin(struct messages *s, struct err *e)
{
	int64_t dead;

	s->count = 0;
	tokens_begin(&s->tokens);
	if (tokens_respect_rebuild(&s->tokens, e) < 0 ||
	    check_generation(s, e) < 0 ||
	    meta_int(s->db, "next", 1, &s->next, e) < 0 ||
	    db_int(s->db, "SELECT EXISTS (SELECT 1 FROM tombstone)", 0, &dead,
		e) < 0)
		return -1;
	s->tombstones = dead != 0;
	return 0;
}

static int
add_meta(struct messages *s, const char *name, int64_t more, struct err *e)
{
	int64_t n;

	if (meta_int(s->db, name, 0, &n, e) < 0)
		return -1;
	return meta_set_int(s->db, name, n + more, e);
}

int
messages_end(struct messages *s, struct err *e)
{
	if (tokens_end(&s->tokens, e) < 0 ||
	    meta_set_int(s->db, "next", s->next, e) < 0 ||
	    add_meta(s, "messages", s->count, e) < 0)
		return -1;
	return add_meta(s, "tokens", s->tokens.total, e);
}

static int
flags_of(const struct message *m)
{
	const char *more = buf_text(&m->more);

	return (m->pinned ? FLAG_PINNED : 0) |
	       (strncmp(more, "{\"attachments\"", 14) == 0 ? FLAG_FILES : 0) |
	       (strstr(more, "\"embeds\":") ? FLAG_EMBEDS : 0) |
	       (m->edited_ms ? FLAG_EDITED : 0);
}

static void
bind(struct stmt *t, const struct message *m, const struct row *r)
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

/* 1 if it was inserted, 0 if there is one with this id. */
static int
insert(struct messages *s, const struct message *m, const struct row *r,
    struct err *e)
{
	stmt_start(&s->insert, s->db,
	    "INSERT INTO message(ord, id, channel, author, kind, flags, reply,"
	    " edited, language, text, more)"
	    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)"
	    " ON CONFLICT(id) DO NOTHING");
	bind(&s->insert, m, r);
	if (stmt_run(&s->insert, e) < 0)
		return -1;
	return db_changes(s->db) > 0;
}

static int
update(struct messages *s, const struct message *m, const struct row *r,
    struct err *e)
{
	stmt_start(&s->update, s->db,
	    "UPDATE message SET id = ?2, channel = ?3, author = ?4, kind = ?5,"
	    " flags = ?6, reply = ?7, edited = ?8, language = ?9, text = ?10,"
	    " more = ?11 WHERE ord = ?1");
	bind(&s->update, m, r);
	return stmt_run(&s->update, e);
}

/* The message as it is stored: *old borrows from the statement. */
static int
find(struct messages *s, uint64_t id, struct message *old, struct row *r,
    struct err *e)
{
	size_t len;
	int row;

	stmt_start(&s->find, s->db,
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
	old->reply = (uint64_t)row_int(&s->find, 5);
	old->edited_ms = row_int(&s->find, 6);
	old->text = row_text(&s->find, 8);
	old->text_len = row_len(&s->find, 8);
	len = row_len(&s->find, 9);
	buf_add(&old->more, row_text(&s->find, 9), len);
	return 1;
}

static bool
same_text(const struct message *a, const struct message *b)
{
	return a->text_len == b->text_len &&
	       memcmp(a->text, b->text, a->text_len) == 0 &&
	       a->more.len == b->more.len &&
	       memcmp(buf_text(&a->more), buf_text(&b->more), a->more.len) == 0;
}

/* Write m in place of what is stored in the row. */
static int
replace(struct messages *s, const struct message *m, const struct row *now,
    const struct message *old, const struct row *r, struct err *e)
{
	int count = tokens_make(&s->tokens, old, r->language, e);

	if (count < 0 || tokens_drop(&s->tokens, r->ord, count, e) < 0)
		return -1;
	count = tokens_make(&s->tokens, m, now->language, e);
	if (count < 0 || update(s, m, now, e) < 0 ||
	    tokens_put(&s->tokens, now->ord, now->channel, count, e) < 0)
		return -1;
	return PUT_CHANGED;
}

/* There is one with this id: compare. */
static int
put_again(struct messages *s, const struct message *m, struct row *now,
    struct err *e)
{
	struct message old = {0};
	struct row r;
	int result = find(s, m->id, &old, &r, e);

	if (result <= 0)
		goto out;
	now->ord = r.ord;
	if (m->edited_ms < old.edited_ms)
		result = same_text(m, &old) ? PUT_UNCHANGED : PUT_OLDER;
	else if (same_text(m, &old) && m->edited_ms == old.edited_ms &&
		 m->kind == old.kind && m->reply == old.reply &&
		 now->flags == r.flags && now->channel == r.channel &&
		 now->author == r.author)
		result = PUT_UNCHANGED;
	else
		result = replace(s, m, now, &old, &r, e);
out:
	stmt_reset(&s->find);
	message_release(&old);
	return result;
}

/* Make the tokens of one message for another language. */
static int
turn_to(struct messages *s, uint64_t id, const char *language, struct err *e)
{
	struct message old = {0};
	struct row r, now;
	int result = find(s, id, &old, &r, e);

	if (result > 0) {
		now = r;
		now.language = language;
		result = replace(s, &old, &now, &old, &r, e);
	}
	stmt_reset(&s->find);
	message_release(&old);
	return result;
}

int
messages_set_language(struct messages *s, const struct message *m,
    const char *language, struct err *e)
{
	const struct channel_slot *slot;
	struct stmt rows = {0};
	uint64_t last = 0;
	int row, result = -1;

	if (channels_put(&s->channels, s->db, m, &slot, e) < 0 ||
	    channels_set_language(&s->channels, s->db, m->channel.id, language,
		e) < 0)
		return -1;
	do {
		stmt_start(&rows, s->db,
		    "SELECT id FROM message WHERE channel ="
		    " (SELECT ord FROM channel WHERE id = ?1)"
		    " AND id > ?2 ORDER BY id LIMIT 1");
		stmt_int(&rows, 1, (int64_t)m->channel.id);
		stmt_int(&rows, 2, (int64_t)last);
		row = stmt_next(&rows, e);
		last = row > 0 ? (uint64_t)row_int(&rows, 0) : 0;
		stmt_reset(&rows);
		if (row < 0 || (row > 0 && turn_to(s, last, language, e) < 0))
			goto out;
	} while (row > 0);
	result = 0;
out:
	stmt_end(&rows);
	return result;
}

/* 1 if the message was deleted for good. */
static int
is_dead(struct messages *s, uint64_t id, struct err *e)
{
	int row;

	if (!s->tombstones)
		return 0;
	stmt_start(&s->dead, s->db, "SELECT 1 FROM tombstone WHERE id = ?1");
	stmt_int(&s->dead, 1, (int64_t)id);
	row = stmt_next(&s->dead, e);
	stmt_reset(&s->dead);
	return row;
}

static int
put_new(struct messages *s, const struct message *m, const struct row *r,
    struct err *e)
{
	int count = tokens_make(&s->tokens, m, r->language, e);

	if (count < 0 ||
	    tokens_put(&s->tokens, r->ord, r->channel, count, e) < 0)
		return -1;
	s->next++;
	s->count++;
	return PUT_NEW;
}

int
messages_put(struct messages *s, const struct message *m, struct err *e)
{
	const struct channel_slot *channel;
	struct row r = {.ord = s->next, .flags = flags_of(m)};
	int dead, inserted;

	dead = is_dead(s, m->id, e);
	if (dead)
		return dead < 0 ? -1 : PUT_DELETED;
	if (channels_put(&s->channels, s->db, m, &channel, e) < 0 ||
	    authors_put(&s->authors, s->db, m, channel->guild, &r.author, e) <
		0)
		return -1;
	r.channel = channel->ord;
	r.language = channel->language;
	inserted = insert(s, m, &r, e);
	if (inserted < 0)
		return -1;
	return inserted ? put_new(s, m, &r, e) : put_again(s, m, &r, e);
}
