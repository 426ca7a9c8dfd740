#ifndef GUILD_POST_H
#define GUILD_POST_H
/* post - a new message in a channel, whatever is in it. */

#include <stdint.h>

struct buf;
struct change;
struct err;
struct place;
struct rest_file;

/* ERR_REFUSED unless Sophia may write there. */
int post_check(const struct place *p, struct err *e);

/* Check: the channel that the argument names, where Sophia may write. */
int post_place(struct change *c, struct place *p, struct err *e);

/* The proposal of one, whose text begins with what is done: "send it to ". */
void post_propose(struct change *c, const struct place *p, const char *what);

/* The same of one in the direct messages of whoever asks. */
int post_propose_direct(struct change *c, const char *what, struct err *e);

/* Act, verify: the channel of these, by the plan: 0 and *id. */
int post_open_direct(struct change *c, uint64_t *id, struct err *e);

/* Act: send it there, with the file if that isn't NULL; tell where it is. */
int post_send(struct change *c, uint64_t channel, const struct buf *body,
    const struct rest_file *file, struct err *e);

#endif
