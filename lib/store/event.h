#ifndef STORE_EVENT_H
#define STORE_EVENT_H
/*
 * event - what happened to a task, in order. Within the caller's transaction.
 * Kinds: created, resumed, told, answered, paused, failed, cancelled,
 * recovered, asked, decided, settled.
 */

struct err;
struct store;

/* turn and text may be NULL. */
int event_add(struct store *s, const char *task, const char *turn,
    const char *kind, const char *text, struct err *e);

#endif
