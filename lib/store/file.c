#include "store/file.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/buf.h"
#include "core/clock.h"
#include "core/err.h"
#include "core/path.h"
#include "core/utf8.h"
#include "ext/jsonw.h"
#include "store/base.h"
#include "store/task.h"
#include "store/tombstone.h"

static const char *const kinds[] = {
    [FILE_PUT] = "put",
    [FILE_IMPORT] = "import",
    [FILE_CALL] = "call",
};

int
file_may_keep(struct store *s, const char *task, int64_t call, struct err *e)
{
	static const char
	    sql[] = "SELECT gone_ms FROM call WHERE task = ?1 AND n = ?2";
	struct stmt q = {0};
	int row;
	bool gone;

	stmt_start(&q, &s->db, sql);
	stmt_text(&q, 1, task);
	stmt_int(&q, 2, call);
	row = stmt_next(&q, e);
	gone = row > 0 && !row_null(&q, 0);
	stmt_end(&q);
	if (row == 0)
		return err_set(e, ERR_INPUT, "there is no call %s.%" PRId64,
		    task, call);
	if (gone)
		return err_set(e, ERR_REFUSED,
		    "a source was deleted meanwhile: nothing was kept");
	return row < 0 ? -1 : 0;
}

static int
task_exists(struct store *s, const char *task, struct err *e)
{
	struct stmt q = {0};
	int row;

	stmt_start(&q, &s->db, "SELECT 1 FROM task WHERE id = ?1");
	stmt_text(&q, 1, task);
	row = stmt_next(&q, e);
	stmt_end(&q);
	return row == 0 ? task_missing(task, e) : row < 0 ? -1 : 0;
}

static int
check_source(const char *url, struct err *e)
{
	struct tombstones stones = {0};
	int gone = tombstones_link(&stones, url, e);

	tombstones_close(&stones);
	return gone > 0 ? err_set(e, ERR_REFUSED,
			      "the message was deleted: nothing was kept")
			: gone;
}

static int
refuse_place(const char *path, const char *other, struct err *e)
{
	return err_set(e, ERR_INPUT,
	    "%.*s and %.*s: one leads through the other, which is a file",
	    (int)utf8_cut(path, strlen(path), 120), path,
	    (int)utf8_cut(other, strlen(other), 120), other);
}

/* Any that sorts from `from` on, and before `to`, is in the way. */
static int
check_range(struct store *s, const char *task, const char *path,
    const char *from, const char *to, struct err *e)
{
	static const char sql[] = "SELECT path FROM file WHERE task = ?1"
				  " AND path >= ?2 AND path < ?3 LIMIT 1";
	struct stmt q = {0};
	int row;

	stmt_start(&q, &s->db, sql);
	stmt_text(&q, 1, task);
	stmt_text(&q, 2, from);
	stmt_text(&q, 3, to);
	row = stmt_next(&q, e);
	if (row > 0)
		refuse_place(path, row_text(&q, 0), e);
	stmt_end(&q);
	return row == 0 ? 0 : -1;
}

/*
 * No other file may lie below it, nor it below another. Each is looked up: a
 * task may have many files, and others wait for this turn.
 */
static int
check_place(struct store *s, const char *task, const char *path, struct err *e)
{
	char from[PATH_BYTES_MOST + 2], to[PATH_BYTES_MOST + 2];

	if (path_check(path, strlen(path), e) < 0)
		return -1;
	for (const char *at = path; (at = strchr(at, '/')); at++) {
		const int len = (int)(at - path);

		snprintf(from, sizeof(from), "%.*s", len, path);
		snprintf(to, sizeof(to), "%.*s\x01", len, path);
		if (check_range(s, task, path, from, to, e) < 0)
			return -1;
	}
	snprintf(from, sizeof(from), "%s/", path);
	snprintf(to, sizeof(to), "%s0", path); /* which comes after a slash */
	return check_range(s, task, path, from, to, e);
}

static int
check(struct store *s, const char *task, const char *path, size_t len,
    const struct file_origin *o, struct err *e)
{
	if (len > FILE_BYTES_MOST)
		return err_set(e, ERR_REFUSED, "a file of more than %d MiB",
		    FILE_BYTES_MOST >> 20);
	if (task_exists(s, task, e) < 0 || check_place(s, task, path, e) < 0)
		return -1;
	if (o->call && file_may_keep(s, task, o->call, e) < 0)
		return -1;
	return o->kind == FILE_IMPORT ? check_source(o->url, e) : 0;
}

static int
insert(struct store *s, const char *task, const struct file *f, struct err *e)
{
	static const char
	    sql[] = "INSERT INTO file (task, path, hash, size, media, origin,"
		    " call, actor, url, revision, channel, attachment, at_ms)"
		    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11,"
		    "  ?12, ?13)"
		    " ON CONFLICT DO UPDATE SET hash = ?3, size = ?4,"
		    " media = ?5, origin = ?6, call = ?7, actor = ?8, url = ?9,"
		    " revision = ?10, channel = ?11, attachment = ?12,"
		    " at_ms = ?13";
	const struct file_origin *o = &f->origin;
	struct stmt q = {0};

	stmt_start(&q, &s->db, sql);
	stmt_text(&q, 1, task);
	stmt_text(&q, 2, f->path);
	stmt_text(&q, 3, f->hash);
	stmt_int(&q, 4, f->size);
	stmt_text(&q, 5, f->media);
	stmt_text(&q, 6, kinds[o->kind]);
	stmt_opt(&q, 7, o->call);
	stmt_text(&q, 8, o->actor);
	stmt_text(&q, 9, o->url);
	stmt_text(&q, 10, o->revision);
	stmt_text(&q, 11, o->channel);
	stmt_text(&q, 12, o->attachment);
	stmt_int(&q, 13, f->at_ms);
	return stmt_once(&q, e);
}

int
file_put(struct store *s, const char *task, const char *path, const char *media,
    const void *bytes, size_t len, const struct file_origin *origin,
    struct err *e)
{
	struct file f = {.path = path,
	    .media = media,
	    .size = (int64_t)len,
	    .at_ms = clock_now_ms(),
	    .origin = *origin};

	if (check(s, task, path, len, origin, e) < 0 ||
	    content_put(s, bytes, len, f.hash, e) < 0)
		return -1;
	return insert(s, task, &f, e);
}

int
file_remove(struct store *s, const char *task, const char *path, struct err *e)
{
	struct stmt q = {0};

	stmt_start(&q, &s->db,
	    "DELETE FROM file WHERE task = ?1 AND path = ?2");
	stmt_text(&q, 1, task);
	stmt_text(&q, 2, path);
	if (stmt_once(&q, e) < 0)
		return -1;
	return db_changes(&s->db) > 0;
}

#define COLUMNS                                                                \
	"SELECT path, media, hash, size, at_ms, origin, call, actor, url,"     \
	" revision, channel, attachment FROM file WHERE task = ?1"

static enum file_kind
kind_of(const char *word)
{
	return strcmp(word, "call") == 0     ? FILE_CALL
	       : strcmp(word, "import") == 0 ? FILE_IMPORT
					     : FILE_PUT;
}

void
file_list(struct file_scan *scan, struct store *s, const char *task)
{
	stmt_start(&scan->rows, &s->db, COLUMNS " ORDER BY path");
	stmt_text(&scan->rows, 1, task);
}

int
file_next(struct file_scan *scan, struct file *f, struct err *e)
{
	struct stmt *q = &scan->rows;
	int row = stmt_next(q, e);

	if (row <= 0)
		return row;
	*f = (struct file){.path = row_text(q, 0),
	    .media = row_text(q, 1),
	    .size = row_int(q, 3),
	    .at_ms = row_int(q, 4),
	    .origin = {.kind = kind_of(row_text(q, 5)),
		.call = row_int(q, 6),
		.actor = row_text_opt(q, 7),
		.url = row_text_opt(q, 8),
		.revision = row_text_opt(q, 9),
		.channel = row_text_opt(q, 10),
		.attachment = row_text_opt(q, 11)}};
	memcpy(f->hash, row_text(q, 2),
	    row_len(q, 2) < CONTENT_HASH ? row_len(q, 2) : CONTENT_HASH);
	return 1;
}

void
file_end(struct file_scan *scan)
{
	stmt_end(&scan->rows);
}

int
file_find(struct file_scan *scan, struct store *s, const char *task,
    const char *path, struct file *f, struct err *e)
{
	stmt_start(&scan->rows, &s->db, COLUMNS " AND path = ?2");
	stmt_text(&scan->rows, 1, task);
	stmt_text(&scan->rows, 2, path);
	return file_next(scan, f, e);
}

void
file_write(struct buf *b, const char *task, const struct file *f)
{
	const struct file_origin *o = &f->origin;
	char call[64];

	snprintf(call, sizeof(call), "%s.%" PRId64, task, o->call);
	jsonw_object(b, NULL);
	jsonw_str(b, "type", "file");
	jsonw_str(b, "task", task);
	jsonw_str(b, "path", f->path);
	jsonw_str(b, "media", f->media);
	jsonw_int(b, "size", f->size);
	jsonw_str(b, "hash", f->hash);
	jsonw_str(b, "origin", kinds[o->kind]);
	jsonw_opt(b, "call", o->call ? call : NULL);
	jsonw_opt(b, "by", o->actor);
	jsonw_opt(b, "url", o->url);
	jsonw_opt(b, "revision", o->revision);
	jsonw_opt(b, "channel", o->channel);
	jsonw_opt(b, "attachment", o->attachment);
	jsonw_time(b, "at", f->at_ms);
	jsonw_line(b);
}

int
file_read_by(struct store *s, const char *task, int64_t call, const char *path,
    struct err *e)
{
	static const char
	    sql[] = "INSERT OR REPLACE INTO file_input (task, call, path, hash,"
		    " made_by, url, channel) SELECT task, ?2, path, hash, call,"
		    " url, channel FROM file WHERE task = ?1 AND path = ?3";
	struct stmt q = {0};

	if (file_may_keep(s, task, call, e) < 0)
		return -1;
	stmt_start(&q, &s->db, sql);
	stmt_text(&q, 1, task);
	stmt_int(&q, 2, call);
	stmt_text(&q, 3, path);
	if (stmt_once(&q, e) < 0)
		return -1;
	if (db_changes(&s->db))
		return 0;
	return err_set(e, ERR_INPUT, "there is no file %.*s",
	    (int)utf8_cut(path, strlen(path), 300), path);
}
