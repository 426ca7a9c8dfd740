#ifndef GUILD_POST_H
#define GUILD_POST_H
/* post - a new message in a channel, whatever is in it. */

#include <stdint.h>

struct buf;
struct change;
struct err;
struct place;

/* ERR_REFUSED unless Sophia may write there. */
int post_check(const struct place *p, struct err *e);

/* The proposal of one, whose text begins with what is done: "send it to ". */
void post_propose(struct change *c, const struct place *p, const char *what);

/* Act: send it there, and tell where it is. */
int post_send(struct change *c, uint64_t channel, const struct buf *body,
    struct err *e);

#endif
