#include "store/letter.h"

#include <string.h>

#include "core/clock.h"
#include "core/err.h"
#include "store/base.h"

static const char *const words[] = {"pending", "sent", "delivered", "failed",
    "unknown"};

int
letter_add(struct store *s, int64_t parcel, const struct letter *l,
    struct err *e)
{
	static const char
	    sql[] = "INSERT INTO delivery (outbox, k, nonce, text, file, state)"
		    " VALUES (?1, ?2, ?3, ?4, ?5, 'pending')";
	struct stmt q = {0};

	stmt_start(&q, &s->db, sql);
	stmt_int(&q, 1, parcel);
	stmt_int(&q, 2, l->k);
	stmt_text(&q, 3, l->nonce);
	stmt_text(&q, 4, l->text);
	stmt_int(&q, 5, l->file);
	return stmt_once(&q, e);
}

static enum letter_state
state_of(const char *word)
{
	int i = LETTER_PENDING;

	while (i < LETTER_UNKNOWN && strcmp(words[i], word) != 0)
		i++;
	return (enum letter_state)i;
}

int
letter_next(struct stmt *scan, struct store *s, int64_t parcel, int64_t after,
    struct letter *l, struct err *e)
{
	static const char sql[] =
	    "SELECT k, nonce, text, file, state, message, first_ms"
	    " FROM delivery WHERE outbox = ?1 AND k > ?2 ORDER BY k LIMIT 1";
	int row;

	stmt_start(scan, &s->db, sql);
	stmt_int(scan, 1, parcel);
	stmt_int(scan, 2, after);
	row = stmt_next(scan, e);
	if (row > 0)
		*l = (struct letter){
		    .k = row_int(scan, 0),
		    .nonce = row_text(scan, 1),
		    .text = row_text(scan, 2),
		    .file = row_int(scan, 3) != 0,
		    .state = state_of(row_text(scan, 4)),
		    .message = row_text_opt(scan, 5),
		    .first_ms = row_int(scan, 6),
		};
	return row;
}

int
letter_sending(struct store *s, int64_t parcel, int64_t k, bool anew,
    struct err *e)
{
	static const char sql[] = "UPDATE delivery SET state = 'sent',"
				  "  attempts = attempts + 1, first_ms ="
				  "  iif(?3 OR first_ms IS NULL, ?4, first_ms)"
				  " WHERE outbox = ?1 AND k = ?2";
	struct stmt q = {0};

	stmt_start(&q, &s->db, sql);
	stmt_int(&q, 1, parcel);
	stmt_int(&q, 2, k);
	stmt_int(&q, 3, anew);
	stmt_int(&q, 4, clock_now_ms());
	return stmt_once(&q, e);
}

int
letter_done(struct store *s, int64_t parcel, int64_t k, enum letter_state state,
    const char *message, const char *why, struct err *e)
{
	static const char
	    sql[] = "UPDATE delivery SET state = ?3, message = ?4, reason = ?5"
		    " WHERE outbox = ?1 AND k = ?2";
	struct stmt q = {0};

	stmt_start(&q, &s->db, sql);
	stmt_int(&q, 1, parcel);
	stmt_int(&q, 2, k);
	stmt_text(&q, 3, words[state]);
	stmt_text(&q, 4, message);
	stmt_text(&q, 5, why);
	return stmt_once(&q, e);
}

int
letters_drop(struct store *s, int64_t parcel, struct err *e)
{
	static const char sql[] = "DELETE FROM delivery WHERE outbox = ?1";
	struct stmt q = {0};

	stmt_start(&q, &s->db, sql);
	stmt_int(&q, 1, parcel);
	return stmt_once(&q, e);
}

int
letter_known(struct store *s, const char *message, struct err *e)
{
	static const char sql[] = "SELECT 1 FROM delivery WHERE message = ?1";
	struct stmt q = {0};
	int row;

	stmt_start(&q, &s->db, sql);
	stmt_text(&q, 1, message);
	row = stmt_next(&q, e);
	stmt_end(&q);
	return row;
}
