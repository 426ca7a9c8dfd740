#ifndef ACCESS_CONCERN_H
#define ACCESS_CONCERN_H
/*
 * concern - what a call touches: is it about that channel, or about something
 * protected? For access/decide.
 */

#include <stdbool.h>

#include "access/standing.h"

struct policy_place;

/* Does it touch the channel at all? MAYBE where its surroundings aren't known.
 */
enum standing concern_touches(const struct access_question *q,
    const char *channel);

/* Does it touch the channel, what is in it, and nothing else? */
bool concern_only(const struct access_question *q, const char *channel);

/* Does what it changes hold, belong to, or be what is protected? */
enum standing concern_protected(const struct access_question *q,
    const struct policy_place *p);

#endif
