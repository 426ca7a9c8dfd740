#include "ext/rank.h"

#include <stdlib.h>

#include <sqlite3.h>

#include "core/buf.h"
#include "core/err.h"
#include "core/mem.h"

/* How often the phrase is in the current row. */
static uint32_t
count_phrase(const Fts5ExtensionApi *api, Fts5Context *row, int *rc)
{
	Fts5PhraseIter at;
	int column, offset;
	uint32_t times = 0;

	*rc = api->xPhraseFirst(row, 0, &at, &column, &offset);
	while (*rc == SQLITE_OK && column >= 0) {
		times++;
		api->xPhraseNext(row, &at, &column, &offset);
	}
	return times;
}

static void
add(struct rank_list *list, struct rank_hit hit)
{
	if (list->count == list->room) {
		list->room = list->room ? list->room * 2 : 1024;
		list->hits = mem_resize(list->hits, list->room,
		    sizeof(*list->hits));
	}
	list->hits[list->count++] = hit;
}

/* Called by FTS5 on each match; 0 is "false", so that no row comes out. */
static void
collect(const Fts5ExtensionApi *api, Fts5Context *row, sqlite3_context *result,
    int count, sqlite3_value **values)
{
	struct rank *r = api->xUserData(row);
	sqlite3_int64 ord = api->xRowid(row);
	struct rank_hit hit;
	int rc = SQLITE_OK;

	(void)count;
	(void)values;
	hit.ord = (uint32_t)ord;
	hit.times = count_phrase(api, row, &rc);
	if (rc != SQLITE_OK || ord <= 0 || ord > UINT32_MAX) {
		sqlite3_result_error_code(result,
		    rc != SQLITE_OK ? rc : SQLITE_CORRUPT);
		return;
	}
	if (r->into)
		add(r->into, hit);
	sqlite3_result_int(result, 0);
}

int
rank_open(struct rank *r, struct db *db, struct err *e)
{
	sqlite3_stmt *s = NULL;
	fts5_api *api = NULL;
	int rc;

	r->db = db;
	rc = sqlite3_prepare_v2(db->raw, "SELECT fts5(?1)", -1, &s, NULL);
	if (rc == SQLITE_OK)
		sqlite3_bind_pointer(s, 1, (void *)&api, "fts5_api_ptr", NULL);
	if (rc == SQLITE_OK)
		sqlite3_step(s);
	sqlite3_finalize(s);
	if (!api)
		return err_set(e, ERR_INTERNAL, "SQLite has no FTS5");
	rc = api->xCreateFunction(api, "collect", r, collect, NULL);
	if (rc != SQLITE_OK)
		return err_set(e, ERR_INTERNAL, "%s", sqlite3_errmsg(db->raw));
	return 0;
}

void
rank_close(struct rank *r)
{
	stmt_end(&r->find);
}

/* The tokens as one FTS5 string: quotes in it doubled, quotes around it. */
static void
quote(struct buf *b, const char *const *tokens, size_t count)
{
	buf_char(b, '"');
	for (size_t i = 0; i < count; i++) {
		if (i)
			buf_char(b, ' ');
		for (const char *p = tokens[i]; *p; p++) {
			if (*p == '"')
				buf_char(b, '"');
			buf_char(b, *p);
		}
	}
	buf_char(b, '"');
}

int
rank_find(struct rank *r, struct rank_list *list, const char *const *tokens,
    size_t count, struct err *e)
{
	static const char
	    sql[] = "SELECT 1 FROM message_fts"
		    " WHERE message_fts MATCH ?1 AND collect(message_fts)";
	struct buf phrase = {0};
	int result;

	list->count = 0;
	if (!count)
		return 0;
	quote(&phrase, tokens, count);
	stmt_start(&r->find, r->db, sql);
	stmt_textn(&r->find, 1, phrase.data, phrase.len);
	r->into = list;
	result = stmt_run(&r->find, e);
	r->into = NULL;
	buf_release(&phrase);
	return result;
}

void
rank_release(struct rank_list *list)
{
	free(list->hits);
	*list = (struct rank_list){0};
}
