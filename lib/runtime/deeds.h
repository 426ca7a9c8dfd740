#ifndef RUNTIME_DEEDS_H
#define RUNTIME_DEEDS_H
/*
 * deeds - what earlier turns of a task have changed, for the model of a turn
 * that goes on with it. It must not ask for a change again since it was never
 * told that it is made: so each receipt is told, with what came of it or how it
 * was found when somebody looked.
 */

struct dialog;
struct err;
struct store;

/* Add them as a source of the dialog, the newest that fit; none, nothing. */
int deeds_tell(struct dialog *d, struct store *s, const char *task,
    struct err *e);

#endif
