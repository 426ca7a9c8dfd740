#include "store/message.h"

#include <stdio.h>
#include <string.h>

#include "core/err.h"
#include "core/id.h"
#include "ext/text.h"
#include "record/message.h"
#include "store/base.h"
#include "store/meta.h"
#include "store/scrub.h"

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
	message_rows_release(&s->rows);
	stmt_end(&s->dead);
	stmt_end(&s->mark);
	stmt_end(&s->some);
	graves_release(&s->graves);
	buf_release(&s->was);
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

/* Once for each index, and after a reset: what was deleted stays so. */
static int
meet_tombstones(struct messages *s, struct err *e)
{
	int64_t met;

	if (meta_int(s->db, "tombstones", 0, &met, e) < 0)
		return -1;
	if (met)
		return 0;
	return tombstones_exchange(s->db, e) < 0
		   ? -1
		   : meta_set_int(s->db, "tombstones", 1, e);
}

int
messages_begin(struct messages *s, struct err *e)
{
	int64_t dead;

	s->count = 0;
	s->deleted = false;
	graves_clear(&s->graves);
	tokens_begin(&s->tokens);
	if (tokens_respect_rebuild(&s->tokens, e) < 0 ||
	    check_generation(s, e) < 0 || meet_tombstones(s, e) < 0 ||
	    meta_int(s->db, "next", 1, &s->next, e) < 0 ||
	    db_int(s->db,
		"SELECT EXISTS (SELECT 1 FROM tombstone)"
		" OR EXISTS (SELECT 1 FROM tombstone_channel)",
		0, &dead, e) < 0)
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
	if (s->deleted && scrub_want(s->db, e) < 0)
		return -1;
	if (tombstones_note(&s->graves, false, e) < 0)
		return -1;
	if (tokens_end(&s->tokens, e) < 0 ||
	    meta_set_int(s->db, "next", s->next, e) < 0 ||
	    add_meta(s, "messages", s->count, e) < 0)
		return -1;
	return add_meta(s, "tokens", s->tokens.total, e);
}

static bool
same_text(const struct message *a, const struct message *b)
{
	return a->text_len == b->text_len &&
	       memcmp(a->text, b->text, a->text_len) == 0 &&
	       a->more.len == b->more.len &&
	       memcmp(buf_text(&a->more), buf_text(&b->more), a->more.len) == 0;
}

/* Keep the tokens made last aside, or bring them back. */
static void
swap_tokens(struct messages *s)
{
	struct buf made = s->tokens.made;

	s->tokens.made = s->was;
	s->was = made;
}

static bool
same_tokens(const struct messages *s)
{
	const struct buf *made = &s->tokens.made;

	return made->len == s->was.len &&
	       memcmp(buf_text(made), buf_text(&s->was), made->len) == 0;
}

/* Write m in place of what is stored in the row. */
static int
replace(struct messages *s, const struct message *m,
    const struct message_row *now, const struct message *old,
    const struct message_row *r, struct err *e)
{
	int before, after;

	before = tokens_make(&s->tokens, old, r->language, e);
	swap_tokens(s);
	if (before < 0)
		return -1;
	after = tokens_make(&s->tokens, m, now->language, e);
	if (after < 0 || message_row_update(&s->rows, s->db, m, now, e) < 0)
		return -1;
	if (same_tokens(s) && now->channel == r->channel)
		return PUT_CHANGED;
	swap_tokens(s);
	if (tokens_drop(&s->tokens, r->ord, before, e) < 0)
		return -1;
	swap_tokens(s);
	if (tokens_put(&s->tokens, now->ord, now->channel, after, e) < 0)
		return -1;
	return PUT_CHANGED;
}

/* Put it in place of the one that is stored, unless that is newer. */
static int
compare(struct messages *s, const struct message *m,
    const struct message_row *now, const struct message *old,
    const struct message_row *r, struct err *e)
{
	if (m->edited_ms < old->edited_ms)
		return same_text(m, old) ? PUT_UNCHANGED : PUT_OLDER;
	if (same_text(m, old) && m->edited_ms == old->edited_ms &&
	    m->kind == old->kind && m->reply == old->reply &&
	    now->flags == r->flags && now->channel == r->channel &&
	    now->author == r->author)
		return PUT_UNCHANGED;
	return replace(s, m, now, old, r, e);
}

/* There is one with this id: compare. */
static int
put_again(struct messages *s, const struct message *m, struct message_row *now,
    struct err *e)
{
	struct message old = {0};
	struct message_row r;
	int result = message_row_find(&s->rows, s->db, m->id, &old, &r, e);

	if (result > 0) {
		now->ord = r.ord;
		result = compare(s, m, now, &old, &r, e);
	}
	message_row_done(&s->rows);
	message_release(&old);
	return result;
}

/* Make the tokens of one message for another language. */
static int
turn_to(struct messages *s, uint64_t id, const char *language, struct err *e)
{
	struct message old = {0};
	struct message_row r, now;
	int result = message_row_find(&s->rows, s->db, id, &old, &r, e);

	if (result > 0) {
		now = r;
		now.language = language;
		result = replace(s, &old, &now, &old, &r, e);
	}
	message_row_done(&s->rows);
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

/* 1 if the message, or all of its channel, was deleted for good. */
static int
is_dead(struct messages *s, const struct message *m, struct err *e)
{
	int row;

	if (!s->tombstones)
		return 0;
	stmt_start(&s->dead, s->db,
	    "SELECT 1 FROM tombstone WHERE id = ?1 UNION ALL"
	    " SELECT 1 FROM tombstone_channel WHERE id = ?2");
	stmt_int(&s->dead, 1, (int64_t)m->id);
	stmt_int(&s->dead, 2, (int64_t)m->channel.id);
	row = stmt_next(&s->dead, e);
	stmt_reset(&s->dead);
	return row;
}

static int
put_new(struct messages *s, const struct message *m,
    const struct message_row *r, struct err *e)
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
	struct message_row r = {.ord = s->next, .flags = message_flags(m)};
	int dead, inserted;

	dead = is_dead(s, m, e);
	if (dead)
		return dead < 0 ? -1 : PUT_DELETED;
	if (channels_put(&s->channels, s->db, m, &channel, e) < 0 ||
	    authors_put(&s->authors, s->db, m, channel->guild, &r.author, e) <
		0)
		return -1;
	r.channel = channel->ord;
	r.language = channel->language;
	inserted = message_row_insert(&s->rows, s->db, m, &r, e);
	if (inserted < 0)
		return -1;
	return inserted ? put_new(s, m, &r, e) : put_again(s, m, &r, e);
}

/* Fill in what the new version leaves untold. */
static int
complete(struct messages *s, struct message *m, unsigned told,
    const struct message *old, const struct message_row *r,
    struct message_row *now, struct err *e)
{
	const struct channel_slot *channel;

	*now = *r;
	if (message_merge(m, old, told, e) < 0)
		return -1;
	now->flags = message_flags(m);
	if (!(told & MESSAGE_TOLD_AUTHOR))
		return 0;
	if (channels_put(&s->channels, s->db, m, &channel, e) < 0)
		return -1;
	return authors_put(&s->authors, s->db, m, channel->guild, &now->author,
	    e);
}

int
messages_update(struct messages *s, struct message *m, unsigned told,
    struct err *e)
{
	struct message old = {0};
	struct message_row r, now;
	int result = message_row_find(&s->rows, s->db, m->id, &old, &r, e);

	if (result == 0)
		result = PUT_ABSENT;
	else if (result > 0 && complete(s, m, told, &old, &r, &now, e) < 0)
		result = -1;
	else if (result > 0)
		result = compare(s, m, &now, &old, &r, e);
	message_row_done(&s->rows);
	message_release(&old);
	return result;
}
