#ifndef CONVERSE_ENTRY_H
#define CONVERSE_ENTRY_H
/*
 * entry - what a message that was heard comes to: nothing, a new request, one
 * that goes on with a task, or a correction of a task at work.
 *
 * All of it happens in the caller's transaction, in which the position in the
 * spool moves as well: so a message is taken in once, and whole. It bears the
 * same message many times, live, by a replay and by catching up.
 */

#include <stdbool.h>

#include "core/id.h"

struct err;
struct hail;
struct settings;
struct store;

struct entry {
	struct store *tasks;
	const struct settings *settings;
	const char *us; /* the id of Sophia's own user */
};

enum entered {
	ENTERED_NOT,
	ENTERED_INBOX, /* a turn will come of it */
	ENTERED_STEER, /* the task is told */
};

/* late: it was written while nobody listened. Returns enum entered, or -1. */
int entry_message(const struct entry *n, struct hail *h, bool late,
    struct err *e);

#endif
