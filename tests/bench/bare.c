/*
 * bare - how fast SQLite alone takes the rows of an index.
 *
 * usage: bare INDEX.sqlite SCHEMA.sql NEW.sqlite
 *
 * Reads all messages of INDEX and makes their tokens, all into memory; then,
 * with the clock running, writes the same rows into a new database of the same
 * schema, its full-text table included, by prepared statements in transactions
 * of 5,000, and prints messages a second. No JSON, no analysis, no look-ups.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/buf.h"
#include "core/file.h"
#include "core/mem.h"
#include "ext/db.h"
#include "ext/text.h"
#include "record/message.h"

enum { BATCH = 5000 };

struct row {
	int64_t number
	    [8]; /* ord, id, channel, author, kind, flags, reply, edited */
	char *language, *text, *more, *tokens;
};

static const char select_sql[] =
    "SELECT ord, id, channel, author, kind, flags, reply, edited, language,"
    " text, more FROM message ORDER BY ord";

static char *
tokens_of(struct text *t, const struct row *r, struct err *e)
{
	struct message m = {.text = r->text, .text_len = strlen(r->text)};
	struct buf words = {0}, tokens = {0};

	buf_str(&m.more, r->more);
	message_words(&words, &m);
	text_tokens(t, &tokens, buf_text(&words), words.len, r->language, e);
	buf_release(&words);
	message_release(&m);
	return buf_take(&tokens);
}

static char *
copy(struct stmt *s, int column)
{
	return row_null(s, column) ? NULL : mem_dup(row_text(s, column));
}

static struct row *
load(struct db *db, int64_t *count, struct err *e)
{
	struct text *t = text_open();
	struct stmt s = {0};
	struct row *rows;
	int64_t n = 0;

	if (db_int(db, "SELECT count(*) FROM message", 0, count, e) < 0)
		return NULL;
	rows = mem_array((size_t)*count, sizeof(*rows));
	stmt_start(&s, db, select_sql);
	for (; n < *count && stmt_next(&s, e) > 0; n++) {
		for (int i = 0; i < 8; i++)
			rows[n].number[i] = row_int(&s, i);
		rows[n].language = copy(&s, 8);
		rows[n].text = copy(&s, 9);
		rows[n].more = copy(&s, 10);
		rows[n].tokens = tokens_of(t, &rows[n], e);
	}
	stmt_end(&s);
	text_close(t);
	return rows;
}

static void
bind(struct stmt *s, int at, const char *text)
{
	if (text)
		stmt_text_ref(s, at, text, strlen(text));
}

static int
put(struct db *db, struct stmt *message, struct stmt *fts, const struct row *r,
    struct err *e)
{
	stmt_start(message, db,
	    "INSERT INTO message(ord, id, channel, author, kind, flags, reply,"
	    " edited, language, text, more)"
	    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)");
	for (int i = 0; i < 6; i++)
		stmt_int(message, i + 1, r->number[i]);
	stmt_opt(message, 7, r->number[6]);
	stmt_opt(message, 8, r->number[7]);
	bind(message, 9, r->language);
	bind(message, 10, r->text);
	bind(message, 11, r->more);
	if (stmt_run(message, e) < 0)
		return -1;
	stmt_start(fts, db,
	    "INSERT INTO message_fts(rowid, tokens) VALUES (?1, ?2)");
	stmt_int(fts, 1, r->number[0]);
	bind(fts, 2, r->tokens);
	return stmt_run(fts, e);
}

static int
store(struct db *db, const struct row *rows, int64_t count, struct err *e)
{
	struct stmt message = {0}, fts = {0};
	int result = 0;

	for (int64_t n = 0; n < count && result == 0; n++) {
		if (n % BATCH == 0)
			result = db_begin(db, e);
		if (result == 0)
			result = put(db, &message, &fts, &rows[n], e);
		if (result == 0 && (n % BATCH == BATCH - 1 || n == count - 1))
			result = db_commit(db, e);
	}
	stmt_end(&message);
	stmt_end(&fts);
	return result;
}

static double
seconds(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int
main(int argc, char **argv)
{
	struct db from = {0}, to = {0};
	struct buf schema = {0};
	struct err e = {0};
	struct row *rows = NULL;
	int64_t count = 0;
	double wall, cpu;
	int result = 1;

	if (argc != 4)
		return 2;
	if (file_read(&schema, argv[2], &e) < 0 ||
	    db_open(&from, argv[1], DB_READ, DB_SYNC_NORMAL, &e) < 0 ||
	    !(rows = load(&from, &count, &e)) ||
	    db_open(&to, argv[3], DB_CREATE, DB_SYNC_NORMAL, &e) < 0 ||
	    db_exec(&to, schema.data, &e) < 0)
		goto out;
	wall = seconds(CLOCK_MONOTONIC);
	cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
	if (store(&to, rows, count, &e) < 0)
		goto out;
	wall = seconds(CLOCK_MONOTONIC) - wall;
	cpu = seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
	printf("%" PRId64 " %.3f %.3f\n", count, wall, cpu);
	result = 0;
out:
	if (result)
		fprintf(stderr, "bare: %s\n", e.text);
	db_close(&from);
	db_close(&to);
	buf_release(&schema);
	return result;
}
