#include "retrieve/corpus.h"

#include <stdlib.h>
#include <string.h>

#include "access/audience.h"
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
	return db_exec(c->db,
	    "PRAGMA cache_size = -512; PRAGMA temp_store = MEMORY", e);
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

/* Rows of one column: the ids or ordinals of a list. */
static int
fill(struct corpus *c, const char *sql, const void *list, size_t count,
    struct err *e)
{
	struct stmt s = {0};
	int result = 0;

	for (size_t i = 0; i < count && result == 0; i++) {
		int64_t n;

		memcpy(&n, (const char *)list + i * sizeof(n), sizeof(n));
		stmt_start(&s, c->db, sql);
		stmt_int(&s, 1, n);
		result = stmt_run(&s, e);
	}
	stmt_end(&s);
	return result;
}

/*
 * SQLite looks for a table among the temporary ones first, and whatever was
 * compiled before is compiled anew when these change. The end of the view takes
 * them back.
 */
static int
narrow(struct corpus *c, const struct audience *a, struct err *e)
{
	static const char
	    tables[] = "CREATE TEMP TABLE let (ord INTEGER PRIMARY KEY);"
		       "CREATE TEMP TABLE home (id INTEGER PRIMARY KEY)";
	static const char views[] =
	    "CREATE TEMP VIEW channel AS SELECT * FROM main.channel"
	    " WHERE ord IN (SELECT ord FROM let);"
	    "CREATE TEMP VIEW message AS SELECT * FROM main.message"
	    " WHERE channel IN (SELECT ord FROM let);"
	    "CREATE TEMP VIEW guild AS SELECT * FROM main.guild"
	    " WHERE id IN (SELECT id FROM home);"
	    "CREATE TEMP VIEW role AS SELECT * FROM main.role"
	    " WHERE guild IN (SELECT id FROM home);"
	    "CREATE TEMP VIEW member AS SELECT * FROM main.member"
	    " WHERE guild IN (SELECT id FROM home);"
	    "CREATE TEMP VIEW author_name AS SELECT * FROM main.author_name n"
	    " WHERE (guild = 0 OR guild IN (SELECT id FROM home))"
	    " AND EXISTS (SELECT 1 FROM main.member m WHERE m.author = n.author"
	    "  AND m.guild IN (SELECT id FROM home))";
	static const char categories[] = /* of what is let in */
	    "INSERT OR IGNORE INTO let SELECT p.ord FROM main.channel c"
	    " JOIN main.channel p ON p.id = c.parent WHERE p.kind = 4"
	    " AND c.ord IN (SELECT ord FROM let)";

	c->narrow = true;
	c->hidden = a->hidden;
	if (db_exec(c->db, tables, e) < 0 ||
	    fill(c, "INSERT INTO let VALUES (?1)", a->channels,
		a->channel_count, e) < 0 ||
	    fill(c, "INSERT INTO home VALUES (?1)", a->guilds, a->guild_count,
		e) < 0 ||
	    db_exec(c->db, categories, e) < 0)
		return -1;
	return db_exec(c->db, views, e);
}

int
corpus_begin_for(struct corpus *c, const struct context *asker, struct err *e)
{
	struct audience a = {0};
	int result;

	if (corpus_begin(c, e) < 0)
		return -1;
	result = audience_find(&a, c->db, asker, e);
	if (result == 0 && !a.everything)
		result = narrow(c, &a, e);
	audience_release(&a);
	if (result < 0)
		corpus_end(c);
	return result;
}

void
corpus_end(struct corpus *c)
{
	slabs_pause(&c->slabs);
	db_rollback(c->db);
	c->narrow = false;
	c->hidden = 0;
}
