#ifndef GUEST_SAY_H
#define GUEST_SAY_H
/* say - write to the host; without one there is nothing left to do: it ends. */

#include <stddef.h>

struct buf;

/* A frame with that head, if there is one, and bytes after it. */
void say(unsigned char kind, const struct buf *head, const void *bytes,
    size_t len);

#endif
