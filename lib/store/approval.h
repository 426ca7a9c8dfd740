#ifndef STORE_APPROVAL_H
#define STORE_APPROVAL_H
/*
 * approval - what a person is asked before something is changed, and what they
 * said. It is a record of what happened, and never authority later: whoever
 * makes the change decides by the rules again, and asks anew for other
 * arguments.
 *
 *	approval_ask()      the runner, before anybody is shown anything
 *	approval_choose()   the person: only these items
 *	approval_decide()   the person; where it takes saying so twice, both
 *	                    times, each of them stored
 *	approval_expire()   the runner, when nobody did in time
 *	approval_void()     the task ends or is restarted: nobody can any more
 *
 * Whoever decides leaves a control row `decision` with data {"approval":ID} for
 * the runner, which reads the verdict and what was chosen with approval_find().
 *
 * Access   Only the person asked chooses and decides, in the location of the
 *          task; being an operator or the owner of another task doesn't help.
 *          To others, what was asked in private is as if it weren't there:
 *          ERR_INPUT. What was asked in public is ERR_DENIED.
 * Errors   ERR_REFUSED it was decided, has expired, or its task has ended; the
 *          text says which. ERR_INPUT for a choice of what isn't there, or a
 *          correction without words. Else those of ext/db.
 * Commits  approval_choose(), approval_decide() and approval_expire() begin and
 *          commit themselves; what they return is on the disk. The others work
 *          within the caller's transaction, or without one to read.
 * Units    _ms since 1970 UTC.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/id.h"
#include "record/approval.h"
#include "record/decision.h"

struct context;
struct err;
struct store;

enum {
	APPROVAL_REMARK_MAX = 4000,   /* bytes of a correction */
	APPROVAL_RECORD_MAX = 900000, /* bytes of all that is asked */
};

/*
 * Ask `asked` (an actor's id) for x, whose id is a fresh one; each item's call
 * is stored, and of the task. ERR_INPUT if there are no items, too many, or
 * more than a record holds.
 */
int approval_ask(struct store *s, const struct approval *x, const char *asked,
    struct err *e);

/* An approval as it is stored. approval_drop() frees what it holds. */
struct approval_row {
	struct approval x;   /* as it was asked */
	bool *chosen;        /* of each item; all, until something was chosen */
	char *asked, *place; /* whose, and where: see place_text() */
	int64_t asked_ms;
	int64_t confirming_ms; /* approved once, of twice; or 0 */
	bool decided;          /* what follows says how */
	enum decision_verdict verdict;
	char *remark, *decider; /* NULL if there is none */
	int64_t decided_ms;
};

/* One by its id: for who may see it, or for all of them if who is NULL. */
int approval_find(struct approval_row *r, struct store *s, const char *id,
    const struct context *who, struct err *e);
void approval_drop(struct approval_row *r); /* harmless on {0}, or twice */

/* The pending one of a task: 1 and its id, 0 or -1. */
int approval_pending(struct store *s, const char *task, char id[ID_LEN + 1],
    struct err *e);

/* Some items by their place, from 1, or by category; all if both are empty. */
struct approval_choice {
	const int64_t *places;
	size_t place_count;
	const char *const *categories;
	size_t category_count;
};

/*
 * Choose what an approval of it will be for, in place of what was chosen
 * before; what was approved once must be approved anew. Returns how many are.
 */
int approval_choose(struct store *s, const char *id, const struct context *who,
    const struct approval_choice *choice, struct err *e);

enum approval_step {
	APPROVAL_CONFIRM, /* stored, and must be said a second time */
	APPROVAL_DECIDED,
};

/*
 * Decide. VERDICT_APPROVE of items that need it takes two calls, the second one
 * with `confirmed`; to be confirmed before is ERR_REFUSED. The remark is the
 * text of VERDICT_CORRECT, else NULL. VERDICT_INVALID says that the person
 * can't be asked now: nothing is done and nothing was denied. Returns an enum
 * approval_step.
 */
int approval_decide(struct store *s, const char *id, const struct context *who,
    enum decision_verdict verdict, const char *remark, bool confirmed,
    struct err *e);

/* Its time is over: 1 if it had not been decided, else 0. */
int approval_expire(struct store *s, const char *id, struct err *e);

/* What is pending in the task can't be decided any more; returns how many. */
int64_t approval_void(struct store *s, const char *task, struct err *e);

#endif
