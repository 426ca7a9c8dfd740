#ifndef EXT_DB_H
#define EXT_DB_H
/*
 * db - SQLite, with our errors. The only place that knows sqlite3.h, besides
 * ext/rank, which hands FTS5 a ranking function.
 *
 * Errors   ERR_AGAIN locked by others; ERR_CONFIG not a database of ours, or
 *          corrupt, or no access; ERR_IO disk full or failing; ERR_INTERNAL.
 * Memory   Whoever starts a statement ends it. Texts bound are copied, except
 *          by the _ref calls; texts of a row are borrowed until the next step.
 * Order    A statement keeps its first error, so preparing and binding read
 *          straight down and only stmt_next() or stmt_run() is checked.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct sqlite3;
struct sqlite3_stmt;

struct db {
	struct sqlite3 *raw;
};

struct stmt {
	struct db *db;
	struct sqlite3_stmt *raw;
	int rc;
};

enum db_mode {
	DB_READ,  /* read only; must exist */
	DB_WRITE, /* must exist */
	DB_CREATE /* made, with mode 0600, if it isn't there */
};

enum db_sync { DB_SYNC_NORMAL, DB_SYNC_FULL };

/*
 * Open, and set what holds for every store: WAL, foreign keys, secure delete,
 * a bounded journal, no checkpoint on close, no trust in the schema.
 */
int db_open(struct db *db, const char *path, enum db_mode, enum db_sync,
    struct err *e);
void db_close(struct db *db); /* harmless on {0}, or twice */

/* Run statements that return nothing: SQL of ours only, never of a person. */
int db_exec(struct db *db, const char *sql, struct err *e);

int db_begin(struct db *db, struct err *e);      /* to write: IMMEDIATE */
int db_begin_read(struct db *db, struct err *e); /* one consistent view */
int db_commit(struct db *db, struct err *e);     /* rolled back if it fails */
void db_rollback(struct db *db);                 /* harmless outside one */

int64_t db_changes(struct db *db); /* rows changed by the last statement */
int64_t db_last_id(struct db *db); /* rowid of the last insert */

/* The one number that sql gives, or `other` if it gives no row. */
int db_int(struct db *db, const char *sql, int64_t other, int64_t *n,
    struct err *e);

/* Copy the database, as it is now, to a file that must not be there yet. */
int db_backup(struct db *db, const char *path, struct err *e);

/* Move the WAL into the database and cut it to nothing. ERR_AGAIN if read. */
int db_truncate_wal(struct db *db, struct err *e);

const char *db_library(void); /* "3.40.1" */

/* Changes whenever another connection committed. */
int db_data_version(struct db *db, int64_t *version, struct err *e);

/*
 * Start a statement, or start it again: with the same text on the same database
 * the compiled one is reset and its bindings forgotten.
 */
void stmt_start(struct stmt *s, struct db *db, const char *sql);
void stmt_text(struct stmt *s, int at, const char *text); /* NULL is NULL */
void stmt_textn(struct stmt *s, int at, const char *text, size_t len);
void stmt_text_ref(struct stmt *s, int at, const char *text, size_t len);
void stmt_blob_ref(struct stmt *s, int at, const void *bytes, size_t len);
void stmt_int(struct stmt *s, int at, int64_t n);
void stmt_opt(struct stmt *s, int at, int64_t n); /* 0 binds NULL */
void stmt_null(struct stmt *s, int at);

/* 1 a row, 0 no more, -1 an error. */
int stmt_next(struct stmt *s, struct err *e);
/* Step to the end and reset, for a statement without rows: 0 or -1. */
int stmt_run(struct stmt *s, struct err *e);
/* The same, and end it: for one that is needed once. */
int stmt_once(struct stmt *s, struct err *e);
/* Let go of the row and its read lock; what was compiled stays. */
void stmt_reset(struct stmt *s);
void stmt_end(struct stmt *s); /* harmless on {0}, or twice */

/* Columns of the current row, from 0. */
const char *row_text(struct stmt *s, int column);     /* "" for NULL */
const char *row_text_opt(struct stmt *s, int column); /* NULL for NULL */
const void *row_blob(struct stmt *s, int column, size_t *len);
size_t row_len(struct stmt *s, int column); /* of the text, in bytes */
int64_t row_int(struct stmt *s, int column);
bool row_null(struct stmt *s, int column);
int row_columns(struct stmt *s);
const char *row_name(struct stmt *s, int column);
bool row_is_int(struct stmt *s, int column);

#endif
