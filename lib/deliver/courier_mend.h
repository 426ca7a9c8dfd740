#ifndef DELIVER_COURIER_MEND_H
#define DELIVER_COURIER_MEND_H
/*
 * courier_mend - another way for a letter that was refused as it is: without
 * the token, the reference or the file that was in the way, or by a follow-up;
 * or another text for one that may not be said. For courier alone.
 */

#include "deliver/setback.h"

struct courier;
struct err;

/* 1 there is one, to be gone at once; 0 there is none; -1 (roll back). */
int courier_mend(struct courier *c, enum setback what, struct err *e);

/* Nothing of it was sent yet: from now on it says why it doesn't. */
int courier_withhold(struct courier *c, const char *why, struct err *e);

#endif
