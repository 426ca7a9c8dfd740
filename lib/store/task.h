#ifndef STORE_TASK_H
#define STORE_TASK_H
/*
 * task - the durable unit of work: look it up, list it, search it.
 *
 * Access   Every look-up names who asks, and from where. One's own tasks are
 *          seen in the location they were started in; the local operator (actor
 *          "local" in the location "local") sees all. Someone else's task is
 *          exactly like one that doesn't exist.
 * Memory   The texts of a task are borrowed until the next call on its scan;
 *          whoever starts a scan ends it. {0} is an empty scan.
 * Errors   ERR_INPUT "there is no task X"; else those of ext/db.
 * Units    _ms since 1970 UTC. Order: the one that changed last comes first.
 */

#include <stdbool.h>
#include <stdint.h>

#include "ext/db.h"
#include "record/context.h"
#include "record/turn.h"

struct buf;
struct store;

enum task_state {
	TASK_RUNNING,
	TASK_PAUSED, /* reason says why */
	TASK_COMPLETED,
	TASK_CANCELLED,
	TASK_FAILED, /* reason says why */
	TASK_STATES
};

struct task {
	const char *id, *owner, *owner_name;
	const char *place;     /* its location as place_text() writes it */
	const char *objective; /* the first request */
	const char *profile;
	const char *reason; /* NULL unless paused or failed */
	enum task_state state;
	enum visibility visibility;
	enum approval_mode approval;
	int64_t calls; /* numbered so far, over all turns */
	int64_t turns;
	const char *turn; /* the last one's id */
	int64_t created_ms, changed_ms;
};

struct task_scan {
	struct stmt rows;
};

struct task_filter {
	const char *state; /* a word, or NULL for all */
	const char *words; /* each must be in objective or answers; NULL */
	int64_t limit;     /* 0 for all */
};

/* "running", ...; and back: -1 if it is no such word. */
const char *task_state_word(enum task_state state);
int task_state_of(const char *word);

/* One task: 0 and *t until task_end(), or ERR_INPUT. */
int task_get(struct task_scan *scan, struct store *s, const char *id,
    const struct context *who, struct task *t, struct err *e);

/* Begin a list; then a task at a time: 1, 0 at the end, or -1. */
void task_list(struct task_scan *scan, struct store *s,
    const struct task_filter *f, const struct context *who);
int task_next(struct task_scan *scan, struct task *t, struct err *e);
void task_end(struct task_scan *scan);

/* The record {"type":"task",...} of it, as a line. */
void task_write(struct buf *b, const struct task *t);

enum { PLACE_LEN = 64 };

/* "local", "dm:CHANNEL", "guild:GUILD:CHANNEL". */
void place_text(char out[PLACE_LEN], const struct location *l);

/* Back: the ids are kept in `ids`; of what isn't one of these, "local". */
void place_read(struct location *l, const char *place, char ids[PLACE_LEN]);

/* The id of the task a call works on; ERR_INPUT unless its turn runs. */
int task_at_work(struct store *s, const struct context *c, struct err *e);

/*
 * The same, for a call that keeps what the model wrote; ERR_REFUSED if a source
 * it had read was edited or deleted since it asked for the call.
 */
int task_may_keep(struct store *s, const struct context *c, struct err *e);

/* ERR_INPUT "there is no task ID". */
int task_missing(const char *id, struct err *e);

#endif
