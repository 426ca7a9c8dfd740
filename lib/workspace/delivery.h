#ifndef WORKSPACE_DELIVERY_H
#define WORKSPACE_DELIVERY_H
/*
 * delivery - what a run made, put into a folder of the host: the files that it
 * changed, and its attachments, each in its last version.
 *
 * Errors   as in folder; nothing is there then that was not before.
 */

#include <stdbool.h>

struct attic;
struct err;
struct run;

/* replaces: the folder is where the files came from, so what is gone goes. */
int delivery_put(const char *folder, bool replaces, const struct run *r,
    const struct attic *a, struct err *e);

#endif
