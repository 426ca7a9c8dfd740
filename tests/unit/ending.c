/*
 * ending - an answer that somebody corrected meanwhile is not given.
 */
#define _GNU_SOURCE
#include <string.h>

#include "core/buf.h"
#include "runtime/session.h"
#include "store/tell.h"

#include "scratch.h"
#include "tap.h"

static char *said;
static size_t said_len;

/* A session whose turn has begun. */
static bool
begin(struct session *s, struct err *e)
{
	static char id[ID_LEN + 1];

	id_new(id);
	s->turn = (struct turn){.id = id,
	    .actor = {"local", "me"},
	    .text = "where is the cat?"};
	s->output = open_memstream(&said, &said_len);
	s->state = SESSION_LISTEN;
	return store_open(&s->store, "tasks", STORE_WRITE, e) == 0 &&
	       runner_start(&s->runner, &s->store, &s->turn, id, "x", e) > 0;
}

static bool
tell_it(struct session *s, enum told_kind kind, struct err *e)
{
	const struct context who = {.actor = s->turn.actor};
	struct store other;
	int64_t id;
	bool told = store_open(&other, "tasks", STORE_WRITE, e) == 0 &&
		    store_begin(&other, e) == 0 &&
		    tell(&other, s->runner.task, kind, &who, "dogs", NULL, &id,
			e) == 0 &&
		    store_commit(&other, e) == 0;

	store_close(&other);
	return told;
}

static void
close_all(struct session *s)
{
	runner_release(&s->runner);
	store_close(&s->store);
	buf_release(&s->out);
	fclose(s->output);
	free(said);
	said = NULL;
}

static void
stale(void)
{
	struct session s = {0};
	struct err e = {0};

	ok(begin(&s, &e), "a turn begins");
	ok(tell_it(&s, TOLD_STEER, &e), "and is corrected");
	ok(ending_answer(&s, "On the mat.", &e) == 0, "it has an answer");
	fflush(s.output);
	ok(said_len == 0, "that nobody is told");
	ok(s.state == SESSION_THINK && s.look && !s.answered,
	    "but the loop looks, and thinks again");
	close_all(&s);
}

static void
fresh(void)
{
	struct session s = {0};
	struct err e = {0};

	ok(begin(&s, &e), "a turn begins");
	ok(ending_answer(&s, "On the mat.", &e) == 0, "it has an answer");
	fflush(s.output);
	ok(said && strstr(said, "On the mat.") && strstr(said, "\"done\""),
	    "which is told");
	ok(s.state == SESSION_OVER && s.answered, "and that is all");
	close_all(&s);
}

int
main(void)
{
	scratch_open();
	stale();
	fresh();
	scratch_close();
	return tap_done();
}
