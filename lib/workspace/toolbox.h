#ifndef WORKSPACE_TOOLBOX_H
#define WORKSPACE_TOOLBOX_H
/*
 * toolbox - the workspace's tools, served: each in a file tool_NAME of its own,
 * and a row for it in the table of toolbox.c.
 *
 * A tool gets the toolbox as its ctx. The programs that serve them are apart by
 * what their manifests need (runtime/kit): one that runs containers holds no
 * secret, and one that holds Discord's token runs no container.
 *
 * Memory   {0}; what it opened stays open for the next call.
 */

#include "store/base.h"
#include "store/settings.h"

struct err;
struct lock;
struct serve_talk;

struct toolbox {
	struct settings settings; /* after toolbox_settings() */
	struct store tasks;       /* after toolbox_tasks() */
};

/* Answer calls from the descriptor until its end: 1, or -1. */
int toolbox_serve(int in, struct err *e);

/* ---- for the tools ---- */

/*
 * Read the settings as they are now. ERR_CONFIG, with what to do, if running
 * code is switched off.
 */
int toolbox_settings(struct toolbox *b, struct err *e);

/* Open the store of tasks, unless it is open. */
int toolbox_tasks(struct toolbox *b, struct err *e);

/*
 * Wait until the lock of the task's files (store/filelock) is ours. ERR_AGAIN
 * if the call is given up before.
 */
int toolbox_lock(struct lock *l, struct serve_talk *t, const char *task,
    struct err *e);

#endif
