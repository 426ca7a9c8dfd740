#ifndef WORKSPACE_RUN_H
#define WORKSPACE_RUN_H
/*
 * run - one piece of code in a fresh container, from the files that go in to
 * those that come out.
 *
 * What it changed counts only if the code ended by itself, whatever its exit
 * code, and if all that the container gave back is good (see harvest). Else
 * the files are to stay as they were, and ended() says why. What it handed
 * over meanwhile was answered, and stays.
 *
 * Limits   at most RUN_MOST_S seconds, which both sides enforce: the guest, and
 *          RUN_GRACE_MS later the host. Of each of stdout and stderr print_most
 *          bytes are passed on; who prints RUN_FLOOD is ended.
 * Order    run_start(); printed(), and the handover's answer(), as it goes;
 *          ended(), once: the container is gone by then. run_cancel() may be
 *          called before, and ended() comes all the same.
 * Errors   ERR_INPUT for what is asked; ERR_CONFIG for no engine or image;
 *          ERR_AGAIN for time that is over, a cancel, an engine that failed;
 *          ERR_REFUSED if it was killed, flooded us, or what it gave won't do.
 * Memory   {0} with the fields above the line set; code and files are borrowed
 *          until ended(). It must not move. Then run_release().
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/buf.h"
#include "core/err.h"
#include "core/poll.h"
#include "workspace/container.h"
#include "workspace/handover.h"
#include "workspace/harvest.h"

enum {
	RUN_MOST_S = 300,
	RUN_START_MS = 60000,  /* until the guest speaks */
	RUN_GRACE_MS = 10000,  /* to send files in, and to notice the time */
	RUN_EXPORT_MS = 30000, /* to send files out */
	RUN_PRINT_MOST = 1 << 20,
	RUN_FLOOD = 64 << 20,
	RUN_CODE_MOST = 4 << 20,
};

enum run_how {
	RUN_NOT = 0,   /* it never came to its end */
	RUN_EXITED,    /* code is its exit code */
	RUN_SIGNALLED, /* code is the signal */
	RUN_LATE,      /* its time was over */
};

struct run {
	const char *engine, *image;
	char language; /* as in guest/work: p, j, s */
	const char *code;
	size_t len;
	const struct bundle *files;
	int time_s;
	const struct container_limits *limits; /* NULL for run_limits */
	uint64_t print_most;                   /* 0 for RUN_PRINT_MOST */
	struct handover handover; /* answer and ctx are set by the caller */
	/* NULL: what is printed is passed over. */
	void (*printed)(void *ctx, bool error, const char *bytes, size_t len);
	void (*ended)(void *ctx, const struct err *why);
	void *ctx;

	enum run_how how; /* to be read in ended() */
	int status;
	bool stopped; /* the code was, or what it left won't do: it is not the
			 engine that failed, and the next code may do better */
	uint64_t out_bytes, err_bytes; /* printed, passed on or not */
	struct harvest harvest;

	struct poll *poll; /* private from here */
	struct container container;
	struct poll_timer deadline;
	struct err failed;
};

/* Of the container of a run that has none of its own. */
extern const struct container_limits run_limits;

int run_start(struct run *r, struct poll *p, struct err *e);
void run_cancel(struct run *r);
void run_release(struct run *r); /* harmless on {0}, or twice */

/* 'p', 'j', 's' for "python", "javascript", "shell"; 0 for another word. */
char run_language(const char *word);

/* By the name of a file: Python, if it tells nothing. */
char run_language_of(const char *file);

#endif
