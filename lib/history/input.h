#ifndef HISTORY_INPUT_H
#define HISTORY_INPUT_H
/*
 * input - open what is to be imported: a file, a pipe, or with "-" stdin.
 *
 * Only a file can be recognised later, and begun in the middle: for one, the
 * mark tells its path, its size, its date and what it begins with.
 */

#include <limits.h>

struct err;
struct mark;

/*
 * The descriptor, which the caller closes unless it is stdin's; or -1. A file's
 * mark->path is `canonical`; a pipe, which may have no path, has none.
 */
int input_open(struct mark *mark, char canonical[PATH_MAX], const char *path,
    struct err *e);

#endif
