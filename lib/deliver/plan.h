#ifndef DELIVER_PLAN_H
#define DELIVER_PLAN_H
/*
 * plan - which letters a parcel is sent in. They are on the disk, each with its
 * nonce, before the first one is sent: so whoever goes on after a crash sends
 * the same ones.
 *
 * A text of more than PLAN_PARTS messages becomes the beginning of it and a
 * file with all of it; so does one of more than one message that only its
 * requester may see, since it goes into the one reply to an interaction, which
 * can be put right any number of times without being doubled.
 */

#include <stdbool.h>

struct buf;
struct err;
struct parcel;
struct store;

enum { PLAN_PARTS = 5 };

#define PLAN_FILE "answer.md"

enum plan_kind {
	PLAN_FULL,  /* as said above */
	PLAN_PLAIN, /* in any number of messages: no file may be sent there */
};

/*
 * Write the letters, within the caller's transaction; text is the whole one.
 */
int plan_letters(struct store *s, const struct parcel *p,
    const struct buf *text, enum plan_kind kind, struct err *e);

#endif
