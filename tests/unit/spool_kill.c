/*
 * A writer is killed at any moment, again and again, while a reader reads:
 * what a reader has seen stays, each number once, with the same contents, and
 * the sequence to resume from is that of the last event that is there.
 */
#define _GNU_SOURCE /* nftw */
#include <inttypes.h>
#include <signal.h>
#include <stdint.h>
#include <sys/wait.h>

#include "core/err.h"
#include "core/hash.h"
#include "scratch.h"
#include "store/spool.h"
#include "store/spool_reader.h"
#include "tap.h"

enum { KILLS = 60, SEEN_MAX = 200000, DATA_MAX = 3000 };

static uint64_t seen[SEEN_MAX]; /* of each number, a hash of its contents */
static int64_t newest;
static bool changed, skipped;

static uint64_t
of_event(const struct event *x)
{
	return hash_bytes(hash_number(HASH_START, (uint64_t)x->sequence),
	    x->data, x->data_len);
}

static void
note_all(struct spool_reader *r)
{
	struct err e = {0};
	int got;

	while ((got = spool_reader_next(r, &e)) > 0) {
		uint64_t hash = of_event(&r->event);
		int64_t n = r->event.number;

		skipped |= got == SPOOL_GAP || n >= SEEN_MAX;
		if (got == SPOOL_GAP || n >= SEEN_MAX)
			return;
		changed |= seen[n] && seen[n] != hash;
		seen[n] = hash;
		newest = n > newest ? n : newest;
	}
	if (got < 0)
		printf("# reading: %s\n", e.text);
	skipped |= got < 0;
}

/* Write until killed: events that differ from one writer to the next. */
static void
write_on(unsigned generation)
{
	static char data[DATA_MAX + 16];
	struct spool s = {.segment_bytes = 64 << 10};
	struct err e = {0};

	if (spool_open(&s, 0, &e) < 0)
		_exit(1);
	if (!s.session || generation % 7 == 0) {
		spool_append(&s, "READY", 1, "{}", 2, &e);
		spool_session(&s, "abc", "wss://resume.example");
	}
	for (unsigned i = 0;; i++) {
		unsigned len = (i * 2654435761u + generation) % DATA_MAX;
		int n = snprintf(data, sizeof(data), "{\"g\":%u,\"x\":\"",
		    generation);

		memset(data + n, 'x', len);
		memcpy(data + n + len, "\"}", 3);
		if (spool_append(&s, "MESSAGE_CREATE", s.sequence + 1, data,
			strlen(data), &e) < 0)
			_exit(1);
		if (i % 5 == generation % 5 && spool_sync(&s, &e) < 0)
			_exit(1);
	}
}

/* 0, or what is wrong after a kill. */
static const char *
check(int64_t *sequence)
{
	struct spool s = {.segment_bytes = 64 << 10};
	struct spool_reader r = {0};
	struct err e = {0};
	const char *wrong = NULL;

	if (spool_open(&s, 0, &e) < 0) {
		printf("# %s\n", e.text);
		return "it can't be opened";
	}
	if (s.number < newest)
		wrong = "an event that was seen is gone";
	spool_close(&s);
	spool_reader_open(&r, 0, NULL, 0, &e);
	note_all(&r);
	if (r.position != newest || r.event.number != newest)
		wrong = "the last event is not the last";
	*sequence = r.event.sequence;
	if (s.session && s.sequence != r.event.sequence)
		wrong = "the sequence is not that of the last event";
	spool_reader_close(&r);
	return wrong;
}

static void
test_kills(void)
{
	struct spool_reader r = {0};
	struct err e = {0};
	const char *wrong = NULL;
	int64_t sequence;

	if (spool_reader_open(&r, 0, "index", 0, &e) < 0)
		return;
	for (unsigned i = 0; i < KILLS && !wrong; i++) {
		pid_t pid;

		fflush(stdout);
		pid = fork();
		if (pid == 0)
			write_on(i);
		for (unsigned wait = 0; wait <= i * 7 % 40; wait++) {
			usleep(200);
			note_all(&r);
		}
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
		wrong = check(&sequence);
		note_all(&r);
	}
	if (wrong)
		printf("# %s\n", wrong);
	ok(!wrong, "killed at any moment, a writer leaves a whole spool");
	ok(!changed, "no number is used for two events that somebody saw");
	ok(!skipped, "a reader that stays misses none");
	ok(newest > KILLS, "and all that time, events were written");
	printf("# %" PRId64 " events in %d lives\n", newest, KILLS);
	spool_reader_close(&r);
}

int
main(void)
{
	scratch_open();
	test_kills();
	scratch_close();
	return tap_done();
}
