#ifndef WORKSPACE_WIRED_H
#define WORKSPACE_WIRED_H
/*
 * wired - the copies that a model is shown of pictures that a call handed over
 * (an artifact's wire copy): checked and scaled in a container of their own
 * (workspace/preview), so that no broken picture stands in a task's way, and
 * kept with the artifact for later turns.
 *
 * They are made only if the task's profile takes pictures, and only of the last
 * PREVIEW_MOST of a call. One that can't be copied stays without: models are
 * told its name alone.
 */

#include <stdint.h>

struct buf;
struct err;
struct serve_talk;
struct toolbox;

/*
 * Make and keep them. Each is added to media as an exhibit, a member of an
 * array that is open. *e says what hindered it; nothing else depends on it.
 */
int wired_make(struct toolbox *box, struct serve_talk *t, int64_t call,
    struct buf *media, struct err *e);

#endif
