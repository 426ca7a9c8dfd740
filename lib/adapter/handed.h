#ifndef ADAPTER_HANDED_H
#define ADAPTER_HANDED_H
/*
 * handed - what the calls of a turn handed over, for whoever reads its answer
 * and would not know otherwise that it is there.
 *
 * Memory   the names are the caller's buf, where each is a line. With a limit,
 *          names that would pass it are left out.
 */

#include <stddef.h>

struct buf;

/*
 * Add the filenames that a record of the loop tells of, if it is a result; each
 * once. Characters that can't be shown are a '?'.
 */
void handed_note(struct buf *names, const char *line, size_t len);

#endif
