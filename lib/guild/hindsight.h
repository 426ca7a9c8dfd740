#ifndef GUILD_HINDSIGHT_H
#define GUILD_HINDSIGHT_H
/*
 * hindsight - what verifying a change of channels and roles has in common.
 *
 * Evidence is what Discord shows now: the state that was wanted, or the one of
 * before. What is like neither, or like both, is none; nor is anything that
 * Sophia isn't shown. What isn't there may still come until a request can't be
 * on its way any more.
 *
 * Made     Something new has no id yet. The audit log names it: each request
 *          puts its call's id there, as the reason. Where the log may not be
 *          read, what has appeared since, as it was wanted, is taken for it;
 *          anything else that has appeared could be it, renamed, so then there
 *          is no telling.
 */

#include <stdbool.h>
#include <stdint.h>

struct change;
struct err;
struct json;

/* As things are: an enum change_seen, and c->seen. */
int hindsight(struct change *c, bool done, bool undone);

/* What an action of the audit log is about. */
enum hindsight_made { MADE_CHANNEL = 10, MADE_ROLE = 30 };

/* Was it made, and which one is it, of those that there are? */
int hindsight_made(struct change *c, enum hindsight_made what, struct err *e);

/* GET a path: 1 and *now, 0 if it isn't there, -1 and *e, or SEEN_HIDDEN. */
enum { SEEN_HIDDEN = 3 };
int hindsight_get(struct change *c, const char *path, struct json **now,
    struct err *e);

#endif
