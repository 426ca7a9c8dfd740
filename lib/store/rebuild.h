#ifndef STORE_REBUILD_H
#define STORE_REBUILD_H
/*
 * rebuild - make all tokens anew, or empty the index.
 *
 * Another version of ICU, Snowball or our own rules makes other tokens, and
 * then a row can't be deleted from the full-text table any more. So all of them
 * are thrown away and made again, in turns of at most 50 ms; a rebuild that
 * breaks off goes on where it stopped. Meanwhile a search finds only what is
 * done.
 */

#include <stdint.h>

struct err;
struct store;

/* Called after each turn; the ordinals run up to last. */
typedef void rebuild_progress_fn(void *ctx, int64_t done, int64_t last);

/* Have all be made anew, whatever made it. One turn of its own. */
int rebuild_mark(struct store *base, struct err *e);

/* Takes its own turns. Returns how many messages were done, or -1. */
int64_t rebuild_run(struct store *base, rebuild_progress_fn *progress,
    void *ctx, struct err *e);

/*
 * Remove every message, channel, author and mark, but no tombstone: what was
 * deleted stays deleted. One turn of its own. Returns how many messages went.
 */
int64_t rebuild_reset(struct store *base, struct err *e);

#endif
