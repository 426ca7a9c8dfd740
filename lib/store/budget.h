#ifndef STORE_BUDGET_H
#define STORE_BUDGET_H
/*
 * budget - may another request to a model be sent? An operator's settings
 * budget.actor and budget.installation limit what is used in a day of UTC, by
 * one person and by all together. They are read anew each time.
 *
 * Only what is known counts: a request whose cost nobody named is not limited.
 * The request that goes past a budget still ends; the next one waits.
 */

struct buf;
struct err;
struct store;

/* 1 if it may; 0 if a budget is used up, and then why says which. */
int budget_left(struct store *s, const char *actor, struct buf *why,
    struct err *e);

#endif
