#ifndef WORKSPACE_DOOR_H
#define WORKSPACE_DOOR_H
/*
 * door - the answers to what code asks through a handover, whoever keeps what
 * it hands over: a task (cabinet), or the memory of one run (attic).
 *
 * Whoever keeps it says how. Each fails with -1 and *e, whose text the code is
 * told.
 */

#include <stddef.h>
#include <stdint.h>

struct artifact;
struct buf;
struct err;
struct handover_question;

struct door_keeper {
	/* Keep the bytes as the next version of that filename: fill in *a. */
	int (*add)(void *ctx, const char *filename, const char *bytes,
	    size_t len, struct artifact *a, struct err *e);

	/* Find one by filename, or else by id: 1, or 0 for none. Version 0 is
	 * the latest, negative ones count from the end. */
	int (*find)(void *ctx, const char *which, int64_t version,
	    struct artifact *a, struct err *e);

	/* Add the bytes of one that was found. */
	int (*bytes)(void *ctx, const struct artifact *a, struct buf *b,
	    struct err *e);

	/* Write all there are into an array. */
	int (*list)(void *ctx, struct buf *b, struct err *e);

	/* What was found isn't looked at any more; or NULL. */
	void (*done)(void *ctx);
};

struct door {
	const struct door_keeper *keeper;
	void *ctx;
};

/* Answer a question as struct handover wants it; ctx is the door. */
void door_answer(void *ctx, const struct handover_question *q, struct buf *b);

#endif
