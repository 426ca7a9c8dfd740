#ifndef STORE_CONTENT_H
#define STORE_CONTENT_H
/*
 * content - bytes by what they are: the same ones are kept once, whichever
 * tasks, files and artifacts have them. The name is their SHA-256.
 *
 * Place    Up to CONTENT_SMALL bytes lie in tasks.sqlite; more in
 *          blob/aa/HASH of the state folder (0600, folders 0700), which is
 *          whole and synced before a row that names it is committed.
 * Life     A row goes with the last file, artifact or preview that refers to
 *          it, by triggers in the schema; its file in blob/ goes after that
 *          commit, in content_sweep(). A kill in between, or between the
 *          rename and the commit, leaves a file that nothing needs:
 *          content_sweep_all() finds it.
 * Sweep    A file is removed only by who holds run/blob alone and the turn of
 *          tasks.sqlite, and sees there that no row names it. Whoever writes
 *          one holds run/blob shared, or the turn, until its commit: so none is
 *          lost that was renamed, but isn't committed yet.
 * Order    content_stage() before store_begin() (syncing a disk takes longer
 *          than a turn may be held); content_put() within it; content_unstage()
 *          after the commit or rollback. Without the stage, content_put()
 *          writes the file itself.
 * Errors   ERR_IO for a full or failing disk; ERR_INPUT there is no such
 *          content; ERR_CONFIG what is there is not what was put there.
 */

#include <stddef.h>
#include <stdint.h>

#include "core/lock.h"

struct buf;
struct err;
struct store;

enum { CONTENT_SMALL = 64 << 10, CONTENT_HASH = 64 };

/* Bring bytes to the disk that are to be put soon, if they are large. */
struct content_stage { /* {0} */
	struct lock lock;
};
int content_stage(struct content_stage *stage, const void *bytes, size_t len,
    struct err *e);
void content_unstage(struct content_stage *stage); /* harmless on {0}, twice */

/*
 * Keep them, within the caller's transaction, which must also store what refers
 * to them.
 */
int content_put(struct store *s, const void *bytes, size_t len,
    char hash[CONTENT_HASH + 1], struct err *e);

/* Add them to b. Refused past b->limit. They are what the hash says. */
int content_get(struct store *s, const char *hash, struct buf *b,
    struct err *e);

/*
 * Remove the files whose rows are gone. ERR_AGAIN if others were writing some
 * for wait_ms: to repeat it finishes the work. It takes turns of its own.
 */
int content_sweep(struct store *s, int wait_ms, struct err *e);

/* The same, as far as it can be done at once: what stays goes another time. */
void content_tidy(struct store *s);

/*
 * The same, and look through all of blob/ and the rows for what nothing refers
 * to. Returns how many files went.
 */
int64_t content_sweep_all(struct store *s, int wait_ms, struct err *e);

#endif
