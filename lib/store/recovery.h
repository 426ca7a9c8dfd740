#ifndef STORE_RECOVERY_H
#define STORE_RECOVERY_H
/*
 * recovery - after a crash: tasks that say they run, but whose runner is gone,
 * become paused(interrupted), or paused(unknown) if a change was under way: an
 * intent without an outcome becomes `unknown`. What a dead writer left in blob/
 * goes (store/content). It calls no model, no tool and nothing outside. It
 * begins and commits itself; to run it twice is harmless.
 */

#include <stdint.h>

struct err;
struct store;

struct recovered {
	int64_t tasks;    /* paused */
	int64_t unknown;  /* receipts whose outcome is not known */
	int64_t attempts; /* at a model that were never settled */
};

int recovery_run(struct store *s, struct recovered *found, struct err *e);

/* One task of a dead runner, within the caller's transaction and its lock. */
int recovery_one(struct store *s, const char *task, struct recovered *found,
    struct err *e);

/* Only count the tasks that recovery would pause: at least 0, or -1. */
int64_t recovery_look(struct store *s, struct err *e);

#endif
