#ifndef CORE_CHILD_H
#define CORE_CHILD_H
/*
 * child - a program that runs beside us and talks in lines, from its start to
 * the verdict. See spawn for what it is given.
 *
 * Order    line() for each line of its stdout, then ended(), once, when it is
 *          dead. That is learnt from the kernel, never from the end of its
 *          output, which a grandchild may hold open: what it had written by
 *          then is read, and no more is waited for. It is always read, and what
 *          it doesn't take from us waits, up to a ceiling: so no two full pipes
 *          block each other.
 * Ending   child_cancel() sends SIGTERM to its process group, and SIGKILL 2 s
 *          (or grace_ms) later. Its group never outlives it: what is left is killed with the
 *          verdict.
 * Memory   {0} is no child. It must not move while it runs. Text is borrowed
 *          for the call of line(), which may call child_send(), child_end() and
 *          child_cancel(); ended() may also release or restart the child.
 * Errors   Bad lines are ERR_INPUT (see line), handed to line() with text NULL.
 * Signals  None is caught. SIGCHLD must not be ignored, see start.
 */

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "core/buf.h"
#include "core/err.h"
#include "core/poll.h"
#include "core/reader.h"
#include "core/spawn.h"
#include "core/writer.h"

enum {
	CHILD_GRACE_MS = 2000,  /* from SIGTERM to SIGKILL */
	CHILD_ERROR_LEN = 4096, /* of a captured stderr the end is kept */
};

enum child_state {
	CHILD_NONE = 0,
	CHILD_RUNS,
	CHILD_EXITED, /* code is its exit code */
	CHILD_KILLED, /* code is the signal */
};

struct child {
	struct spawn what;
	size_t line_limit;  /* bytes of a line from it; 0 for LINE_CEILING */
	size_t queue_limit; /* that wait for it; 0 for WRITER_CEILING */
	int grace_ms;       /* 0 for CHILD_GRACE_MS */
	void (*line)(void *ctx, const char *text, size_t len,
	    const struct err *bad);
	/* In place of line(): its stdout as bytes, in any pieces; or NULL. */
	void (*bytes)(void *ctx, const char *bytes, size_t len);
	void (*ended)(void *ctx); /* state and code are set */
	/* Of a captured stderr what comes, in any pieces; NULL for nothing. */
	void (*said)(void *ctx, const char *text, size_t len);
	void *ctx;

	enum child_state state; /* to be read */
	int code;
	bool cancelled; /* by us */

	char *name; /* private from here */
	struct poll *poll;
	pid_t pid;
	struct reader out;
	struct writer in;
	struct poll_fd died, plain, error;
	struct poll_timer kill;
	struct buf words; /* on its stderr */
};

/* Start what c->what says; that is borrowed for the call. For errors, spawn. */
int child_start(struct child *c, struct poll *p, struct err *e);

/* Send it a line, without its newline. For errors, see writer_line(). */
int child_send(struct child *c, const char *text, size_t len, struct err *e);
void child_end(struct child *c); /* it will read the end after what waits */

void child_cancel(struct child *c);

/*
 * What a dead child's end means: its exit code 0 or 1, or -1 and an error,
 * whose kind is its exit code where that is one of ours, else ERR_INTERNAL.
 * The last line of a captured stderr is quoted.
 */
int child_verdict(const struct child *c, struct err *e);

/* If it still runs, kill it now. Harmless on {0}, or twice. */
void child_release(struct child *c);

#endif
