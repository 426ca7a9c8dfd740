#include "retrieve/corpus.h"

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
tune(struct corpus *c, struct err *e)
{
	return db_exec(c->db, "PRAGMA cache_size = -512", e);
}

int
corpus_open(struct corpus *c, struct err *e)
{
	if (store_open_index(&c->store, STORE_READ, e) < 0)
		return -1;
	c->db = &c->store.db;
	c->slabs.db = c->db;
	c->text = text_open();
	if (tune(c, e) == 0 && rank_open(&c->rank, c->db, e) == 0)
		return 0;
	corpus_close(c);
	return -1;
}

void
corpus_close(struct corpus *c)
{
	text_close(c->text);
	c->text = NULL;
	slabs_release(&c->slabs);
	rank_close(&c->rank);
	store_close(&c->store);
	c->db = NULL;
}

/* One of the facts the index keeps about itself. */
static void
take(struct corpus *c, const char *name, const char *value)
{
	if (strcmp(name, "generation") == 0)
		c->generation = hash_text(HASH_START, value);
	else if (strcmp(name, "messages") == 0)
		c->messages = strtoll(value, NULL, 10);
	else if (strcmp(name, "analyzer") == 0)
		c->analyzer = strtoll(value, NULL, 10);
	else if (strcmp(name, "tokens") == 0)
		c->tokens = strtoll(value, NULL, 10);
}

static int
read_state(struct corpus *c, struct err *e)
{
	static const char facts[] = "SELECT name, value FROM meta";
	static const char highest[] = "SELECT max(ord) FROM message";
	struct stmt s = {0};
	int64_t high;
	int row;

	stmt_start(&s, c->db, facts);
	while ((row = stmt_next(&s, e)) > 0)
		take(c, row_text(&s, 0), row_text(&s, 1));
	stmt_end(&s);
	if (row < 0 || db_int(c->db, highest, 0, &high, e) < 0)
		return -1;
	c->high = (uint32_t)high;
	if (c->analyzer && c->analyzer != text_version())
		return err_set(e, ERR_CONFIG,
		    "the index was made by another analysis of text; run: "
		    "sophia index rebuild");
	return 0;
}

int
corpus_begin(struct corpus *c, struct err *e)
{
	int64_t version;

	if (!c->db && corpus_open(c, e) < 0)
		return -1;
	if (db_begin_read(c->db, e) < 0)
		return -1;
	if (read_state(c, e) < 0 || db_data_version(c->db, &version, e) < 0) {
		corpus_end(c);
		return -1;
	}
	if (version != c->version)
		slabs_forget(&c->slabs);
	c->version = version;
	return 0;
}

void
corpus_end(struct corpus *c)
{
	slabs_pause(&c->slabs);
	db_rollback(c->db);
}
