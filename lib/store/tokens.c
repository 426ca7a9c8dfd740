#include "store/tokens.h"

#include <stdbool.h>

#include "core/err.h"
#include "ext/text.h"
#include "record/message.h"
#include "store/meta.h"

void
tokens_open(struct tokens *t, struct db *db)
{
	*t = (struct tokens){.db = db, .text = text_open()};
	tokens_begin(t);
}

void
tokens_close(struct tokens *t)
{
	stmt_end(&t->put);
	stmt_end(&t->drop);
	chunks_release(&t->chunks);
	buf_release(&t->words);
	buf_release(&t->made);
	text_close(t->text);
	t->text = NULL;
}

void
tokens_begin(struct tokens *t)
{
	t->total = t->left_from = 0;
	chunks_begin(&t->chunks, t->db);
}

int
tokens_end(struct tokens *t, struct err *e)
{
	return chunks_flush(&t->chunks, e);
}

int
tokens_respect_rebuild(struct tokens *t, struct err *e)
{
	return meta_int(t->db, "rebuild", 0, &t->left_from, e);
}

static bool
left(const struct tokens *t, int64_t ord)
{
	return t->left_from && ord >= t->left_from;
}

int
tokens_make(struct tokens *t, const struct message *m, const char *language,
    struct err *e)
{
	const char *words = m->text;
	size_t len = m->text_len;

	buf_clear(&t->made);
	if (message_has_words(m)) {
		buf_clear(&t->words);
		message_words(&t->words, m);
		words = buf_text(&t->words);
		len = t->words.len;
	}
	return text_tokens(t->text, &t->made, words, len, language, e);
}

int
tokens_put(struct tokens *t, int64_t ord, uint32_t channel, int count,
    struct err *e)
{
	if (chunks_set(&t->chunks, ord, count, channel, e) < 0)
		return -1;
	if (!count || left(t, ord))
		return 0;
	t->total += count;
	stmt_start(&t->put, t->db,
	    "INSERT INTO message_fts(rowid, tokens) VALUES (?1, ?2)");
	stmt_int(&t->put, 1, ord);
	stmt_text_ref(&t->put, 2, t->made.data, t->made.len);
	return stmt_run(&t->put, e);
}

int
tokens_drop(struct tokens *t, int64_t ord, int count, struct err *e)
{
	if (!count || left(t, ord))
		return 0;
	t->total -= count;
	stmt_start(&t->drop, t->db,
	    "INSERT INTO message_fts(message_fts, rowid, tokens)"
	    " VALUES ('delete', ?1, ?2)");
	stmt_int(&t->drop, 1, ord);
	stmt_text_ref(&t->drop, 2, t->made.data, t->made.len);
	return stmt_run(&t->drop, e);
}
