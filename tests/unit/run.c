/*
 * The limits of time that the host keeps, with an engine whose container says that
 * it is ready, and then nothing: our own runner would notice them earlier.
 */
#define _GNU_SOURCE
#include "workspace/run.h"

#include <stdlib.h>

#include "core/err.h"
#include "core/poll.h"
#include "scratch.h"
#include "tap.h"

static const char
    engine[] = "#!/bin/sh\n"
	       "case $1 in\n"
	       "rm) kill -KILL \"$(cat \"$HOME/pid\")\"; exit 0 ;;\n"
	       "run)\n"
	       "  echo $$ >\"$HOME/pid\"\n"
	       "  cat \"$HOME/says\"\n"
	       "  exec sleep 1000 ;;\n"
	       "esac\n";

struct play {
	struct poll poll;
	struct bundle files;
	struct run run;
	int ends;
	struct err why;
};

static void
on_printed(void *ctx, bool error, const char *bytes, size_t len)
{
	(void)ctx;
	(void)error;
	(void)bytes;
	(void)len;
}

static void
on_ended(void *ctx, const struct err *why)
{
	struct play *x = ctx;

	x->ends++;
	if (why)
		x->why = *why;
}

static void
put(const char *name, const char *bytes, size_t len, int mode)
{
	FILE *out = fopen(in_scratch(name), "w");

	if (out) {
		fwrite(bytes, 1, len, out);
		fclose(out);
	}
	chmod(in_scratch(name), (mode_t)mode);
}

/* Begin a run of 300 s, whose container says so much. */
static void
begin(struct play *x, const char *says, size_t len)
{
	struct err e = {0};

	put("says", says, len, 0600);
	put_clock(0);
	x->run = (struct run){.engine = "docker",
	    .image = "any",
	    .language = 'p',
	    .code = "",
	    .files = &x->files,
	    .time_s = RUN_MOST_S,
	    .printed = on_printed,
	    .ended = on_ended,
	    .ctx = x};
	ok(run_start(&x->run, &x->poll, &e) == 0, "a run begins");
}

/* Let so many steps of the loop go by, or it end. */
static void
wait_some(struct play *x, int steps)
{
	struct err e = {0};

	while (
	    !x->ends && steps-- > 0 && poll_step(&x->poll, POLL_NEVER, &e) == 0)
		;
}

static void
end(struct play *x)
{
	run_release(&x->run);
	x->ends = 0;
	x->why = (struct err){0};
}

/* Not yet at that time, but at once after it, and after the force. */
static void
ends_after(struct play *x, long at_ms, const char *why, const char *name)
{
	put_clock(at_ms - 1000);
	wait_some(x, 10);
	ok(!x->ends, "not before its time");
	put_clock(at_ms + 1000);
	wait_some(x, 10);
	put_clock(at_ms + 4000);
	wait_some(x, 500);
	ok(x->ends == 1 && x->why.kind == ERR_AGAIN, "it ends once");
	same(x->why.text, why, name);
	end(x);
}

static void
wait_ready(struct play *x)
{
	for (int i = 0; i < 1000 && !x->ends && !x->run.container.ready; i++)
		wait_some(x, 1);
	ok(x->run.container.ready, "it is ready");
}

int
main(void)
{
	static struct play x;
	const char *path = getenv("PATH");
	char *with;

	scratch_open();
	mkdir(in_scratch("home"), 0700);
	mkdir(in_scratch("home/run"), 0700);
	mkdir(in_scratch("home/run/sandbox"), 0700);
	put("docker", engine, sizeof(engine) - 1, 0700);
	if (asprintf(&with, "%s:%s", scratch, path ? path : "/bin") < 0)
		return 1;
	setenv("PATH", with, 1);
	setenv("HOME", scratch, 1);
	free(with);

	begin(&x, "", 0);
	ends_after(&x, RUN_START_MS, "the container did not start in time",
	    "one that never is ready is given up");
	begin(&x, "\0\0\0\2V\1", 6);
	wait_ready(&x);
	ends_after(&x, RUN_MOST_S * 1000L + RUN_GRACE_MS,
	    "the code ran too long, and was ended",
	    "300 s are kept by the host, too");
	begin(&x, "\0\0\0\2V\1\0\0\0\3Xe\0", 13);
	for (int i = 0; i < 1000 && !x.ends && !x.run.how; i++)
		wait_some(&x, 1);
	ends_after(&x, RUN_EXPORT_MS, "the container kept its files too long",
	    "and so is the time for its files");
	poll_release(&x.poll);
	scratch_close();
	return tap_done();
}
