#include "store/export.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "core/base64.h"
#include "core/buf.h"
#include "core/err.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "store/base.h"
#include "store/content.h"

enum { PIECE = 768 << 10 }; /* bytes: 1 MiB as base64 */

static const struct table {
	const char *name, *sql;
} tables[] = {
    {"task", "SELECT * FROM task WHERE id = ?1"},
    {"turn", "SELECT * FROM turn WHERE task = ?1 ORDER BY n"},
    {"round", "SELECT * FROM round WHERE task = ?1 ORDER BY n"},
    {"call", "SELECT * FROM call WHERE task = ?1 ORDER BY n"},
    {"source", "SELECT * FROM source WHERE task = ?1 ORDER BY id"},
    {"evidence", "SELECT * FROM evidence WHERE task = ?1"},
    {"receipt", "SELECT * FROM receipt WHERE task = ?1 ORDER BY call"},
    {"receipt_part", "SELECT * FROM receipt_part WHERE task = ?1"},
    {"settlement", "SELECT * FROM settlement WHERE task = ?1"},
    {"approval", "SELECT * FROM approval WHERE task = ?1 ORDER BY asked_ms"},
    {"approval_item", "SELECT i.* FROM approval a JOIN approval_item i"
		      " ON i.approval = a.id WHERE a.task = ?1"
		      " ORDER BY i.approval, i.i"},
    {"card", "SELECT c.* FROM approval a JOIN card c ON c.approval = a.id"
	     " WHERE a.task = ?1 ORDER BY c.approval"},
    {"plan", "SELECT * FROM plan WHERE task = ?1 ORDER BY version"},
    {"note", "SELECT * FROM note WHERE task = ?1 ORDER BY n"},
    {"goal", "SELECT * FROM goal WHERE task = ?1 ORDER BY n"},
    {"collaborator", "SELECT * FROM collaborator WHERE task = ?1"},
    {"control", "SELECT * FROM control WHERE task = ?1 ORDER BY id"},
    {"event", "SELECT * FROM event WHERE task = ?1 ORDER BY id"},
    {"outbox", "SELECT * FROM outbox WHERE task = ?1 ORDER BY id"},
    {"delivery", "SELECT d.* FROM outbox o JOIN delivery d ON d.outbox = o.id"
		 " WHERE o.task = ?1 ORDER BY d.outbox, d.k"},
    {"address", /* all but its token, which is a secret */
	"SELECT a.turn, a.channel, a.request, a.application, a.ephemeral,"
	" a.at_ms FROM turn t JOIN address a ON a.turn = t.id"
	" WHERE t.task = ?1 ORDER BY t.n"},
    {"progress", "SELECT p.* FROM turn t JOIN progress p ON p.turn = t.id"
		 " WHERE t.task = ?1 ORDER BY t.n"},
    {"usage", "SELECT * FROM usage WHERE task = ?1 ORDER BY id"},
    {"file", "SELECT task, path, hash, size, media, origin, call, actor, url,"
	     " revision, channel, attachment, at_ms FROM file"
	     " WHERE task = ?1 ORDER BY path"},
    {"file_input", "SELECT task, call, path, hash, made_by, url, channel"
		   " FROM file_input WHERE task = ?1 ORDER BY call, path"},
    {"artifact", "SELECT * FROM artifact WHERE task = ?1 ORDER BY rowid"},
    {"preview", "SELECT task, call, n, kind, name, offset_ms AS offset, media,"
		" size, hash FROM preview WHERE task = ?1 ORDER BY call, n"},
};

static bool
holds_json(const char *column)
{
	static const char *const names[] = {"record", "message", "arguments",
	    "output", "outcome", "data"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(names[i], column) == 0)
			return true;
	return false;
}

/* created_ms is created_at, at_ms is at; false for another column. */
static bool
put_time(struct buf *b, struct stmt *q, int i)
{
	const char *column = row_name(q, i);
	size_t len = strlen(column);
	char name[64];

	if (len < 3 || strcmp(column + len - 3, "_ms") != 0)
		return false;
	if (strcmp(column, "at_ms") == 0)
		snprintf(name, sizeof(name), "at");
	else
		snprintf(name, sizeof(name), "%.*s_at", (int)(len - 3), column);
	jsonw_time(b, name, row_int(q, i));
	return true;
}

static void
put_json(struct buf *b, const char *column, const char *text, size_t len)
{
	struct err e = {0};
	struct json *root = NULL;

	if (json_read(&root, text, len, &e) == 0)
		jsonw_value(b, column, root);
	else
		jsonw_strn(b, column, text, len);
	json_free(root);
}

static void
put_column(struct buf *b, struct stmt *q, int i)
{
	const char *column = row_name(q, i);

	if (row_null(q, i) || put_time(b, q, i))
		return;
	if (row_is_int(q, i))
		jsonw_int(b, column, row_int(q, i));
	else if (holds_json(column))
		put_json(b, column, row_text(q, i), row_len(q, i));
	else
		jsonw_strn(b, column, row_text(q, i), row_len(q, i));
}

static int
export_table(struct store *s, const struct table *t, const char *task,
    struct buf *lines, struct err *e)
{
	struct stmt q = {0};
	int row;

	stmt_start(&q, &s->db, t->sql);
	stmt_text(&q, 1, task);
	while ((row = stmt_next(&q, e)) > 0) {
		jsonw_object(lines, NULL);
		jsonw_str(lines, "type", "kept");
		jsonw_str(lines, "table", t->name);
		for (int i = 0; i < row_columns(&q); i++)
			put_column(lines, &q, i);
		jsonw_line(lines);
	}
	stmt_end(&q);
	return row;
}

/* The hashes of what the task has, each once, CONTENT_HASH bytes, to b. */
static int
list_contents(struct store *s, const char *task, struct buf *b, struct err *e)
{
	static const char
	    sql[] = "SELECT hash FROM file WHERE task = ?1"
		    " UNION SELECT hash FROM artifact WHERE task = ?1"
		    " UNION SELECT wire FROM artifact WHERE task = ?1"
		    "  AND wire IS NOT NULL"
		    " UNION SELECT hash FROM preview WHERE task = ?1";
	struct stmt q = {0};
	int row;

	stmt_start(&q, &s->db, sql);
	stmt_text(&q, 1, task);
	while ((row = stmt_next(&q, e)) > 0)
		if (row_len(&q, 0) == CONTENT_HASH)
			buf_str(b, row_text(&q, 0));
	stmt_end(&q);
	return row;
}

static void
begin_content(struct buf *line, const char *hash)
{
	jsonw_object(line, NULL);
	jsonw_str(line, "type", "kept");
	jsonw_str(line, "table", "content");
	jsonw_str(line, "hash", hash);
}

static int
put_pieces(const char *hash, const struct buf *bytes, export_fn *put, void *ctx,
    struct err *e)
{
	struct buf line = {0}, text = {0};
	size_t at = 0, n;
	int rc;

	do {
		n = bytes->len - at < PIECE ? bytes->len - at : PIECE;
		buf_clear(&text);
		base64_add(&text, buf_text(bytes) + at, n);
		begin_content(&line, hash);
		jsonw_int(&line, "size", (int64_t)bytes->len);
		jsonw_int(&line, "from", (int64_t)at);
		jsonw_strn(&line, "base64", buf_text(&text), text.len);
		jsonw_line(&line);
		rc = put(ctx, &line, e);
		at += n;
	} while (rc >= 0 && at < bytes->len);
	buf_release(&line);
	buf_release(&text);
	return rc;
}

/* One that can't be read must not keep the others. */
static int
put_content(struct store *s, const char *hash, export_fn *put, void *ctx,
    struct err *e)
{
	struct buf bytes = {0}, line = {0};
	struct err why = {0};
	int rc;

	if (content_get(s, hash, &bytes, &why) == 0) {
		rc = put_pieces(hash, &bytes, put, ctx, e);
	} else {
		begin_content(&line, hash);
		jsonw_str(&line, "error", why.text);
		jsonw_line(&line);
		rc = put(ctx, &line, e);
	}
	buf_release(&bytes);
	buf_release(&line);
	return rc;
}

static int
export_contents(struct store *s, const char *task, export_fn *put, void *ctx,
    struct err *e)
{
	char hash[CONTENT_HASH + 1] = "";
	struct buf hashes = {0};
	int rc = list_contents(s, task, &hashes, e);

	for (size_t i = 0; rc >= 0 && i < hashes.len; i += CONTENT_HASH) {
		memcpy(hash, hashes.data + i, CONTENT_HASH);
		rc = put_content(s, hash, put, ctx, e);
	}
	buf_release(&hashes);
	return rc;
}

int
export_task(struct store *s, const char *task, bool contents, export_fn *put,
    void *ctx, struct err *e)
{
	struct buf lines = {0};
	int rc = 0;

	/* No read is open while put() writes a pipe: a table at a time. */
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]) && rc >= 0;
	     i++) {
		rc = export_table(s, &tables[i], task, &lines, e);
		if (rc == 0 && lines.len)
			rc = put(ctx, &lines, e);
	}
	buf_release(&lines);
	return rc < 0 || !contents ? rc : export_contents(s, task, put, ctx, e);
}
