#ifndef DELIVER_TIDY_H
#define DELIVER_TIDY_H
/*
 * tidy - takes away the messages that showed how a turn goes, once its outcome
 * has arrived; also those that a crash left behind. For deliver alone.
 */

#include <stdbool.h>

struct deliver;
struct err;
struct tidy;

struct tidy *tidy_new(struct deliver *d);

/* Take up the next one, unless it is busy. */
int tidy_look(struct tidy *t, struct err *e);

/* It has something under way. */
bool tidy_busy(const struct tidy *t);

void tidy_free(struct tidy *t); /* NULL is allowed */

#endif
