#ifndef WORKSPACE_TRIAL_H
#define WORKSPACE_TRIAL_H
/*
 * trial - one run from start to end, with what stands around it: the files that
 * go in, who keeps what is handed over, and what is to be told of it.
 *
 * Order    Fill in language, code, len and time_s of run, the files, and the
 *          door, which else leads to the attic; trial_go() waits for the end.
 *          trial_stop() may be called from the poll meanwhile, or before.
 * Memory   {0}; it must not move while it runs. Then trial_release().
 */

#include <stdbool.h>

#include "workspace/attic.h"
#include "workspace/bundle.h"
#include "workspace/door.h"
#include "workspace/report.h"
#include "workspace/run.h"

struct poll;
struct settings;

struct trial {
	struct run run; /* what is printed goes into the report, unless
			   printed() is set, whose ctx is the trial */
	struct bundle files;
	struct attic attic;
	struct door door;
	struct report report;

	struct err why; /* to be read: of the code, if it was stopped */

	bool runs, over; /* private */
};

/* 0 if the code ended, or was stopped; else -1, as in run. */
int trial_go(struct trial *t, struct poll *p, const struct settings *s,
    struct err *e);
void trial_stop(struct trial *t);
void trial_release(struct trial *t); /* harmless on {0}, or twice */

#endif
