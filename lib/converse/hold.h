#ifndef CONVERSE_HOLD_H
#define CONVERSE_HOLD_H
/*
 * hold - one sophia-converse for a state folder.
 */

struct err;
struct lock;

/* ERR_AGAIN: another one is at work. */
int hold_take(struct lock *l, struct err *e);

#endif
