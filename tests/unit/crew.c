#include <stdlib.h>

#include "core/clock.h"
#include "core/err.h"
#include "core/poll.h"
#include "ext/json.h"
#include "runtime/crew.h"
#include "tap.h"

static const char *const no_env[] = {"PATH=/usr/bin:/bin", NULL};

/* What came of a job. */
struct got {
	struct crew_job job;
	struct crew *crew;
	int lines;
	bool ended, failed;
	char text[512];
};

static bool
on_line(void *ctx, const struct json *record)
{
	struct got *g = ctx;
	const char *type = json_string(record, "type");
	const char *text = json_string(record, "text");

	g->lines++;
	snprintf(g->text, sizeof(g->text), "%s", text ? text : "");
	g->ended = type && strcmp(type, "result") == 0;
	return g->ended;
}

static void
on_failed(void *ctx, const struct err *why)
{
	struct got *g = ctx;

	g->ended = g->failed = true;
	snprintf(g->text, sizeof(g->text), "%s", why->text);
}

/* Give a shell script a line, and wait for what comes of it. */
static struct got *
give(struct crew *c, const struct crew_post *post, int limit_ms)
{
	static struct got g;
	static const char line[] = "{\"type\":\"call\",\"id\":\"T.1\"}";
	struct err e = {0};

	g = (struct got){.crew = c};
	g.job = (struct crew_job){.id = "T.1",
	    .deadline_ms = clock_boot_ms() + limit_ms,
	    .line = on_line,
	    .failed = on_failed,
	    .ctx = &g};
	if (crew_give(c, post, line, strlen(line), &g.job, &e) < 0) {
		on_failed(&g, &e);
		return &g;
	}
	while (!g.ended && poll_step(c->poll, POLL_NEVER, &e) == 0)
		;
	return &g;
}

/* A post for `sh -c script`; one at a time. */
static const struct crew_post *
script(const char *text, bool serves)
{
	static const char *argv[] = {"/bin/sh", "-c", NULL, NULL};
	static struct crew_post post;

	argv[2] = text;
	post = (struct crew_post){.argv = argv,
	    .envp = no_env,
	    .serves = serves};
	return &post;
}

#define RESULT "echo '{\"type\":\"result\",\"id\":\"T.1\",\"text\":\"'$$'\"}'"

static void
test_serving(void)
{
	struct poll p = {0};
	struct crew c = {.poll = &p};
	const struct crew_post *post = script(
	    "while read -r line; do " RESULT "; done", true);
	char first[512];
	struct got *g = give(&c, post, 5000);

	ok(g->ended && !g->failed && g->lines == 1, "a job gets its result");
	snprintf(first, sizeof(first), "%s", g->text);
	g = give(&c, post, 5000);
	same(g->text, first, "and the next goes to the same program");
	crew_release(&c);
	post = script("read -r line; " RESULT, false);
	g = give(&c, post, 5000);
	ok(!g->failed && g->lines == 1, "a program for one job answers it");
	crew_release(&c);
	poll_release(&p);
}

static void
test_failing(void)
{
	struct poll p = {0};
	struct crew c = {.poll = &p};
	struct got *g = give(&c, script("read -r line; exit 3", true), 5000);

	ok(g->failed, "a program that dies fails its job");
	g = give(&c, script("read -r l; echo oops; sleep 60", true), 5000);
	ok(g->failed && strstr(g->text, "bad JSON"),
	    "so does one that writes no record");
	g = give(&c,
	    script("read -r l; echo '{\"type\":\"result\",\"id\":\"other\"}'; "
		   "sleep 60",
		true),
	    100);
	ok(g->failed && g->lines == 0 && strstr(g->text, "in time"),
	    "a line of another job is no answer, and time runs out");
	g = give(&c, script("sleep 60", true), 0);
	ok(g->failed, "a deadline that is over is over");
	crew_release(&c);
	poll_release(&p);
}

static void
test_missing(void)
{
	static const char *const argv[] = {"/nowhere/tool", NULL};
	const struct crew_post post = {.argv = argv, .envp = no_env};
	struct poll p = {0};
	struct crew c = {.poll = &p};
	struct got *g = give(&c, &post, 1000);

	ok(g->failed && strstr(g->text, "/nowhere/tool"),
	    "a program that isn't there is named");
	crew_release(&c);
	poll_release(&p);
}

static void
test_cancel(void)
{
	static const char line[] = "{\"type\":\"call\",\"id\":\"T.1\"}";
	struct poll p = {0};
	struct crew c = {.poll = &p};
	struct got g = {.crew = &c};
	struct err e = {0};

	g.job = (struct crew_job){.id = "T.1",
	    .deadline_ms = POLL_NEVER,
	    .line = on_line,
	    .failed = on_failed,
	    .ctx = &g};
	ok(crew_give(&c, script("read -r l; read -r l; exit 0", true), line,
	       strlen(line), &g.job, &e) == 0,
	    "a job is given");
	crew_cancel(&g.job);
	crew_cancel(&g.job);
	while (c.hands && poll_step(&p, clock_boot_ms() + 5000, &e) == 0)
		;
	ok(!c.hands && !g.ended,
	    "given up, it is not heard of again, and its program ends");
	crew_release(&c);
	poll_release(&p);
}

int
main(void)
{
	test_serving();
	test_failing();
	test_missing();
	test_cancel();
	return tap_done();
}
