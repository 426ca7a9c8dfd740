#define _GNU_SOURCE
/*
 * What the lists and arrays give is what counting every message by hand gives.
 */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/buf.h"
#include "core/err.h"
#include "ext/db.h"
#include "ext/rank.h"
#include "retrieve/score.h"
#include "retrieve/slabs.h"
#include "retrieve/top.h"
#include "scratch.h"
#include "tap.h"

enum { MESSAGES = 2500, VOCABULARY = 40, LONGEST = 30, CHANNELS = 5 };

struct doc {
	uint32_t channel;
	int length, words[LONGEST];
};

static struct doc docs[MESSAGES + 1];
static uint64_t state = 7;

static uint32_t
next_random(uint32_t below)
{
	state = state * UINT64_C(6364136223846793005) + 1442695040888963407U;
	return (uint32_t)(state >> 33) % below;
}

/* Low words are common; some are what FTS5 would take for syntax. */
static const char *
word(int n)
{
	static const char *const odd[] = {"or", "and", "not", "near", "a\"b",
	    "x*", "t:u", "(", "-v", "^w"};
	static char text[4][16];
	static int turn;

	if (n < 10)
		return odd[n];
	turn = (turn + 1) % 4;
	snprintf(text[turn], sizeof(text[0]), "w%d", n);
	return text[turn];
}

static void
make_docs(void)
{
	for (int i = 1; i <= MESSAGES; i++) {
		docs[i].channel = 1 + next_random(CHANNELS);
		docs[i].length = (int)next_random(LONGEST);
		for (int k = 0; k < docs[i].length; k++)
			docs[i].words[k] = (int)(next_random(VOCABULARY) *
						 next_random(VOCABULARY) /
						 VOCABULARY);
	}
}

static uint32_t
times_in(const struct doc *d, int n)
{
	uint32_t times = 0;

	for (int k = 0; k < d->length; k++)
		times += d->words[k] == n;
	return times;
}

static uint32_t found[VOCABULARY]; /* messages that have the word */

static void
count_words(void)
{
	for (int n = 0; n < VOCABULARY; n++)
		for (int i = 1; i <= MESSAGES; i++)
			found[n] += times_in(&docs[i], n) > 0;
}

/* BM25, from its definition. */
static double
by_hand(const struct doc *d, const int *query, uint32_t words, double mean)
{
	double sum = 0;

	for (uint32_t q = 0; q < words; q++) {
		double n = found[query[q]], f = times_in(d, query[q]);

		sum += log(1 + (MESSAGES - n + .5) / (n + .5)) * f * 1.9 /
		       (f + .9 * (.6 + .4 * d->length / mean));
	}
	return sum;
}

static bool
put_doc(struct db *db, struct stmt *s, uint32_t ord, struct err *e)
{
	struct buf text = {0};
	bool good;

	for (int k = 0; k < docs[ord].length; k++)
		buf_fmt(&text, "%s%s", k ? " " : "", word(docs[ord].words[k]));
	stmt_start(s, db,
	    "INSERT INTO message_fts(rowid, tokens) VALUES (?1, ?2)");
	stmt_int(s, 1, ord);
	stmt_text(s, 2, buf_text(&text));
	good = stmt_run(s, e) == 0;
	buf_release(&text);
	return good;
}

static bool
put_chunk(struct db *db, struct stmt *s, uint32_t no, struct err *e)
{
	unsigned char lengths[SLAB_SIZE] = {0}, channels[4 * SLAB_SIZE] = {0};

	for (uint32_t i = 0; i < SLAB_SIZE; i++) {
		uint32_t ord = no * SLAB_SIZE + i;

		if (!ord || ord > MESSAGES)
			continue;
		lengths[i] = (unsigned char)docs[ord].length;
		channels[4 * i] = (unsigned char)docs[ord].channel;
	}
	stmt_start(s, db, "INSERT INTO chunk VALUES (?1, ?2, ?3)");
	stmt_int(s, 1, no);
	stmt_blob_ref(s, 2, lengths, sizeof(lengths));
	stmt_blob_ref(s, 3, channels, sizeof(channels));
	return stmt_run(s, e) == 0;
}

static bool
make_index(struct db *db, struct err *e)
{
	static const char schema[] =
	    "CREATE VIRTUAL TABLE message_fts USING fts5(tokens, content='',"
	    " columnsize=0, tokenize=\"ascii tokenchars"
	    " '!\"\"#$%&''()*+,-./:;<=>?@[\\]^_`{|}~'\");"
	    "CREATE TABLE chunk (no INTEGER PRIMARY KEY, lengths, channels);"
	    "BEGIN";
	struct stmt fts = {0}, chunk = {0};
	bool good = db_exec(db, schema, e) == 0;

	make_docs();
	count_words();
	for (uint32_t i = 1; good && i <= MESSAGES; i++)
		good = put_doc(db, &fts, i, e);
	for (uint32_t i = 0; good && i * SLAB_SIZE <= MESSAGES; i++)
		good = put_chunk(db, &chunk, i, e);
	stmt_end(&fts);
	stmt_end(&chunk);
	return good && db_exec(db, "COMMIT", e) == 0;
}

struct test {
	struct rank rank;
	struct slabs slabs;
	struct rank_list lists[SCORE_WORDS];
	struct score score;
	int query[3];
	double mean;
};

static bool
ask(struct test *t, uint32_t words, struct err *e)
{
	t->score = (struct score){.lists = t->lists, .slabs = &t->slabs};
	t->score.frozen = (struct score_frozen){.messages = MESSAGES,
	    .high = MESSAGES,
	    .words = words};
	t->score.frozen.tokens = (int64_t)(t->mean * MESSAGES + .5);
	for (uint32_t q = 0; q < words; q++) {
		const char *token;

		/* Each word once, as in a query. */
		do
			t->query[q] = (int)next_random(VOCABULARY);
		while ((q > 0 && t->query[q] == t->query[0]) ||
		       (q > 1 && t->query[q] == t->query[1]));
		token = word(t->query[q]);
		if (rank_find(&t->rank, &t->lists[q], &token, 1, e) < 0)
			return false;
		t->score.frozen.found[q] = (uint32_t)t->lists[q].count;
	}
	return true;
}

static bool
one_agrees(struct test *t, const struct top *top, size_t i, uint32_t words,
    struct err *e)
{
	double want = by_hand(&docs[top->at[i].ord], t->query, words, t->mean);
	double alone;

	return fabs(want - top->at[i].score) < 1e-9 &&
	       score_one(&t->score, top->at[i].ord, &alone, e) == 0 &&
	       fabs(want - alone) < 1e-9;
}

struct tally {
	size_t matches, above;
};

/* How many messages match, and how many are better than the lowest kept. */
static struct tally
count_all(const struct test *t, uint32_t words, const unsigned char *channels,
    uint32_t high, double lowest)
{
	struct tally n = {0};

	for (uint32_t i = 1; i <= high; i++) {
		double s = by_hand(&docs[i], t->query, words, t->mean);

		if (channels && !(*channels >> docs[i].channel & 1))
			continue;
		n.matches += s > 0;
		n.above += s > lowest + 1e-9;
	}
	return n;
}

static bool
agrees(struct test *t, uint32_t words, unsigned char *channels, uint32_t high,
    struct err *e)
{
	struct score_filter f = {.channels = channels,
	    .channel_bits = CHANNELS + 1};
	struct tally n = {0};
	struct top top;
	bool good;
	size_t above = 0;
	double lowest;

	top_open(&top, 20);
	good = ask(t, words, e);
	t->score.frozen.high = high;
	good = good && score_any(&t->score, &f, &top, e) == 0;
	top_sort(&top);
	lowest = top.count ? top.at[top.count - 1].score : 0;
	for (size_t i = 0; good && i < top.count; i++) {
		good = one_agrees(t, &top, i, words, e) &&
		       top.at[i].ord <= high &&
		       (!channels ||
			   (*channels >> docs[top.at[i].ord].channel & 1));
		above += top.at[i].score > lowest + 1e-9;
	}
	n = count_all(t, words, channels, high, lowest);
	good = good && top.count == (n.matches < 20 ? n.matches : 20) &&
	       n.above == above;
	top_release(&top);
	return good;
}

static bool
many_agree(struct test *t, unsigned char *channels, uint32_t high,
    struct err *e)
{
	bool good = true;

	for (int i = 0; good && i < 12; i++)
		good = agrees(t, 1 + (uint32_t)i % 3, channels, high, e);
	return good;
}

static void
run(struct db *db, struct err *e)
{
	struct test t = {.slabs = {.db = db}};
	struct rank_list list = {0};
	const char *phrase[] = {"or", "and"}, *unknown = "nothing";
	unsigned char some = 1U << 2 | 1U << 4;
	size_t want = 0;
	int tokens = 0;

	for (int i = 1; i <= MESSAGES; i++) {
		bool in = false;

		tokens += docs[i].length;
		for (int k = 0; k + 1 < docs[i].length; k++)
			in = in || (docs[i].words[k] == 0 &&
				       docs[i].words[k + 1] == 1);
		want += in;
	}
	t.mean = (double)tokens / MESSAGES;
	ok(rank_open(&t.rank, db, e) == 0, "FTS5 takes our function");
	ok(many_agree(&t, NULL, MESSAGES, e), "scores and order, all channels");
	ok(many_agree(&t, &some, MESSAGES, e), "two channels of five");
	ok(many_agree(&t, NULL, 1234, e), "up to an ordinal");
	ok(rank_find(&t.rank, &list, phrase, 2, e) == 0 && list.count == want &&
		want > 0,
	    "a phrase, of words that FTS5 has a meaning for");
	ok(rank_find(&t.rank, &list, &unknown, 1, e) == 0 && list.count == 0,
	    "a word that is nowhere");
	ok(rank_find(&t.rank, &list, phrase, 0, e) == 0 && list.count == 0,
	    "no word");
	rank_release(&list);
	for (size_t i = 0; i < SCORE_WORDS; i++)
		rank_release(&t.lists[i]);
	slabs_release(&t.slabs);
	rank_close(&t.rank);
}

int
main(void)
{
	struct db db = {0};
	struct err e = {0};

	scratch_open();
	if (ok(db_open(&db, in_scratch("fts"), DB_CREATE, DB_SYNC_NORMAL, &e) ==
			0 &&
		    make_index(&db, &e),
		"an index of 2500 messages is made"))
		run(&db, &e);
	if (e.kind)
		printf("# %s\n", e.text);
	db_close(&db);
	scratch_close();
	return tap_done();
}
