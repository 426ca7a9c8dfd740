#ifndef WORKSPACE_SHELF_H
#define WORKSPACE_SHELF_H
/*
 * shelf - the files of a task, as a run takes them and puts them back.
 *
 * Both with the task's filelock held (store/filelock), from before the one to
 * after the other. They take turns of the store of their own.
 *
 * Errors   as said, and those of store/file and store/content. After one of
 *          shelf_keep(), all files are as they were.
 */

#include <stddef.h>

#include "workspace/bundle.h"

struct harvest;
struct store;

struct shelf_pick {               /* {0} is everything */
	const char *const *paths; /* of files, or of folders with all in them */
	size_t count;
};

/*
 * Take files for a call, which is noted as their reader; or for nobody (0), who
 * then must put nothing back. ERR_INPUT if a path
 * that was picked has no file; ERR_REFUSED if they are more than go at once.
 */
int shelf_take(struct bundle *b, struct store *s, const char *task,
    int64_t call, const struct shelf_pick *pick, struct err *e);

/*
 * Keep what a call changed, made and removed: all of it or nothing. ERR_REFUSED
 * if what the call rests on is gone, or a path clashes with a file that it was
 * not given.
 */
int shelf_keep(struct store *s, const char *task, int64_t call,
    const struct harvest *h, struct err *e);

#endif
