#ifndef STORE_ENDING_H
#define STORE_ENDING_H
/*
 * ending - how a turn ends: its verdict, what becomes of the task, the delivery
 * and the event. A step of runner_finish(), within its transaction.
 */

struct ending;
struct err;
struct store;

/* The task's new state, or -1; ERR_REFUSED if the turn was ended before. */
int ending_write(struct store *s, const char *task, const char *turn,
    const struct ending *end, struct err *e);

#endif
