#ifndef WORKSPACE_CABINET_H
#define WORKSPACE_CABINET_H
/*
 * cabinet - what code hands over in a call of a task, kept for good while the
 * code still runs: each artifact is committed before it is answered, whatever
 * becomes of the run afterwards. (For a run without a task, see attic.)
 *
 * What code lists, gets and reads are all artifacts of the task, whichever call
 * they are from.
 *
 * Limits   in one run ATTIC_MOST of ATTIC_BYTES together; a list names the last
 *          CABINET_LIST.
 * Memory   {0} with store, task and call set; these are borrowed.
 */

#include <stddef.h>
#include <stdint.h>

struct buf;
struct handover_question;
struct store;

enum { CABINET_LIST = 1000 };

struct cabinet {
	struct store *store; /* no transaction is open between calls */
	const char *task;
	int64_t call;

	size_t count, bytes; /* handed over so far */
};

/* Answer a question as struct handover wants it; ctx is the cabinet. */
void cabinet_answer(void *ctx, const struct handover_question *q,
    struct buf *b);

#endif
