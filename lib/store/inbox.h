#ifndef STORE_INBOX_H
#define STORE_INBOX_H
/*
 * inbox - requests that were let in, but whose turn has not begun.
 *
 * A request enters with its claim, so that it enters once, however often its
 * event comes; and it stays, under the id that its turn will have, until that
 * turn is on the disk. So a crash in between neither loses nor doubles it.
 * One that is called off will not be begun either by a runner that was started
 * for it and has not claimed it yet: its claim is taken.
 *
 * Order    the oldest request first.
 * Memory   Texts of a row are borrowed until the next call on its scan; whoever
 *          starts a scan ends it.
 * Errors   those of ext/db. All but inbox_next() belong in the caller's
 *          transaction.
 */

#include <stdbool.h>
#include <stdint.h>

#include "core/id.h"
#include "ext/db.h"

struct context;
struct err;
struct store;
struct turn;

struct inbox_row {
	int64_t id;
	const char *turn;
	const char *task;   /* that it goes on with, or NULL */
	const char *record; /* JSON: the turn record */
	bool late;          /* it came while nobody listened */
	int64_t asked_ms;
	int64_t tries;  /* at beginning it */
	int64_t due_ms; /* not to be begun before */
};

/*
 * Let a request in: 1, or 0 if the claim ("message:ID", "interaction:ID") was
 * taken before. asked_ms is when it was written.
 */
int inbox_add(struct store *s, const char *claim, const struct turn *t,
    int64_t asked_ms, bool late, struct err *e);

/* The first row after that id: 1 and *row, or 0. Begin with 0. */
int inbox_next(struct stmt *scan, struct store *s, int64_t after,
    struct inbox_row *row, struct err *e);

/* It is being begun; if nothing comes of it, not again before due_ms. */
int inbox_tried(struct store *s, const char *turn, int64_t due_ms,
    struct err *e);

/* Its turn has begun, or never will. */
int inbox_settle(struct store *s, const char *turn, struct err *e);

/* It is called off, and so is where its answer would have gone: 1, or 0. */
int inbox_cancel(struct store *s, const char *turn, struct err *e);

/* The same for all that would go on with a task. */
int inbox_cancel_task(struct store *s, const char *task, struct err *e);

/*
 * The newest request of this person that waits where they are, and was not
 * begun: 1 and the id of its turn, or 0.
 */
int inbox_of(struct store *s, const struct context *who, char turn[ID_LEN + 1],
    struct err *e);

/* The message that made a request is gone: so is the request; 1, or 0. */
int inbox_withdraw(struct store *s, const char *message, struct err *e);

/*
 * Settle those whose turn is on the disk, and forget where the answers to
 * requests would have gone whose turn never was.
 */
int inbox_sweep(struct store *s, struct err *e);

/* Start a scan of the channels in which messages wait: one column, its id. */
void inbox_places(struct stmt *scan, struct store *s);

/*
 * Of the late ones keep only so many, the newest, and none asked before
 * since_ms; returns how many went.
 */
int64_t inbox_trim(struct store *s, int64_t keep, int64_t since_ms,
    struct err *e);

#endif
