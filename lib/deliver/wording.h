#ifndef DELIVER_WORDING_H
#define DELIVER_WORDING_H
/*
 * wording - what an outcome says to the person who asked, and what they can do
 * about it.
 *
 * Memory   {0} is empty; whoever fills it releases it.
 * Errors   ERR_INPUT: it is no record of such a kind.
 */

#include "core/buf.h"

struct err;
struct parcel;

struct wording {
	struct buf text;  /* not blank; lines end in \n */
	unsigned buttons; /* enum button, of the last message */
};

/* What is said in place of one that may not be said (parcel.withheld). */
void wording_withheld(struct wording *w, const struct parcel *p);
int wording_of(struct wording *w, const struct parcel *p, struct err *e);
void wording_release(struct wording *w); /* harmless on {0}, or twice */

#endif
