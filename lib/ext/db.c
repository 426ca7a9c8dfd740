#include "ext/db.h"

#include <limits.h>
#include <stddef.h>
#include <string.h>

#include <sqlite3.h>

#include "core/err.h"

enum { BUSY_WAIT_MS = 5000 };

static enum err_kind
kind_of(int rc)
{
	switch (rc & 0xff) {
	case SQLITE_BUSY:
	case SQLITE_LOCKED: return ERR_AGAIN;
	case SQLITE_CANTOPEN:
	case SQLITE_NOTADB:
	case SQLITE_CORRUPT:
	case SQLITE_READONLY:
	case SQLITE_PERM:
	case SQLITE_AUTH: return ERR_CONFIG;
	case SQLITE_FULL:
	case SQLITE_IOERR: return ERR_IO;
	default: return ERR_INTERNAL;
	}
}

static int
fail(struct db *db, int rc, struct err *e)
{
	return err_set(e, kind_of(rc), "%s", sqlite3_errmsg(db->raw));
}

int
db_exec(struct db *db, const char *sql, struct err *e)
{
	int rc = sqlite3_exec(db->raw, sql, NULL, NULL, NULL);

	return rc == SQLITE_OK ? 0 : fail(db, rc, e);
}

static int
set_up(struct db *db, enum db_mode mode, enum db_sync sync, struct err *e)
{
	static const char common[] = "PRAGMA foreign_keys = ON;"
				     "PRAGMA trusted_schema = OFF;"
				     "PRAGMA secure_delete = ON;"
				     "PRAGMA journal_size_limit = 4194304;"
				     "PRAGMA temp_store = MEMORY;";

	sqlite3_busy_timeout(db->raw, BUSY_WAIT_MS);
	sqlite3_db_config(db->raw, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
	sqlite3_db_config(db->raw, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	if (db_exec(db, common, e) < 0)
		return -1;
	if (mode == DB_CREATE &&
	    db_exec(db, "PRAGMA journal_mode = WAL;", e) < 0)
		return -1;
	return db_exec(db,
	    sync == DB_SYNC_FULL ? "PRAGMA synchronous = FULL;"
				 : "PRAGMA synchronous = NORMAL;",
	    e);
}

int
db_open(struct db *db, const char *path, enum db_mode mode, enum db_sync sync,
    struct err *e)
{
	static const int flags[] = {
	    [DB_READ] = SQLITE_OPEN_READONLY,
	    [DB_WRITE] = SQLITE_OPEN_READWRITE,
	    [DB_CREATE] = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
	};
	int rc, result = -1;

	/* No program of ours has a second thread. */
	rc = sqlite3_open_v2(path, &db->raw, flags[mode] | SQLITE_OPEN_NOMUTEX,
	    NULL);
	if (rc == SQLITE_OK)
		result = set_up(db, mode, sync, e);
	else
		fail(db, rc, e);
	if (result < 0) {
		db_close(db);
		err_in(e, "%s", path);
	}
	return result;
}

void
db_close(struct db *db)
{
	sqlite3_close(db->raw);
	db->raw = NULL;
}

int
db_begin(struct db *db, struct err *e)
{
	return db_exec(db, "BEGIN IMMEDIATE", e);
}

int
db_begin_read(struct db *db, struct err *e)
{
	return db_exec(db, "BEGIN", e);
}

int
db_commit(struct db *db, struct err *e)
{
	if (db_exec(db, "COMMIT", e) == 0)
		return 0;
	db_rollback(db);
	return -1;
}

void
db_rollback(struct db *db)
{
	if (db->raw && !sqlite3_get_autocommit(db->raw))
		sqlite3_exec(db->raw, "ROLLBACK", NULL, NULL, NULL);
}

int64_t
db_changes(struct db *db)
{
	return sqlite3_changes64(db->raw);
}

int64_t
db_last_id(struct db *db)
{
	return sqlite3_last_insert_rowid(db->raw);
}

int
db_int(struct db *db, const char *sql, int64_t other, int64_t *n, struct err *e)
{
	struct stmt s = {0};
	int row;

	stmt_start(&s, db, sql);
	row = stmt_next(&s, e);
	*n = row > 0 ? row_int(&s, 0) : other;
	stmt_end(&s);
	return row < 0 ? -1 : 0;
}

int
db_backup(struct db *db, const char *path, struct err *e)
{
	struct stmt s = {0};
	int result;

	stmt_start(&s, db, "VACUUM INTO ?1");
	stmt_text(&s, 1, path);
	result = stmt_run(&s, e);
	stmt_end(&s);
	return result;
}

int
db_truncate_wal(struct db *db, struct err *e)
{
	struct stmt s = {0};
	int row, busy = 0;

	stmt_start(&s, db, "PRAGMA wal_checkpoint(TRUNCATE)");
	row = stmt_next(&s, e);
	if (row > 0)
		busy = (int)row_int(&s, 0);
	stmt_end(&s);
	if (row < 0)
		return -1;
	return busy ? err_set(e, ERR_AGAIN, "the database is being read") : 0;
}

const char *
db_library(void)
{
	return sqlite3_libversion();
}

int
db_data_version(struct db *db, int64_t *version, struct err *e)
{
	return db_int(db, "PRAGMA data_version", 0, version, e);
}

void
stmt_start(struct stmt *s, struct db *db, const char *sql)
{
	if (s->raw && s->db == db && strcmp(sqlite3_sql(s->raw), sql) == 0) {
		sqlite3_reset(s->raw); /* says again how the last run ended */
		sqlite3_clear_bindings(s->raw);
		s->rc = SQLITE_OK;
		return;
	}
	stmt_end(s);
	s->db = db;
	s->rc = sqlite3_prepare_v3(db->raw, sql, -1, SQLITE_PREPARE_PERSISTENT,
	    &s->raw, NULL);
}

void
stmt_textn(struct stmt *s, int at, const char *text, size_t len)
{
	if (s->rc == SQLITE_OK)
		s->rc = sqlite3_bind_text64(s->raw, at, text, len,
		    SQLITE_TRANSIENT, SQLITE_UTF8);
}

void
stmt_text(struct stmt *s, int at, const char *text)
{
	if (text)
		stmt_textn(s, at, text, strlen(text));
	else
		stmt_null(s, at);
}

void
stmt_text_ref(struct stmt *s, int at, const char *text, size_t len)
{
	if (s->rc == SQLITE_OK)
		s->rc = sqlite3_bind_text64(s->raw, at, text, len,
		    SQLITE_STATIC, SQLITE_UTF8);
}

void
stmt_blob_ref(struct stmt *s, int at, const void *bytes, size_t len)
{
	if (s->rc == SQLITE_OK)
		s->rc = sqlite3_bind_blob64(s->raw, at, bytes, len,
		    SQLITE_STATIC);
}

void
stmt_int(struct stmt *s, int at, int64_t n)
{
	if (s->rc == SQLITE_OK)
		s->rc = sqlite3_bind_int64(s->raw, at, n);
}

void
stmt_null(struct stmt *s, int at)
{
	if (s->rc == SQLITE_OK)
		s->rc = sqlite3_bind_null(s->raw, at);
}

void
stmt_opt(struct stmt *s, int at, int64_t n)
{
	if (n)
		stmt_int(s, at, n);
	else
		stmt_null(s, at);
}

int
stmt_next(struct stmt *s, struct err *e)
{
	if (s->rc == SQLITE_OK || s->rc == SQLITE_ROW)
		s->rc = sqlite3_step(s->raw);
	if (s->rc == SQLITE_ROW)
		return 1;
	if (s->rc == SQLITE_DONE)
		return 0;
	return fail(s->db, s->rc, e);
}

int
stmt_run(struct stmt *s, struct err *e)
{
	int row;

	do
		row = stmt_next(s, e);
	while (row > 0);
	stmt_reset(s);
	return row;
}

int
stmt_once(struct stmt *s, struct err *e)
{
	int result = stmt_run(s, e);

	stmt_end(s);
	return result;
}

void
stmt_reset(struct stmt *s)
{
	if (s->raw)
		sqlite3_reset(s->raw);
	s->rc = SQLITE_OK;
}

void
stmt_end(struct stmt *s)
{
	sqlite3_finalize(s->raw);
	*s = (struct stmt){0};
}

const char *
row_text(struct stmt *s, int column)
{
	const unsigned char *text = sqlite3_column_text(s->raw, column);

	return text ? (const char *)text : "";
}

const char *
row_text_opt(struct stmt *s, int column)
{
	return row_null(s, column) ? NULL : row_text(s, column);
}

const void *
row_blob(struct stmt *s, int column, size_t *len)
{
	const void *bytes = sqlite3_column_blob(s->raw, column);

	*len = (size_t)sqlite3_column_bytes(s->raw, column);
	return bytes;
}

size_t
row_len(struct stmt *s, int column)
{
	return (size_t)sqlite3_column_bytes(s->raw, column);
}

int64_t
row_int(struct stmt *s, int column)
{
	return sqlite3_column_int64(s->raw, column);
}

bool
row_null(struct stmt *s, int column)
{
	return sqlite3_column_type(s->raw, column) == SQLITE_NULL;
}

int
row_columns(struct stmt *s)
{
	return sqlite3_column_count(s->raw);
}

const char *
row_name(struct stmt *s, int column)
{
	return sqlite3_column_name(s->raw, column);
}

bool
row_is_int(struct stmt *s, int column)
{
	return sqlite3_column_type(s->raw, column) == SQLITE_INTEGER;
}
