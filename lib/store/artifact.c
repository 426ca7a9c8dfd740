#include "store/artifact.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/buf.h"
#include "core/clock.h"
#include "core/err.h"
#include "core/path.h"
#include "ext/jsonw.h"
#include "store/base.h"
#include "store/file.h"

int
artifact_name(const char *filename, struct err *e)
{
	if (!filename || strchr(filename, '/'))
		return err_set(e, ERR_INPUT,
		    "a filename is needed, without a folder");
	return path_check(filename, strlen(filename), e);
}

/* Its id, if the name has one, and the next version of it. */
static int
number(struct store *s, struct artifact *a, struct err *e)
{
	static const char
	    sql[] = "SELECT a.id, max(a.version, ifnull((SELECT version"
		    " FROM artifact_last l WHERE l.id = a.id), 0)) + 1"
		    " FROM artifact a WHERE a.task = ?1 AND a.filename = ?2"
		    " ORDER BY a.version DESC LIMIT 1";
	struct stmt q = {0};
	int row;

	stmt_start(&q, &s->db, sql);
	stmt_text(&q, 1, a->task);
	stmt_text(&q, 2, a->filename);
	row = stmt_next(&q, e);
	a->version = 1;
	if (row == 0)
		id_new(a->id);
	if (row > 0) {
		snprintf(a->id, sizeof(a->id), "%s", row_text(&q, 0));
		a->version = row_int(&q, 1);
	}
	stmt_end(&q);
	return row < 0 ? -1 : 0;
}

static int
insert(struct store *s, const struct artifact *a, struct err *e)
{
	static const char
	    sql[] = "INSERT INTO artifact (id, version, task, call, filename,"
		    " media, kind, size, hash, at_ms)"
		    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)";
	struct stmt q = {0};

	stmt_start(&q, &s->db, sql);
	stmt_text(&q, 1, a->id);
	stmt_int(&q, 2, a->version);
	stmt_text(&q, 3, a->task);
	stmt_int(&q, 4, a->call);
	stmt_text(&q, 5, a->filename);
	stmt_text(&q, 6, a->media);
	stmt_text(&q, 7, a->kind);
	stmt_int(&q, 8, a->size);
	stmt_text(&q, 9, a->hash);
	stmt_int(&q, 10, a->at_ms);
	return stmt_once(&q, e);
}

int
artifact_add(struct store *s, struct artifact *a, const void *bytes, size_t len,
    struct err *e)
{
	if (len > ARTIFACT_BYTES_MOST)
		return err_set(e, ERR_REFUSED, "more than %d MiB at once",
		    ARTIFACT_BYTES_MOST >> 20);
	a->size = (int64_t)len;
	a->at_ms = clock_now_ms();
	a->wire[0] = '\0';
	a->wire_media = NULL;
	if (artifact_name(a->filename, e) < 0 ||
	    file_may_keep(s, a->task, a->call, e) < 0 || number(s, a, e) < 0 ||
	    content_put(s, bytes, len, a->hash, e) < 0)
		return -1;
	return insert(s, a, e);
}

#define COLUMNS                                                                \
	"SELECT task, id, version, call, filename, media, kind, size, at_ms,"  \
	" hash, wire, wire_media FROM artifact WHERE task = ?1"

static void
copy_hash(char to[CONTENT_HASH + 1], const char *text)
{
	snprintf(to, CONTENT_HASH + 1, "%s", text);
}

int
artifact_next(struct artifact_scan *scan, struct artifact *a, struct err *e)
{
	struct stmt *q = &scan->rows;
	int row = stmt_next(q, e);

	if (row <= 0)
		return row;
	*a = (struct artifact){.task = row_text(q, 0),
	    .version = row_int(q, 2),
	    .call = row_int(q, 3),
	    .filename = row_text(q, 4),
	    .media = row_text(q, 5),
	    .kind = row_text(q, 6),
	    .size = row_int(q, 7),
	    .at_ms = row_int(q, 8),
	    .wire_media = row_text_opt(q, 11)};
	snprintf(a->id, sizeof(a->id), "%s", row_text(q, 1));
	copy_hash(a->hash, row_text(q, 9));
	copy_hash(a->wire, row_text(q, 10));
	return 1;
}

void
artifact_end(struct artifact_scan *scan)
{
	stmt_end(&scan->rows);
}

void
artifact_list(struct artifact_scan *scan, struct store *s, const char *task,
    int64_t call, int64_t limit)
{
	stmt_start(&scan->rows, &s->db,
	    COLUMNS " AND rowid IN (SELECT rowid FROM artifact"
		    "  WHERE task = ?1 AND (?2 IS NULL OR call = ?2)"
		    "  ORDER BY rowid DESC LIMIT ?3) ORDER BY rowid");
	stmt_text(&scan->rows, 1, task);
	stmt_opt(&scan->rows, 2, call);
	stmt_int(&scan->rows, 3, limit);
}

/* By the column; a version from the end is the one with so many after it. */
static int
find(struct artifact_scan *scan, struct store *s, const char *sql,
    const char *task, const char *which, int64_t version, struct artifact *a,
    struct err *e)
{
	stmt_start(&scan->rows, &s->db, sql);
	stmt_text(&scan->rows, 1, task);
	stmt_text(&scan->rows, 2, which);
	stmt_opt(&scan->rows, 3, version > 0 ? version : 0);
	stmt_int(&scan->rows, 4, version < 0 ? -(version + 1) : 0);
	return artifact_next(scan, a, e);
}

int
artifact_find(struct artifact_scan *scan, struct store *s, const char *task,
    const char *which, int64_t version, struct artifact *a, struct err *e)
{
#define PICK                                                                   \
	" = ?2 AND (?3 IS NULL OR version = ?3) ORDER BY version DESC"         \
	" LIMIT 1 OFFSET ?4"
	static const char by_name[] = COLUMNS " AND filename" PICK;
	static const char by_id[] = COLUMNS " AND id" PICK;
	int row = find(scan, s, by_name, task, which, version, a, e);

	if (row == 0)
		row = find(scan, s, by_id, task, which, version, a, e);
	return row;
}

int
artifact_wire_set(struct store *s, const char *id, int64_t version,
    const char *hash, const char *media, struct err *e)
{
	static const char sql[] = "UPDATE artifact SET wire = ?3,"
				  " wire_media = ?4"
				  " WHERE id = ?1 AND version = ?2";
	struct stmt q = {0};

	stmt_start(&q, &s->db, sql);
	stmt_text(&q, 1, id);
	stmt_int(&q, 2, version);
	stmt_text(&q, 3, hash);
	stmt_text(&q, 4, media);
	if (stmt_once(&q, e) < 0)
		return -1;
	if (db_changes(&s->db))
		return 0;
	return err_set(e, ERR_INPUT,
	    "there is no version %" PRId64 " of artifact %.20s", version, id);
}

static void
put_fields(struct buf *b, const struct artifact *a)
{
	char call[64];

	if (a->task)
		snprintf(call, sizeof(call), "%s.%" PRId64, a->task, a->call);
	jsonw_str(b, "id", a->id);
	jsonw_int(b, "version", a->version);
	jsonw_str(b, "filename", a->filename);
	jsonw_str(b, "media", a->media);
	jsonw_str(b, "kind", a->kind);
	jsonw_int(b, "size", a->size);
	jsonw_opt(b, "call", a->task ? call : NULL);
}

void
artifact_describe(struct buf *b, const char *key, const struct artifact *a)
{
	jsonw_object(b, key);
	put_fields(b, a);
	jsonw_end_object(b);
}

void
artifact_write(struct buf *b, const struct artifact *a)
{
	jsonw_object(b, NULL);
	jsonw_str(b, "type", "artifact");
	jsonw_str(b, "task", a->task);
	put_fields(b, a);
	jsonw_str(b, "hash", a->hash);
	jsonw_time(b, "at", a->at_ms);
	jsonw_line(b);
}
