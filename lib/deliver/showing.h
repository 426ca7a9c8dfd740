#ifndef DELIVER_SHOWING_H
#define DELIVER_SHOWING_H
/*
 * showing - shows people that their request is being worked on.
 *
 * At once     the typing indicator, kept up; an interaction shows as much by
 *             itself.
 * In a while  (SHOWING_AFTER_MS) one message that says how it goes, with Stop
 *             and Details. It is changed when there is something new, not
 *             oftener than Discord likes, one change at a time: what came in
 *             between is one change. For an interaction it stands where the
 *             answer will be.
 * In the end  the answer comes as a message of its own, so that people are
 *             notified; then the one that showed progress goes (see tidy). The
 *             reply to an interaction becomes the answer.
 * Memory   A showing belongs to its deliver, which is open; after showing_end()
 *          it is gone for the caller.
 * Errors   None: it is a courtesy. What can't be shown is not shown.
 */

#include <stdbool.h>

struct deliver;
struct showing;

enum { SHOWING_AFTER_MS = 5000, SHOWING_CHANGE_MS = 4000 };

/*
 * Begin, for a turn that is on the disk. NULL if it can't be shown; that is
 * allowed below.
 */
struct showing *showing_start(struct deliver *d, const char *turn);

/* What is being done now: a line, which may quote anybody. */
void showing_note(struct showing *s, const char *text);

void showing_end(struct showing *s);

/* For deliver: what was sent for a turn has not ended yet. */
bool showing_busy(const struct showing *list, const char *turn);
void showings_release(struct deliver *d);

#endif
