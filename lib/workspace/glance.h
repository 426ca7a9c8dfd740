#ifndef WORKSPACE_GLANCE_H
#define WORKSPACE_GLANCE_H
/*
 * glance - the work of `sophia-sandbox inspect`: what a model would be shown of
 * pictures of this machine, or of a video at times, put into a folder.
 *
 * A copy is called as its file, with the time of a frame, and .png or .jpg;
 * what has that name is replaced. Errors as in preview.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;
struct err;

struct glance {
	const char *folder;
	char *const *paths;
	size_t count;
	int64_t at_ms[8]; /* of frames: PREVIEW_MOST at most */
	size_t times;
};

/*
 * Make them, and add a line for each, or a `result` record that names them all.
 * How many there are.
 */
int glance_make(const struct glance *g, struct buf *told, bool json,
    struct err *e);

#endif
