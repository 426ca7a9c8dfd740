#ifndef WORKSPACE_HAND_RUN_H
#define WORKSPACE_HAND_RUN_H
/*
 * hand_run - a run of code by the operator of this machine: on the files of a
 * folder, or on copies of a task's, with what it changed put into a folder.
 *
 * A signal stops it; its container is gone before the call returns.
 *
 * Errors   ERR_CONFIG if running code is switched off, or there is no engine or
 *          image; ERR_INPUT for what can't go in; those of run if the code was
 *          stopped, and then nothing was put anywhere.
 */

#include <stdbool.h>
#include <stddef.h>

struct buf;
struct err;

struct hand_run {
	const char *file;      /* of the code; "-" is stdin */
	char language;         /* as in run */
	const char *in, *task; /* a folder, a task; NULL */
	const char *out;       /* a folder; NULL: nowhere */
	int time_s;
	/* As it comes; NULL: into the record. */
	void (*printed)(void *ctx, bool error, const char *bytes, size_t len);
};

/*
 * *status is how the code ended: its exit code. Added to b: a result record if
 * there is no printed(), else lines for a person.
 */
int hand_run(struct buf *b, const struct hand_run *w, int *status,
    struct err *e);

#endif
