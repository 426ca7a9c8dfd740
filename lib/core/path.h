#ifndef CORE_PATH_H
#define CORE_PATH_H
/*
 * path - where a file lies in a task's workspace. Pure.
 *
 * Relative, valid UTF-8, without control characters; each part between slashes
 * is 1 to 255 bytes, is not "." or "..", and is not what Windows takes for a
 * device (NUL, COM1.txt), since files are handed on to people; at most
 * PATH_BYTES_MOST bytes, PATH_PARTS_MOST parts.
 */

#include <stdbool.h>
#include <stddef.h>

#include "core/err.h"

enum { PATH_BYTES_MOST = 1024, PATH_PARTS_MOST = 32 };

/* Will it do? It need not end in a NUL. ERR_INPUT says what is wrong. */
int path_check(const char *path, size_t len, struct err *e);

/* Is one path the other, or does it lead through it? */
bool path_clash(const char *a, size_t a_len, const char *b, size_t b_len);

#endif
