#ifndef CORE_FILE_H
#define CORE_FILE_H
/*
 * file - whole files and folders, safely.
 *
 * Errors   ERR_CONFIG where a person has to mend something (missing, no
 *          access), ERR_IO for a full or failing disk. The path is in the text.
 */

#include <stddef.h>

struct buf;
struct err;

/* Make a folder, and those above it that are missing, with mode 0700. */
int file_mkdirs(const char *path, struct err *e);

/* Add the file's bytes to b; refused past b->limit, and if it is a pipe. */
int file_read(struct buf *b, const char *path, struct err *e);

/*
 * Put bytes in place of the file as one step that a crash can't halve: written
 * beside it with mode 0600, synced, renamed over it, the folder synced.
 */
int file_replace(const char *path, const void *bytes, size_t len,
    struct err *e);

#endif
