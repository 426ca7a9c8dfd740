#ifndef STORE_RECEIPT_H
#define STORE_RECEIPT_H
/* receipt - the durable record of a change: intent, then outcome. */

struct err;
struct store;

/*
 * 0, or ERR_REFUSED if the outcome of a change in the task is unknown and
 * nobody has settled it by verification or attestation.
 */
int receipt_settled(struct store *s, const char *task, struct err *e);

#endif
