#ifndef GUEST_WORK_H
#define GUEST_WORK_H
/*
 * work - code while it runs: what it prints goes to the host as it comes, and
 * when it has ended, or its time is over, nothing of it is left running.
 *
 * As process 1 the guest inherits the orphans of its container, reaps them, and
 * kills whatever there is with one signal; elsewhere (in tests) it kills the
 * code's process group alone.
 *
 * Memory   {0} is none. It must not move while it runs.
 */

#include <stdbool.h>
#include <stdint.h>

#include "core/poll.h"

enum work_language {
	WORK_PYTHON = 'p',
	WORK_JAVASCRIPT = 'j',
	WORK_SHELL = 's',
};

struct work {
	bool over; /* to be read: it ended, and how was told */

	struct poll *poll; /* private */
	pid_t pid;
	bool late;
	struct poll_fd children, out, err;
	struct poll_timer limit;
};

int work_start(struct work *w, struct poll *p, enum work_language language,
    const char *code, size_t len, uint64_t limit_ms, struct err *e);
void work_stop(struct work *w); /* at once, and silently */

#endif
