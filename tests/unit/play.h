#ifndef PLAY_H
#define PLAY_H
/*
 * play - one shell script as a child, and everything it said, as text: "[line]"
 * for a line, "(why)" for a bad one. No play lasts longer than PLAY_MS.
 */

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/pidfd.h>
#include <unistd.h>

#include "core/buf.h"
#include "core/child.h"
#include "core/clock.h"
#include "core/poll.h"

enum { PLAY_MS = 60000 };

struct play {
	struct poll poll;
	struct child child;
	const char *argv[4];
	struct buf said;
	size_t lines, bytes; /* of good lines */
	bool silent;         /* count the lines only */
	int ends;
	bool done;                      /* by on_line, or its end */
	void (*on_line)(struct play *); /* may be NULL */
};

static inline void
play_line(void *ctx, const char *text, size_t len, const struct err *bad)
{
	struct play *p = ctx;

	p->lines += !bad;
	p->bytes += len;
	if (bad)
		buf_fmt(&p->said, "(%s)", bad->text);
	else if (!p->silent && len < 200)
		buf_fmt(&p->said, "[%s]", text);
	if (p->on_line)
		p->on_line(p);
}

static inline void
play_ended(void *ctx)
{
	struct play *p = ctx;

	p->ends++;
	p->done = true;
}

/* Where pidfds are unknown (an old kernel, valgrind 3.19) there is no play. */
static inline bool
play_possible(void)
{
	int fd = pidfd_open(getpid(), 0);

	return fd >= 0 && close(fd) == 0;
}

/* Start it; more of p->child may be set before. */
static inline int
play_start(struct play *p, const char *script, struct err *e)
{
	static const char *const environment[] = {"PATH=/usr/bin:/bin",
	    "LC_ALL=C", NULL};

	p->said.limit = 1 << 16;
	p->argv[0] = "/bin/sh";
	p->argv[1] = "-c";
	p->argv[2] = script;
	if (!p->child.what.argv)
		p->child.what.argv = p->argv;
	if (!p->child.what.envp)
		p->child.what.envp = environment;
	p->child.line = play_line;
	p->child.ended = play_ended;
	p->child.ctx = p;
	return child_start(&p->child, &p->poll, e);
}

/* Until on_line() says done, or the end: false if it took too long. */
static inline bool
play_on(struct play *p)
{
	struct err e = {0};

	p->done = false;
	return poll_run(&p->poll, &p->done, clock_boot_ms() + PLAY_MS, &e) == 1;
}

/* Play a script to its end; how it ended is added to what it said. */
static inline const char *
play(struct play *p, const char *script)
{
	struct err e = {0};
	int code = -1;

	if (play_start(p, script, &e) < 0) {
		buf_fmt(&p->said, "<%s: %s>", err_word(e.kind), e.text);
		return buf_text(&p->said);
	}
	if (!play_on(p))
		buf_str(&p->said, "<took too long>");
	code = child_verdict(&p->child, &e);
	if (code < 0)
		buf_fmt(&p->said, "<%s: %s>", err_word(e.kind), e.text);
	else
		buf_fmt(&p->said, "<%d>", code);
	return buf_text(&p->said);
}

static inline void
play_release(struct play *p)
{
	child_release(&p->child);
	poll_release(&p->poll);
	buf_release(&p->said);
	*p = (struct play){0};
}

/* Has this process gone (or is a corpse) within 5 s. */
static inline bool
play_gone(long pid)
{
	char path[40], text[200];

	snprintf(path, sizeof(path), "/proc/%ld/stat", pid);
	for (int i = 0; i < 1000; i++) {
		FILE *in = fopen(path, "re");
		const char *paren = NULL;

		if (!in)
			return true;
		if (fgets(text, sizeof(text), in))
			paren = strrchr(text, ')');
		fclose(in);
		if (paren && paren[2] == 'Z')
			return true;
		clock_sleep_ms(5);
	}
	return false;
}

static inline int
play_descriptors(void)
{
	int n = 0;

	for (int fd = 0; fd < 1024; fd++)
		n += fcntl(fd, F_GETFD) >= 0;
	return n;
}

#endif
