#ifndef WORKSPACE_HAND_IMPORT_H
#define WORKSPACE_HAND_IMPORT_H
/*
 * hand_import - sandbox_import by the operator of this machine, for a task of
 * anybody's. No call of the task has made it, so no turn of it has the message
 * as a source; the file itself keeps where it is from, which is what a deletion
 * and what is published are held against.
 *
 * A signal gives it up; then, and whenever it fails, nothing was kept.
 */

struct buf;
struct err;

struct hand_import {
	const char *task, *attachment, *path;
	const char *link; /* of its message; NULL: the index is searched */
};

/* Add the result record. */
int hand_import(struct buf *b, const struct hand_import *w, struct err *e);

#endif
