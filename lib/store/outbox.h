#ifndef STORE_OUTBOX_H
#define STORE_OUTBOX_H
/*
 * outbox - what is to be delivered to the place of a task. Within the caller's
 * transaction, so that it is there exactly if what it tells of is. A task of
 * the terminal needs no delivery, since its answer is printed: it gets no row.
 */

struct err;
struct store;

/*
 * turn: whose address it goes to; NULL for the task's last one.
 * kind: "answer", "paused" or "error"; record: JSON, its newline is left out.
 */
int outbox_add(struct store *s, const char *task, const char *turn,
    const char *kind, const char *record, struct err *e);

#endif
