#include "retrieve/archive.h"

#include <stdlib.h>
#include <string.h>

#include "core/err.h"
#include "core/hash.h"
#include "ext/text.h"

/*
 * Memory that was never touched costs more than to read a page again: on a
 * million messages half a megabyte of pages is faster than SQLite's two, and
 * than mapping the file.
 */
static int
tune(struct archive *a, struct err *e)
{
	return db_exec(a->db, "PRAGMA cache_size = -512", e);
}

int
archive_open(struct archive *a, struct err *e)
{
	if (store_open_index(&a->store, STORE_READ, e) < 0)
		return -1;
	a->db = &a->store.db;
	a->slabs.db = a->db;
	a->text = text_open();
	if (tune(a, e) == 0 && rank_open(&a->rank, a->db, e) == 0)
		return 0;
	archive_close(a);
	return -1;
}

void
archive_close(struct archive *a)
{
	text_close(a->text);
	a->text = NULL;
	slabs_release(&a->slabs);
	rank_close(&a->rank);
	store_close(&a->store);
	a->db = NULL;
}

/* One of the facts the index keeps about itself. */
static void
take(struct archive *a, const char *name, const char *value)
{
	if (strcmp(name, "generation") == 0)
		a->generation = hash_text(HASH_START, value);
	else if (strcmp(name, "messages") == 0)
		a->messages = strtoll(value, NULL, 10);
	else if (strcmp(name, "analyzer") == 0)
		a->analyzer = strtoll(value, NULL, 10);
	else if (strcmp(name, "tokens") == 0)
		a->tokens = strtoll(value, NULL, 10);
}

static int
read_state(struct archive *a, struct err *e)
{
	static const char facts[] = "SELECT name, value FROM meta";
	static const char highest[] = "SELECT max(ord) FROM message";
	struct stmt s = {0};
	int64_t high;
	int row;

	stmt_start(&s, a->db, facts);
	while ((row = stmt_next(&s, e)) > 0)
		take(a, row_text(&s, 0), row_text(&s, 1));
	stmt_end(&s);
	if (row < 0 || db_int(a->db, highest, 0, &high, e) < 0)
		return -1;
	a->high = (uint32_t)high;
	if (a->analyzer && a->analyzer != text_version())
		return err_set(e, ERR_CONFIG,
		    "the index was made by another analysis of text; run: "
		    "sophia index rebuild");
	return 0;
}

int
archive_begin(struct archive *a, struct err *e)
{
	int64_t version;

	if (!a->db && archive_open(a, e) < 0)
		return -1;
	if (db_begin_read(a->db, e) < 0)
		return -1;
	if (read_state(a, e) < 0 || db_data_version(a->db, &version, e) < 0) {
		archive_end(a);
		return -1;
	}
	if (version != a->version)
		slabs_forget(&a->slabs);
	a->version = version;
	return 0;
}

void
archive_end(struct archive *a)
{
	slabs_pause(&a->slabs);
	db_rollback(a->db);
}
