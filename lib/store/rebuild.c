#include "store/rebuild.h"

#include "core/clock.h"
#include "core/err.h"
#include "core/id.h"
#include "ext/text.h"
#include "record/message.h"
#include "store/base.h"
#include "store/meta.h"
#include "store/tokens.h"
#include "store/tombstone.h"

enum { TURN_MS = 30, TURN_ROWS = 16 };

struct rebuild {
	struct db *db;
	struct tokens tokens;
	struct stmt rows;
	struct message m;
	int64_t next; /* ordinal */
	int64_t done; /* messages */
};

/* Throw the tokens away, unless that was done and only the rest is missing. */
static int
begin(struct rebuild *r, struct err *e)
{
	static const char empty
	    [] = "INSERT INTO message_fts(message_fts) VALUES ('delete-all')";
	int64_t analyzer;

	if (meta_int(r->db, "analyzer", 0, &analyzer, e) < 0 ||
	    meta_int(r->db, "rebuild", 0, &r->next, e) < 0)
		return -1;
	if (r->next && analyzer == text_version())
		return 0;
	r->next = 1;
	if (db_exec(r->db, empty, e) < 0 ||
	    meta_set_int(r->db, "analyzer", text_version(), e) < 0 ||
	    meta_set_int(r->db, "tokens", 0, e) < 0)
		return -1;
	return meta_set_int(r->db, "rebuild", r->next, e);
}

/* Up to TURN_ROWS messages: how many, 0 at the end, or -1. */
static int
some(struct rebuild *r, struct err *e)
{
	struct stmt *s = &r->rows;
	int row, tokens, count = 0;

	stmt_start(s, r->db,
	    "SELECT ord, channel, language, text, more FROM message"
	    " WHERE ord >= ?1 ORDER BY ord LIMIT ?2");
	stmt_int(s, 1, r->next);
	stmt_int(s, 2, TURN_ROWS);
	while ((row = stmt_next(s, e)) > 0) {
		message_clear(&r->m);
		r->m.text = row_text(s, 3);
		r->m.text_len = row_len(s, 3);
		buf_str(&r->m.more, row_text(s, 4));
		tokens = tokens_make(&r->tokens, &r->m, row_text(s, 2), e);
		if (tokens < 0 || tokens_put(&r->tokens, row_int(s, 0),
				      (uint32_t)row_int(s, 1), tokens, e) < 0)
			break;
		r->next = row_int(s, 0) + 1;
		count++;
	}
	stmt_reset(s);
	return row ? -1 : count;
}

/* What a turn must leave behind; the last one, that it was the last. */
static int
end(struct rebuild *r, bool last, struct err *e)
{
	int64_t tokens;

	if (tokens_end(&r->tokens, e) < 0 ||
	    meta_int(r->db, "tokens", 0, &tokens, e) < 0 ||
	    meta_set_int(r->db, "tokens", tokens + r->tokens.total, e) < 0)
		return -1;
	return last ? meta_unset(r->db, "rebuild", e)
		    : meta_set_int(r->db, "rebuild", r->next, e);
}

/* One turn: 1, 0 for the last, or -1. */
static int
turn(struct rebuild *r, struct store *base, struct err *e)
{
	const int64_t until_ms = clock_boot_ms() + TURN_MS;
	int n;

	if (store_begin(base, e) < 0)
		return -1;
	tokens_begin(&r->tokens);
	n = begin(r, e) < 0 ? -1 : 1;
	while (n > 0 && clock_boot_ms() < until_ms && (n = some(r, e)) > 0)
		r->done += n;
	if (n < 0 || end(r, n == 0, e) < 0) {
		store_rollback(base);
		return -1;
	}
	return store_commit(base, e) < 0 ? -1 : n > 0;
}

int64_t
rebuild_run(struct store *base, rebuild_progress_fn *progress, void *ctx,
    struct err *e)
{
	struct rebuild r = {.db = &base->db};
	int64_t last = 0;
	int n = -1;

	tokens_open(&r.tokens, r.db);
	if (meta_int(r.db, "next", 1, &last, e) == 0)
		while ((n = turn(&r, base, e)) > 0)
			progress(ctx, r.next - 1, last - 1);
	stmt_end(&r.rows);
	tokens_close(&r.tokens);
	message_release(&r.m);
	return n < 0 ? -1 : r.done;
}

int
rebuild_mark(struct store *base, struct err *e)
{
	if (store_begin(base, e) < 0)
		return -1;
	if (meta_set_int(&base->db, "analyzer", 0, e) < 0) {
		store_rollback(base);
		return -1;
	}
	return store_commit(base, e);
}

static int
empty_all(struct db *db, struct err *e)
{
	static const char sql[] =
	    "INSERT INTO message_fts(message_fts) VALUES ('delete-all');"
	    "DELETE FROM message; DELETE FROM chunk; DELETE FROM coverage;"
	    "DELETE FROM import; DELETE FROM overwrite;"
	    "DELETE FROM thread_member; DELETE FROM touched;"
	    "DELETE FROM reaction; DELETE FROM recheck; DELETE FROM crawl; DELETE FROM listing;"
	    "DELETE FROM member_role; DELETE FROM member;"
	    "DELETE FROM author_name; DELETE FROM author; DELETE FROM role;"
	    "DELETE FROM channel; DELETE FROM guild;"
	    "DELETE FROM meta WHERE name <> 'bot';";
	char generation[ID_LEN + 1];

	id_new(generation);
	if (tombstones_seed(db, e) < 0 || db_exec(db, sql, e) < 0 ||
	    meta_set_int(db, "analyzer", text_version(), e) < 0)
		return -1;
	return meta_set_text(db, "generation", generation, e);
}

int64_t
rebuild_reset(struct store *base, struct err *e)
{
	int64_t messages;

	if (store_begin(base, e) < 0)
		return -1;
	if (meta_int(&base->db, "messages", 0, &messages, e) < 0 ||
	    empty_all(&base->db, e) < 0) {
		store_rollback(base);
		return -1;
	}
	if (store_commit(base, e) < 0 || db_exec(&base->db, "VACUUM", e) < 0 ||
	    db_truncate_wal(&base->db, e) < 0)
		return -1;
	return messages;
}
