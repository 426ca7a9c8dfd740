#ifndef CORE_FILE_H
#define CORE_FILE_H
/*
 * file - whole files and folders, safely.
 *
 * Errors   ERR_CONFIG where a person has to mend something (missing, no
 *          access), ERR_IO for a full or failing disk. The path is in the text.
 */

#include <stddef.h>

#include "core/err.h"

struct buf;

/* Make a folder, and those above it that are missing, with mode 0700. */
int file_mkdirs(const char *path, struct err *e);

/* Add the file's bytes to b; refused past b->limit, and if it is a pipe. */
int file_read(struct buf *b, const char *path, struct err *e);

/*
 * Add all that the descriptor gives to b: 0, or 1 if b->limit cut it short. -1
 * if it can't be read: ERR_IO of the disk's errors, else of that kind; what
 * begins the text. Room that b has is used before it grows.
 */
int file_read_fd(struct buf *b, int fd, const char *what, enum err_kind kind,
    struct err *e);

/*
 * Put bytes in place of the file as one step that a crash can't halve: written
 * beside it with mode 0600, synced, renamed over it, the folder synced.
 */
int file_replace(const char *path, const void *bytes, size_t len,
    struct err *e);

/* Let what was made in the folder of that path, or renamed, outlast a crash. */
int file_sync_folder(const char *path, struct err *e);

/*
 * The same without a sync, for what is of no use after a loss of power: whoever
 * reads meanwhile sees the old bytes or the new ones.
 */
int file_publish(const char *path, const void *bytes, size_t len,
    struct err *e);

#endif
