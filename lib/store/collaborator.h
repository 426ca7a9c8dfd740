#ifndef STORE_COLLABORATOR_H
#define STORE_COLLABORATOR_H
/*
 * collaborator - who may correct a task beside its owner.
 *
 * What      The owner of a public task of a server names them. They may steer
 *           it in its channel while it is public, and nothing else: they see
 *           none of its records, decide no approval, and can't stop, resume or
 *           forget it. Each must be let in by the settings, too, whenever they
 *           say something.
 * After     one of them has corrected a task, each change in it is asked for,
 *           whatever was granted: see told_by_others(), which asks the control
 *           rows, so that it holds after a restart and after a removal.
 * Errors    ERR_INPUT there is no such task for `who`, or it is no user;
 *           ERR_REFUSED it isn't that kind of task, or there are too many.
 *
 * collaborator_add() and _remove() begin and commit themselves.
 */

#include <stdbool.h>

#include "core/id.h"

struct buf;
struct context;
struct err;
struct store;

enum { COLLABORATORS_MAX = 20 };

/* 1, or 0 if they were named (or not) before. */
int collaborator_add(struct store *s, const char *task, const char *user,
    const struct context *who, struct err *e);
int collaborator_remove(struct store *s, const char *task, const char *user,
    const struct context *who, struct err *e);

/* Add them as mentions, "<@1>, <@2>"; returns how many. */
int collaborator_mentions(struct buf *b, struct store *s, const char *task,
    struct err *e);

/*
 * The task that this person may correct where they are: the one given, or of ""
 * the running one that changed last, which is put there. Returns its state (see
 * store/task), or -1; *found says whether there is one.
 */
int collaborator_state(struct store *s, char task[ID_LEN + 1],
    const struct context *who, bool *found, struct err *e);

#endif
