/* powerlife - see there. */
#define _GNU_SOURCE
#include "powerlife.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/err.h"
#include "core/file.h"
#include "core/hash.h"
#include "core/home.h"
#include "store/spool.h"
#include "store/spool_reader.h"

enum {
	EVENTS = 160,
	SESSION_EVENTS = 55, /* of one session */
	RESTART = 90,
	MESSAGES = 48,
	BEHIND = 5,      /* events that the index may be behind */
	PATIENCE = 4000, /* times 5 ms */
};

static void
die(const char *what, const struct err *e)
{
	fprintf(stderr, "powercut: %s: %s\n", what, e->text);
	exit(1);
}

struct work {
	struct spool s;
	struct spool_reader r;
	FILE *seen;
	int commits;
	unsigned life; /* makes events of the same number differ */
};

uint64_t
life_print(const struct event *x)
{
	return hash_bytes(HASH_START, x->data, x->data_len);
}

static void
commit(struct work *w)
{
	char path[PATH_MAX], text[32];
	struct err e = {0};
	int n = snprintf(text, sizeof(text), "%" PRId64 "\n", w->r.position);

	if (home_path(path, "position", &e) < 0 ||
	    file_replace(path, text, (size_t)n, &e) < 0 ||
	    spool_reader_passed(&w->r, w->r.position, &e) < 0)
		die("committing", &e);
}

static void
follow(struct work *w)
{
	struct err e = {0};
	int got, count = 0;

	while ((got = spool_reader_next(&w->r, &e)) == SPOOL_EVENT) {
		fprintf(w->seen, "%" PRId64 " %" PRIu64 "\n", w->r.event.number,
		    life_print(&w->r.event));
		count++;
	}
	if (got)
		die("a gap while nothing is lost", &e);
	if (count && ++w->commits % 2)
		commit(w);
}

static void
open_both(struct work *w, int64_t after)
{
	struct err e = {0};

	w->life++;
	w->s = (struct spool){.segment_bytes = LIFE_SEGMENT};
	if (spool_open(&w->s, 0, &e) < 0 ||
	    spool_reader_open(&w->r, 0, "index", after, &e) < 0)
		die("opening", &e);
}

/* One event; the first of each session says that it is. */
static void
tell(struct work *w, int i)
{
	char data[256], id[32];
	struct err e = {0};
	bool ready = i % SESSION_EVENTS == 0;
	int n;

	snprintf(id, sizeof(id), "session-%d", i / SESSION_EVENTS);
	n = snprintf(data, sizeof(data),
	    "{\"of\":\"%s\",\"life\":%u,\"x\":\"%*s\"}", id, w->life,
	    i * 37 % 150, "");
	if (spool_append(&w->s, ready ? "READY" : "MESSAGE_CREATE",
		ready ? 1 : w->s.sequence + 1, data, (size_t)n, &e) < 0)
		die("appending", &e);
	if (ready)
		spool_session(&w->s, id, "wss://resume.example");
}

void
life_work(const char *seen)
{
	struct work w = {.seen = fopen(seen, "w")};
	struct err e = {0};
	int64_t position;

	open_both(&w, 0);
	for (int i = 0; i < EVENTS; i++) {
		if (i == RESTART) {
			position = w.r.position;
			spool_reader_close(&w.r);
			spool_close(&w.s);
			open_both(&w, position);
		}
		tell(&w, i);
		if (i % 3 == 2) {
			if (spool_sync(&w.s, &e) < 0)
				w.life++; /* what was not synced is no more */
			follow(&w);
		}
		if (i % 40 == 39 && spool_trim(&w.s, &e) < 0)
			die("trimming", &e);
	}
	spool_reader_close(&w.r);
	spool_close(&w.s);
	fclose(w.seen);
}

static void
put(struct spool *s, const char *name, const char *data)
{
	struct err e = {0};

	if (spool_append(s, name, s->sequence + 1, data, strlen(data), &e) < 0)
		die("appending", &e);
}

/* Until the index is no further behind than so many events. */
static void
await(const struct spool *s, int64_t behind)
{
	struct spool_position *list;
	struct err e = {0};

	for (int i = 0; i < PATIENCE; i++) {
		int64_t passed = -1;
		int n = spool_readers(&list, s->dir, &e);

		for (int j = 0; j < n; j++)
			passed = list[j].passed;
		free(list);
		if (passed >= 0 && s->number - passed <= behind)
			return;
		clock_sleep_ms(5);
	}
	die("the index doesn't read", &e);
}

void
life_tell(void)
{
	struct spool s = {.segment_bytes = LIFE_SEGMENT};
	struct err e = {0};
	char data[400];

	if (spool_open(&s, 0, &e) < 0)
		die("opening", &e);
	put(&s, "READY",
	    "{\"session_id\":\"x\",\"user\":{\"id\":\"9\",\"username\":\"s\"},\"guilds\":[{\"id\":\"1\"}]}");
	put(&s, "GUILD_CREATE",
	    "{\"id\":\"1\",\"name\":\"g\",\"owner_id\":\"9\",\"roles\":["
	    "{\"id\":\"1\",\"name\":\"all\",\"permissions\":\"66560\"}],"
	    "\"channels\":[{\"id\":\"2\",\"type\":0,\"name\":\"c\"}],"
	    "\"members\":[],\"threads\":[]}");
	for (int i = 0; i < MESSAGES; i++) {
		snprintf(data, sizeof(data),
		    "{\"id\":\"%d\",\"channel_id\":\"2\",\"guild_id\":\"1\","
		    "\"type\":0,\"content\":\"message %d\",\"timestamp\":"
		    "\"2026-11-30T12:00:00.000000+00:00\",\"author\":{\"id\":"
		    "\"9\",\"username\":\"ada\"}}",
		    1000 + i, i);
		put(&s, "MESSAGE_CREATE", data);
		if (i % 2 && spool_sync(&s, &e) < 0)
			die("syncing", &e);
		await(&s, BEHIND);
		if (i % 4 == 3 && spool_trim(&s, &e) < 0)
			die("trimming", &e);
	}
	if (spool_sync(&s, &e) < 0)
		die("syncing", &e);
	await(&s, 0);
	spool_close(&s);
}
