#include "store/verify.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/buf.h"
#include "core/err.h"
#include "core/hash.h"
#include "core/mem.h"
#include "ext/text.h"
#include "record/message.h"
#include "store/meta.h"
#include "store/print.h"
#include "store/tokens.h"

enum { TELL_MOST = 100 }; /* problems; the rest is only counted */

struct verify {
	struct db *db;
	struct tokens tokens;
	struct verify_count *count;
	health_fn *put;
	void *ctx;
	uint64_t *prints; /* of the tokens of each CHUNK_SIZE ordinals */
	int64_t chunks;
};

static void
find(struct verify *v, enum health level, const struct buf *text)
{
	v->put(v->ctx, &(struct finding){.what = "index",
			   .level = level,
			   .text = buf_text(text)});
}

static void tell(struct verify *v, const char *fmt, ...) FORMAT(2, 3);

static void
tell(struct verify *v, const char *fmt, ...)
{
	struct buf text = {0};
	va_list ap;

	if (v->count->problems++ >= TELL_MOST)
		return;
	va_start(ap, fmt);
	buf_vfmt(&text, fmt, ap);
	va_end(ap);
	find(v, HEALTH_FAIL, &text);
	buf_release(&text);
}

static void
sum_up(struct verify *v)
{
	const struct verify_count *n = v->count;
	struct buf text = {0};

	buf_fmt(&text,
	    "%" PRId64 " messages, %" PRId64 " tokens, %" PRId64 " problems",
	    n->messages, n->tokens, n->problems);
	find(v, n->problems ? HEALTH_FAIL : HEALTH_OK, &text);
	buf_release(&text);
}

/* Add a token at its place, in any order: so fingerprints can be compared. */
static void
mark(struct verify *v, int64_t ord, int64_t offset, const char *token,
    size_t len)
{
	uint64_t hash = print_start((uint64_t)ord * 65521 + (uint64_t)offset);

	if (ord < 0 || ord / CHUNK_SIZE >= v->chunks)
		return;
	hash = hash_bytes(hash, token, len);
	v->prints[ord / CHUNK_SIZE] += print_mix(hash);
}

static void
mark_all(struct verify *v, int64_t ord, const struct buf *tokens)
{
	const char *p = buf_text(tokens);

	for (int64_t offset = 0; *p; offset++) {
		size_t len = strcspn(p, " ");

		mark(v, ord, offset, p, len);
		p += len + (p[len] == ' ');
	}
}

static int
check_row(struct verify *v, struct stmt *s, struct err *e)
{
	struct message m = {.text = row_text(s, 3), .text_len = row_len(s, 3)};
	int64_t ord = row_int(s, 0);
	uint32_t channel;
	int tokens, length;

	buf_str(&m.more, row_text(s, 4));
	tokens = tokens_make(&v->tokens, &m, row_text(s, 2), e);
	message_release(&m);
	if (tokens < 0 ||
	    chunks_get(&v->tokens.chunks, ord, &length, &channel, e) < 0)
		return -1;
	v->count->messages++;
	v->count->tokens += tokens;
	mark_all(v, ord, &v->tokens.made);
	if (length != chunk_length(tokens))
		tell(v, "message %" PRId64 ": its length is %d, not %d",
		    row_int(s, 5), length, chunk_length(tokens));
	if (channel != (uint32_t)row_int(s, 1))
		tell(v, "message %" PRId64 ": its chunk has channel %u",
		    row_int(s, 5), channel);
	return 0;
}

static int
check_rows(struct verify *v, struct err *e)
{
	struct stmt s = {0};
	int row, result = 0;

	stmt_start(&s, v->db,
	    "SELECT ord, channel, language, text, more, id FROM message"
	    " ORDER BY ord");
	while (result == 0 && (row = stmt_next(&s, e)) > 0)
		result = check_row(v, &s, e);
	stmt_end(&s);
	return result < 0 || row < 0 ? -1 : 0;
}

/* Take away what the full-text table holds: nothing must be left. */
static int
check_index(struct verify *v, struct err *e)
{
	static const char make[] = "CREATE VIRTUAL TABLE temp.word USING"
				   " fts5vocab(main, message_fts, instance)";
	uint64_t *rows = v->prints;
	struct stmt s = {0};
	int row;

	v->prints = mem_array((size_t)v->chunks, sizeof(*v->prints));
	row = db_exec(v->db, make, e);
	if (row == 0) {
		stmt_start(&s, v->db,
		    "SELECT doc, offset, term FROM temp.word");
		while ((row = stmt_next(&s, e)) > 0)
			mark(v, row_int(&s, 0), row_int(&s, 1), row_text(&s, 2),
			    row_len(&s, 2));
		stmt_end(&s);
	}
	for (int64_t i = 0; row == 0 && i < v->chunks; i++)
		if (rows[i] != v->prints[i])
			tell(v,
			    "the full-text rows %" PRId64 " to %" PRId64
			    " are not those of their messages",
			    i * CHUNK_SIZE, i * CHUNK_SIZE + CHUNK_SIZE - 1);
	free(rows);
	return row;
}

static int
check_count(struct verify *v, const char *name, int64_t counted, struct err *e)
{
	int64_t kept;

	if (meta_int(v->db, name, 0, &kept, e) < 0)
		return -1;
	if (kept != counted)
		tell(v, "%s: %" PRId64 " are counted, there are %" PRId64, name,
		    kept, counted);
	return 0;
}

/* An ordinal given twice would mix two messages up. */
static int
check_gaps(struct verify *v, struct err *e)
{
	int64_t next, bad;

	if (meta_int(v->db, "next", 1, &next, e) < 0 ||
	    db_int(v->db, "SELECT coalesce(max(ord), 0) FROM message", 0, &bad,
		e) < 0)
		return -1;
	if (bad >= next)
		tell(v,
		    "ordinal %" PRId64 " is in use, and is to be given next",
		    next);
	return 0;
}

static int
run(struct verify *v, struct err *e)
{
	int64_t analyzer, rebuild, last;

	if (meta_int(v->db, "analyzer", text_version(), &analyzer, e) < 0 ||
	    meta_int(v->db, "rebuild", 0, &rebuild, e) < 0 ||
	    db_int(v->db, "SELECT coalesce(max(ord), 0) FROM message", 0, &last,
		e) < 0)
		return -1;
	if (analyzer != text_version() || rebuild)
		return err_set(e, ERR_CONFIG,
		    "the index was made by another version of the text "
		    "analysis: sophia index rebuild");
	v->chunks = last / CHUNK_SIZE + 1;
	v->prints = mem_array((size_t)v->chunks, sizeof(*v->prints));
	if (check_rows(v, e) < 0 || check_index(v, e) < 0 ||
	    check_count(v, "messages", v->count->messages, e) < 0 ||
	    check_count(v, "tokens", v->count->tokens, e) < 0)
		return -1;
	return check_gaps(v, e);
}

int
verify_run(struct db *db, struct verify_count *count, health_fn *put, void *ctx,
    struct err *e)
{
	struct verify v = {.db = db, .count = count, .put = put, .ctx = ctx};
	int result;

	*count = (struct verify_count){0};
	tokens_open(&v.tokens, db);
	result = db_begin_read(db, e);
	if (result == 0)
		result = run(&v, e);
	db_rollback(db);
	if (result == 0)
		sum_up(&v);
	tokens_close(&v.tokens);
	free(v.prints);
	return result;
}
