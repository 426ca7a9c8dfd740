#ifndef RUNTIME_MEND_H
#define RUNTIME_MEND_H
/*
 * mend - sources that changed while a turn runs: what the model is shown of
 * them is made right before it is asked again.
 *
 * Edited   The message is fetched again, by the tool that reads messages, in
 *          the context of the turn: so it is shown only if whoever asks may
 *          read it still. It takes the place of what was shown, wherever that
 *          was, and of what is stored with the task.
 * Deleted  or not readable any more: a named gap (record/gap) in its place, and
 *          in place of what the model had written since, its notes included
 *          (store/retract). What it read else stays, so other work goes on.
 * Rights   have changed, so a source is fetched again to see that it may be read
 *          still. If it may, and is as it was, nothing is said of it.
 * Stale    What the model was saying meanwhile is thrown away, and calls that
 *          had not started are skipped; it is asked again afterwards.
 *
 * Only runtime/loop and its parts use it, through the session. mend_go() is
 * called in the state SESSION_MEND until it is another one.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/buf.h"
#include "core/id.h"
#include "runtime/crew.h"

struct err;
struct session;

struct mend {        /* {0} has nothing to do */
	char **urls; /* private: edited, to be fetched */
	size_t count;
	bool due, gone, changed, asked, answered;
	int64_t from; /* the first round that rests on what is gone */
	struct crew_job job;
	char id[ID_LEN + 8];
	struct buf source; /* what was fetched: JSON, or empty */
};

/* Take what a control row of the kind `invalidate` says. */
void mend_note(struct session *s, const char *data);

/* What the model wrote from that round on rests on what it may not read. */
void mend_lose(struct session *s, int64_t from);

bool mend_due(const struct session *s);

int mend_go(struct session *s, struct err *e);

void mend_release(struct session *s);

#endif
