/* What a query is taken for: words to look for, and people who are meant. */

#include <string.h>

#include "core/buf.h"
#include "core/err.h"
#include "core/file.h"
#include "ext/db.h"
#include "ext/text.h"
#include "retrieve/corpus.h"
#include "retrieve/query.h"
#include "retrieve/scope.h"
#include "retrieve/wish.h"
#include "tap.h"

static struct db memory;
static struct corpus corpus = {.db = &memory};

static bool
fill(struct err *e)
{
	static const char rows[] =
	    "INSERT INTO guild VALUES (1, 'g', NULL);"
	    "INSERT INTO channel(ord, id, guild, type, name, language) VALUES"
	    " (1, 11, 1, 'GuildTextChat', 'deck', ''),"
	    " (2, 12, 1, 'GuildTextChat', 'hold', 'pt');"
	    "INSERT INTO author(ord, id, name) VALUES (1, 210, 'ada'),"
	    " (2, 220, 'ben'), (3, 230, 'ada2'), (4, 240, 'the');"
	    "INSERT INTO author_name VALUES ('ada', 1, 'ada', 'username', 0, 1),"
	    " ('ben', 2, 'ben', 'username', 0, 1),"
	    " ('ada', 3, 'Ada', 'nickname', 1, 1),"
	    " ('the', 4, 'the', 'username', 0, 1),"
	    " ('anne bonny', 2, 'Anne Bonny', 'nickname', 1, 1);";
	struct buf sql = {0};
	bool good;

	good = db_open(&memory, ":memory:", DB_CREATE, DB_SYNC_NORMAL, e) ==
		   0 &&
	       file_read(&sql, "share/schema/messages/0001.sql", e) == 0 &&
	       file_read(&sql, "share/schema/messages/0002.sql", e) == 0 &&
	       db_exec(&memory, sql.data, e) == 0 &&
	       db_exec(&memory, rows, e) == 0;
	buf_release(&sql);
	corpus.text = text_open();
	return good;
}

/* "word word | author author" */
static const char *
taken(const char *text, bool exact, const char *channel)
{
	static char out[512];
	struct query q = {0};
	struct scope s = {0};
	struct wish w;
	struct err e = {0};
	struct buf b = {0};

	wish_start(&w);
	if (channel)
		wish_add(&w.channels, channel, &e);
	if (scope_open(&s, &corpus, &w, &e) < 0 ||
	    query_open(&q, &s, text, exact, &e) < 0)
		buf_str(&b, e.text);
	for (size_t i = 0; i < q.count; i++)
		buf_fmt(&b, "%s ", q.token[i]);
	buf_char(&b, '|');
	for (size_t i = 0; i < q.people.count; i++)
		buf_fmt(&b, " %u", q.people.at[i]);
	snprintf(out, sizeof(out), "%s", buf_text(&b));
	buf_release(&b);
	query_release(&q);
	scope_release(&s);
	return out;
}

int
main(void)
{
	struct err e = {0};
	static char longest[QUERY_LONGEST + 2];

	if (!ok(fill(&e), "an empty index")) {
		printf("# %s\n", e.text);
		return tap_done();
	}
	same(taken("the winch is red", false, "deck"), "winch red |",
	    "stop words are left out");
	same(taken("the winch is red", false, NULL), "winch red |",
	    "of every language, where several are searched");
	same(taken("the is", false, NULL), "the is |",
	    "but not if nothing else is asked for");
	same(taken("the winch", true, "deck"), "the winch |",
	    "an exact search takes every word");
	same(taken("is Ada's winch red?", false, "deck"), "winch red | 1 3",
	    "a name is taken out; all who have it are meant");
	same(taken("what did @ben say", false, "deck"), "sai | 2",
	    "with an @, too");
	same(taken("who is ben with the rope", false, "deck"), "ben rope | 2",
	    "in lower case it may be a word, so it stays one");
	same(taken("did Anne Bonny sail", false, "deck"), "sail | 2",
	    "a name may have several words");
	same(taken("<@230> winch", false, "deck"), "winch | 3",
	    "a mention is one by id");
	same(taken("Ada", false, "deck"), "ada | 1 3",
	    "a name alone is looked for as well");
	same(taken("The winch", false, "deck"), "winch |",
	    "nobody is called by a stop word");
	memset(longest, 'x', sizeof(longest) - 1);
	ok(strstr(taken(longest, false, NULL), "over 16384 bytes"),
	    "a query has a limit");
	text_close(corpus.text);
	db_close(&memory);
	return tap_done();
}
