/*
 * powercut - does the spool survive the loss of power, whenever it comes?
 *
 *   powercut work SEEN         below $SOPHIA_HOME, be a gateway that restarts
 *                              once, and an index that follows it; what the
 *                              index saw is written to SEEN. Under powerloss.
 *   powercut check LOG SEEN [STEP]
 *                              for each (or each STEP-th) entry of the log, and
 *                              each way the disk may be left: build it below
 *                              $SOPHIA_HOME, open it, and look whether all fits
 *                              together
 *   powercut tell              be a gateway that tells of a guild and messages
 *                              in it, never far ahead of the reader "index"
 *   powercut index LOG         the same as check, for a real sophia-index follow
 *                              that read what was told: its position and its
 *                              messages are in its database
 *
 * In `work` the index commits its position in the file "position", as a
 * database would: whole, and synced.
 */
#define _GNU_SOURCE /* nftw */
#include <fcntl.h>
#include <ftw.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/buf.h"
#include "core/err.h"
#include "core/file.h"
#include "core/home.h"
#include "powerdisk.h"
#include "powerlife.h"
#include "ext/db.h"
#include "store/base.h"
#include "store/live.h"
#include "store/spool.h"
#include "store/spool_reader.h"

enum {
	RANDOM = 3, /* disks left by chance, for each entry */
	SEEN_MAX = 1000,
};

struct check {
	struct disk *disk;
	uint64_t seen[SEEN_MAX]; /* by number; 0 if nobody saw it */
	char home[PATH_MAX];
	size_t states, sessions;
	bool index;
	const char *wrong;
};

static void
read_seen(struct check *c, const char *path)
{
	FILE *in = fopen(path, "r");
	uint64_t print;
	int64_t n;

	while (in && fscanf(in, "%" SCNd64 " %" SCNu64, &n, &print) == 2) {
		if (n >= SEEN_MAX || (c->seen[n] && c->seen[n] != print))
			c->wrong = "a number was seen with two contents";
		else
			c->seen[n] = print;
	}
	if (in)
		fclose(in);
}

/* The last number that readers were told of in the first n entries. */
static int64_t
published(const struct check *c, size_t n)
{
	size_t len;
	const char *text = disk_written(c->disk, n, "spool/0/synced", &len);

	return text ? strtoll(text, NULL, 10) : 0;
}

static int64_t
position_of(const struct check *c)
{
	char path[PATH_MAX];
	struct buf b = {0};
	struct err e;
	int64_t n = 0;

	snprintf(path, sizeof(path), "%.4000s/position", c->home);
	if (access(path, F_OK) == 0 && file_read(&b, path, &e) == 0)
		n = strtoll(buf_text(&b), NULL, 10);
	buf_release(&b);
	return n;
}

/* The rest of the events, one after the other, with the contents they had. */
static const char *
read_rest(const struct check *c, struct spool_reader *r, int64_t known,
    struct buf *last)
{
	struct err e = {0};
	int64_t next = r->position + 1;
	int got;

	while ((got = spool_reader_next(r, &e)) == SPOOL_EVENT) {
		int64_t n = r->event.number;

		if (n != next++)
			return "a number is not the next";
		if (n <= known && c->seen[n] &&
		    c->seen[n] != life_print(&r->event))
			return "an event that was seen has other contents";
		buf_clear(last);
		buf_add(last, r->event.data, r->event.data_len);
	}
	if (got == SPOOL_GAP)
		return "a gap, though nobody was too slow";
	return got < 0 ? "a reader fails" : NULL;
}

/* Is the session that of the last event, and after it? */
static const char *
judge_session(struct check *c, const struct spool *s,
    const struct spool_reader *r, const struct buf *last)
{
	if (!s->session || !last->len)
		return NULL;
	c->sessions++;
	if (!strstr(last->data, s->session))
		return "the session is not that of the last event";
	if (s->sequence != r->event.sequence)
		return "the sequence is not that of the last event";
	return NULL;
}

/* The gateway lives again: what it adds has a number that nobody saw. */
static const char *
go_on(struct check *c, struct spool *s, struct spool_reader *r, int64_t known)
{
	struct err e = {0};
	struct buf last = {0};
	const char *wrong;
	int64_t n = spool_append(s, "RESUMED", s->sequence + 1, "{\"new\":1}",
	    9, &e);

	if (n <= known)
		return "a number that was seen is used again";
	if (n < 0 || spool_sync(s, &e) < 0)
		return "it can't be written to";
	wrong = read_rest(c, r, known, &last);
	if (!wrong &&
	    (r->position != n || strcmp(buf_text(&last), "{\"new\":1}")))
		wrong = "a new event is not read";
	buf_release(&last);
	return wrong;
}

/*
 * The gateway and the index live again. The index may come first: then it has
 * to do with what the disk says until the gateway has looked through it.
 */
static const char *
open_again(struct check *c, struct spool *s, struct spool_reader *r,
    int64_t known, struct err *e)
{
	int64_t position = position_of(c);
	bool first = c->states % 2;
	struct buf last = {0};
	const char *wrong = NULL;

	if (first && spool_reader_open(r, 0, "index", position, e) < 0)
		return "a reader can't open it";
	if (first)
		wrong = read_rest(c, r, known, &last);
	if (!wrong && spool_open(s, 0, e) < 0)
		wrong = "a gateway can't open it";
	if (!wrong && s->number < position)
		wrong = "an event is gone that the index has";
	if (!wrong && !first &&
	    spool_reader_open(r, 0, "index", position, e) < 0)
		wrong = "a reader can't open it";
	if (!wrong)
		wrong = read_rest(c, r, known, &last);
	if (!wrong)
		wrong = judge_session(c, s, r, &last);
	buf_release(&last);
	return wrong;
}

static const char *
judge(struct check *c, size_t n)
{
	struct spool s = {.segment_bytes = LIFE_SEGMENT};
	struct spool_reader r = {0};
	struct err e = {0};
	int64_t known = published(c, n);
	const char *wrong = open_again(c, &s, &r, known, &e);

	if (!wrong && s.number < known)
		wrong = "an event is gone that somebody may have seen";
	if (!wrong)
		wrong = go_on(c, &s, &r, known);
	if (e.kind)
		printf("%s\n", e.text);
	spool_reader_close(&r);
	spool_close(&s);
	return wrong;
}

/* What the database of the index says: its position, or -1. */
static int64_t
position_in_store(int64_t *messages, struct err *e)
{
	struct store base = {0};
	struct live live = {0};
	int64_t result = -1;

	*messages = 0;
	if (store_exists("messages", e) < 1)
		return e->kind ? -1 : 0;
	if (store_open(&base, "messages", STORE_WRITE, e) == 0 &&
	    live_load(&base.db, 0, &live, e) == 0 &&
	    db_int(&base.db, "SELECT count(*) FROM message", 0, messages, e) ==
		0)
		result = live.number;
	store_close(&base);
	return result;
}

/* The index goes on from the position in its database. */
static const char *
judge_index(struct check *c, size_t n)
{
	struct spool s = {.segment_bytes = LIFE_SEGMENT};
	struct spool_reader r = {0};
	struct buf last = {0};
	struct err e = {0};
	int64_t messages, position = position_in_store(&messages, &e);
	const char *wrong = NULL;

	if (position < 0)
		wrong = "the index can't be opened";
	else if (messages != (position > 2 ? position - 2 : 0))
		wrong = "the messages are not those up to the position";
	else if (spool_open(&s, 0, &e) < 0)
		wrong = "a gateway can't open it";
	else if (s.number < position)
		wrong = "an event is gone that the index has";
	else if (spool_reader_open(&r, 0, "index", position, &e) < 0)
		wrong = "a reader can't open it";
	else
		wrong = read_rest(c, &r, published(c, n), &last);
	c->sessions += position > 2;
	if (wrong)
		printf("position %" PRId64 ", %" PRId64
		       " messages, event %" PRId64 ": %s\n",
		    position, messages, r.position, e.text);
	spool_reader_close(&r);
	spool_close(&s);
	buf_release(&last);
	return wrong;
}

static int
remove_one(const char *path, const struct stat *st, int type, struct FTW *walk)
{
	(void)st;
	(void)type;
	return walk->level ? remove(path) : 0;
}

static void
try(struct check *c, size_t n, enum disk_chance how, unsigned seed)
{
	const char *wrong;

	if (c->wrong)
		return;
	nftw(c->home, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	disk_build(c->disk, n, how, seed, c->home);
	c->states++;
	wrong = c->index ? judge_index(c, n) : judge(c, n);
	if (!wrong)
		return;
	printf("after entry %zu of %zu, disk %d, seed %u: %s\n", n,
	    disk_count(c->disk), (int)how, seed, wrong);
	c->wrong = wrong;
}

static int
check(const char *log, const char *seen, size_t step)
{
	struct check c = {.disk = disk_open(log), .index = !seen};
	struct err e = {0};

	if (home_path(c.home, ".", &e) < 0)
		return 2;
	c.home[strlen(c.home) - 2] = '\0';
	if (seen)
		read_seen(&c, seen);
	for (size_t n = 0; n <= disk_count(c.disk); n += step) {
		try(&c, n, DISK_NOTHING, 0);
		try(&c, n, DISK_ALL, 0);
		try(&c, n, DISK_ZEROS, 0);
		for (unsigned i = 1; i <= (c.index ? 1 : RANDOM); i++)
			try(&c, n, DISK_ANY, (unsigned)n * RANDOM + i);
	}
	if (!c.wrong && c.sessions * 2 > c.states)
		printf("%zu entries, %zu disks, all consistent\n",
		    disk_count(c.disk), c.states);
	else if (!c.wrong)
		c.wrong = "it proved nothing";
	if (c.wrong)
		printf("%s (%zu disks, %zu with a session)\n", c.wrong,
		    c.states, c.sessions);
	disk_close(c.disk);
	return c.wrong ? 1 : 0;
}

int
main(int argc, char **argv)
{
	if (argc == 3 && strcmp(argv[1], "work") == 0) {
		life_work(argv[2]);
		return 0;
	}
	if ((argc == 4 || argc == 5) && strcmp(argv[1], "check") == 0)
		return check(argv[2], argv[3],
		    argc == 5 ? strtoul(argv[4], NULL, 10) : 1);
	if (argc == 2 && strcmp(argv[1], "tell") == 0) {
		life_tell();
		return 0;
	}
	if (argc == 3 && strcmp(argv[1], "index") == 0)
		return check(argv[2], NULL, 1);
	fputs(
	    "usage: powercut work SEEN | check LOG SEEN [STEP] | tell | index LOG\n",
	    stderr);
	return 2;
}
