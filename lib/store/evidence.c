#include "store/evidence.h"

#include "core/clock.h"
#include "core/err.h"
#include "ext/json.h"
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
}

static int
keep(struct stmt *q, struct store *s, const char *task,
    const struct json *source, struct err *e)
{
	static const char sql[] =
	    "INSERT OR IGNORE INTO source (task, kind, url, revision, channel,"
	    "  channel_name, author, author_name, written_ms, text)"
	    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)";

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
