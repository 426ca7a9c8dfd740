/*
 * Any words, names and times: a page, or an error that says what is wrong.
 * The index is in memory; run it where share/schema is.
 */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/buf.h"
#include "core/err.h"
#include "core/file.h"
#include "core/mem.h"
#include "ext/text.h"
#include "retrieve/corpus.h"
#include "retrieve/page.h"
#include "retrieve/wish.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct corpus corpus;
static struct db memory;

static void
must(int result, const struct err *e)
{
	if (result < 0) {
		fprintf(stderr, "%s\n", e->text);
		abort();
	}
}

static void
run_file(const char *path)
{
	struct buf sql = {0};
	struct err e = {0};

	must(file_read(&sql, path, &e), &e);
	must(db_exec(&memory, sql.data, &e), &e);
	buf_release(&sql);
}

static void
fill(void)
{
	static const char rows[] =
	    "INSERT INTO guild VALUES (1, 'g', NULL);"
	    "INSERT INTO channel(ord, id, guild, type, name, language) VALUES"
	    " (1, 11, 1, 'GuildTextChat', 'deck', ''),"
	    " (2, 12, 1, 'GuildTextChat', 'hold', 'pt');"
	    "INSERT INTO author(ord, id, name) VALUES (1, 21, 'ada'),"
	    " (2, 22, 'ben'), (3, 23, 'Ada');"
	    "INSERT INTO author_name VALUES ('ada', 1, 'ada', 'username', 0, 1),"
	    " ('ben', 2, 'ben', 'username', 0, 1),"
	    " ('ada', 3, 'Ada', 'username', 0, 1);"
	    "INSERT INTO message(ord, id, channel, author, kind, flags, text)"
	    " VALUES (1, 4194304000, 1, 1, 0, 0, 'anchor or winch'),"
	    " (2, 4194304000000, 2, 2, 0, 2, 'the winch');"
	    "INSERT INTO message_fts(rowid, tokens) VALUES"
	    " (1, 'anchor or winch'), (2, 'the winch');"
	    "INSERT INTO chunk VALUES (0, x'000302',"
	    " x'000000000100000002000000');";
	struct err e = {0};

	must(db_open(&memory, ":memory:", DB_CREATE, DB_SYNC_NORMAL, &e), &e);
	run_file("share/schema/messages/0001.sql");
	run_file("share/schema/messages/0002.sql");
	must(db_exec(&memory, rows, &e), &e);
	corpus.db = corpus.slabs.db = &memory;
	corpus.text = text_open();
	must(rank_open(&corpus.rank, &memory, &e), &e);
}

/* One part of the input for each field, cut at its newlines. */
static void
make_wish(struct wish *w, char *text, uint8_t how)
{
	const char **fields[] = {&w->query, &w->after, &w->before, &w->around,
	    &w->cursor};
	struct err e = {0};

	wish_start(w);
	w->match = (enum wish_match)(how & 3);
	w->order = (enum wish_order)(how >> 2 & 1);
	w->context = how >> 3 & 3;
	w->limit = 1 + (how >> 5);
	for (size_t i = 0; text && i < 7; i++) {
		char *end = strchr(text, '\n');

		if (end)
			*end++ = '\0';
		if (i == 1 && *text)
			wish_add(&w->channels, text, &e);
		else if (i == 2 && *text)
			wish_add(&w->authors, text, &e);
		else if (*text)
			*fields[i ? i - 2 : 0] = text;
		text = end;
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct page page = {0};
	struct wish wish;
	struct err e = {0};
	char *text;

	if (!memory.raw)
		fill();
	if (!size)
		return 0;
	text = mem_dupn((const char *)data + 1, size - 1);
	make_wish(&wish, text, data[0]);
	must(corpus_begin(&corpus, &e), &e);
	if (page_find(&page, &corpus, &wish, &e) < 0 && e.kind != ERR_INPUT)
		must(-1, &e);
	if (page.hits > (size_t)wish.limit)
		abort();
	page_release(&page);
	corpus_end(&corpus);
	free(text);
	return 0;
}
