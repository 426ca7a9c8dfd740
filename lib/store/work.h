#ifndef STORE_WORK_H
#define STORE_WORK_H
/*
 * work - the working state of one task: plan, notes and goals.
 *
 * The caller has begun a transaction and has checked with task_at_work() that
 * the task may be worked on. Numbers count from 1 within a task.
 *
 * Memory   Texts of an item are borrowed until the next call on its scan.
 * Errors   ERR_INPUT names a number that isn't there.
 */

#include <stdint.h>

#include "ext/db.h"

struct buf;
struct store;

enum { WORK_TEXT_MAX = 65536 }; /* bytes of one note, goal or plan */

/*
 * A new version of the plan; the others stay. Returns its number in *version.
 */
int plan_put(struct store *s, const char *task, const char *text,
    int64_t *version, struct err *e);
/* The newest plan's text to b; *version is 0 if there is none. */
int plan_get(struct store *s, const char *task, struct buf *b, int64_t *version,
    struct err *e);

int note_add(struct store *s, const char *task, const char *text, int64_t *n,
    struct err *e);
/* Remove one. Returns how many were there: 1 or 0. */
int note_clear(struct store *s, const char *task, int64_t n, struct err *e);

enum goal_state { GOAL_OPEN, GOAL_IN_PROGRESS, GOAL_BLOCKED, GOAL_DONE };

int goal_state_of(const char *word); /* -1 if it is none */

int goal_open(struct store *s, const char *task, const char *text, int64_t *n,
    struct err *e);
/* Change a goal: what is NULL, or a state of -1, stays as it is. */
int goal_set(struct store *s, const char *task, int64_t n, int state,
    const char *text, const char *remark, struct err *e);
/* How many are not done. */
int64_t goals_left(struct store *s, const char *task, struct err *e);

struct item { /* a note or a goal */
	int64_t n, at_ms;
	const char *text;
	const char *state, *remark; /* of a goal; "" where there is none */
};

struct item_scan {
	struct stmt rows;
};

/* The notes with a number above `after`, at most limit of them (0 for all). */
void note_list(struct item_scan *scan, struct store *s, const char *task,
    int64_t after, int64_t limit);
void goal_list(struct item_scan *scan, struct store *s, const char *task);
int item_next(struct item_scan *scan, struct item *x, struct err *e);
void item_end(struct item_scan *scan);

#endif
