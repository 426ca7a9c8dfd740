#include "store/evidence.h"

#include <string.h>

#include "core/buf.h"
#include "core/clock.h"
#include "core/err.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "store/base.h"

static void
bind_source(struct stmt *q, const struct json *source)
{
	const struct json *author = json_get(source, "author");
	const struct json *channel = json_get(source, "channel");
	const char *kind = json_string(source, "kind");
	const char *revision = json_string(source, "revision");
	const char *text = json_string(source, "text");
	const char *at = json_string(source, "at");
	int64_t written_ms;

	stmt_text(q, 2, kind ? kind : "message");
	stmt_text(q, 3, json_string(source, "url"));
	stmt_text(q, 4, revision ? revision : "");
	stmt_text(q, 5, json_string(channel, "id"));
	stmt_text(q, 6, json_string(channel, "name"));
	stmt_text(q, 7, json_string(author, "id"));
	stmt_text(q, 8, json_string(author, "name"));
	if (at && clock_parse(&written_ms, at) == 0)
		stmt_int(q, 9, written_ms);
	stmt_text(q, 10, text ? text : "");
	if (json_bool(source, "gone", false))
		stmt_int(q, 11, clock_now_ms());
}

static int
keep(struct stmt *q, struct store *s, const char *task,
    const struct json *source, struct err *e)
{
	static const char sql[] =
	    "INSERT OR IGNORE INTO source (task, kind, url, revision, channel,"
	    "  channel_name, author, author_name, written_ms, text, gone_ms)"
	    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)";

	stmt_start(q, &s->db, sql);
	stmt_text(q, 1, task);
	bind_source(q, source);
	return stmt_run(q, e);
}

static int
link_call(struct stmt *q, struct store *s, const char *task, int64_t call,
    const struct json *source, struct err *e)
{
	static const char
	    sql[] = "INSERT OR IGNORE INTO evidence (task, call, source)"
		    " SELECT ?1, ?2, id FROM source"
		    "  WHERE task = ?1 AND url = ?3 AND revision = ?4";
	const char *revision = json_string(source, "revision");

	stmt_start(q, &s->db, sql);
	stmt_text(q, 1, task);
	stmt_int(q, 2, call);
	stmt_text(q, 3, json_string(source, "url"));
	stmt_text(q, 4, revision ? revision : "");
	return stmt_run(q, e);
}

int
evidence_add(struct store *s, const char *task, int64_t call,
    const struct json *sources, struct err *e)
{
	struct stmt kept = {0}, linked = {0};
	const struct json *v;
	int rc = 0;

	for (v = json_first(sources); v && rc == 0; v = json_next(v)) {
		if (!json_string(v, "url"))
			continue;
		rc = keep(&kept, s, task, v, e);
		if (rc == 0)
			rc = link_call(&linked, s, task, call, v, e);
	}
	stmt_end(&kept);
	stmt_end(&linked);
	return rc;
}

/* Its calls that gave the old revision gave the new one, and that alone. */
static int
link_again(struct store *s, const char *task, const struct json *source,
    struct err *e)
{
	static const char *const sql[] = {
	    "INSERT OR IGNORE INTO evidence (task, call, source)"
	    " SELECT e.task, e.call, new.id FROM evidence e"
	    " JOIN source old ON old.id = e.source"
	    " JOIN source new ON new.task = ?1 AND new.url = ?2"
	    "  AND new.revision = ?3 WHERE old.task = ?1 AND old.url = ?2",
	    "DELETE FROM source WHERE task = ?1 AND url = ?2"
	    " AND revision <> ?3 AND gone_ms IS NULL",
	};
	const char *revision = json_string(source, "revision");
	struct stmt q = {0};
	int rc = 0;

	for (size_t i = 0; i < 2 && rc == 0; i++) {
		stmt_start(&q, &s->db, sql[i]);
		stmt_text(&q, 1, task);
		stmt_text(&q, 2, json_string(source, "url"));
		stmt_text(&q, 3, revision ? revision : "");
		rc = stmt_run(&q, e);
	}
	stmt_end(&q);
	return rc;
}

/* The record with the source in place of the one of the same link. */
static void
put_record(struct buf *b, const struct json *record, const struct json *source)
{
	const char *url = json_string(source, "url"), *other;

	jsonw_object(b, NULL);
	for (const struct json *m = json_first(record); m; m = json_next(m)) {
		if (strcmp(json_key(m), "sources") != 0) {
			jsonw_value(b, json_key(m), m);
			continue;
		}
		jsonw_array(b, "sources");
		for (const struct json *x = json_first(m); x;
		     x = json_next(x)) {
			other = json_string(x, "url");
			jsonw_value(b, NULL,
			    other && strcmp(other, url) == 0 ? source : x);
		}
		jsonw_end_array(b);
	}
	jsonw_end_object(b);
}

static int
put_output(struct store *s, const char *task, int64_t n, const char *output,
    const struct json *source, struct err *e)
{
	static const char
	    sql[] = "UPDATE call SET output = ?3 WHERE task = ?1 AND n = ?2";
	struct json *record = NULL;
	struct buf text = {0};
	struct stmt q = {0};
	int rc = json_object(&record, output, strlen(output), e);

	if (rc == 0) {
		put_record(&text, record, source);
		stmt_start(&q, &s->db, sql);
		stmt_text(&q, 1, task);
		stmt_int(&q, 2, n);
		stmt_text_ref(&q, 3, buf_text(&text), text.len);
		rc = stmt_once(&q, e);
	}
	json_free(record);
	buf_release(&text);
	return rc;
}

/* The next call after n that gave it: 1 with its number and output, 0, -1. */
static int
next_output(struct store *s, const char *task, const char *url, int64_t *n,
    struct buf *output, struct err *e)
{
	struct stmt q = {0};
	int row;

	buf_clear(output);
	stmt_start(&q, &s->db,
	    "SELECT c.n, c.output FROM source x JOIN evidence v"
	    " ON v.source = x.id JOIN call c ON c.task = v.task"
	    " AND c.n = v.call WHERE x.task = ?1 AND x.url = ?2 AND c.n > ?3"
	    " AND c.output IS NOT NULL ORDER BY c.n LIMIT 1");
	stmt_text(&q, 1, task);
	stmt_text(&q, 2, url);
	stmt_int(&q, 3, *n);
	row = stmt_next(&q, e);
	if (row > 0) {
		*n = row_int(&q, 0);
		buf_str(output, row_text(&q, 1));
	}
	stmt_end(&q);
	return row;
}

/* Is there one that was edited before: "EDITEDMS-DIGEST", or is another? */
static int
is_older(struct store *s, const char *task, const struct json *source,
    struct err *e)
{
	const char *revision = json_string(source, "revision");
	struct stmt q = {0};
	int row;

	stmt_start(&q, &s->db,
	    "SELECT 1 FROM source WHERE task = ?1 AND url = ?2"
	    " AND gone_ms IS NULL AND revision <> ?3"
	    " AND CAST(revision AS INTEGER) <= CAST(?3 AS INTEGER)");
	stmt_text(&q, 1, task);
	stmt_text(&q, 2, json_string(source, "url"));
	stmt_text(&q, 3, revision ? revision : "");
	row = stmt_next(&q, e);
	stmt_end(&q);
	return row;
}

int
evidence_renew(struct store *s, const char *task, const struct json *source,
    struct err *e)
{
	const char *url = json_string(source, "url");
	struct stmt kept = {0};
	struct buf output = {0};
	int64_t n = 0;
	int row = is_older(s, task, source, e), rc;

	if (row <= 0)
		return row;
	rc = keep(&kept, s, task, source, e);
	stmt_end(&kept);
	if (rc == 0)
		rc = link_again(s, task, source, e);
	while (rc == 0 && (row = next_output(s, task, url, &n, &output, e)) > 0)
		rc = put_output(s, task, n, buf_text(&output), source, e);
	buf_release(&output);
	return rc < 0 || row < 0 ? -1 : 1;
}

int
evidence_gone(struct store *s, const char *task,
    void (*put)(void *ctx, const char *url), void *ctx, struct err *e)
{
	struct stmt q = {0};
	int row;

	stmt_start(&q, &s->db,
	    "SELECT DISTINCT url FROM source WHERE task = ?1"
	    " AND gone_ms IS NOT NULL");
	stmt_text(&q, 1, task);
	while ((row = stmt_next(&q, e)) > 0)
		put(ctx, row_text(&q, 0));
	stmt_end(&q);
	return row;
}
