#ifndef WORKSPACE_SECONDS_H
#define WORKSPACE_SECONDS_H
/*
 * seconds - a place in a recording, as people and models write it: seconds with
 * a point, from 0 to SECONDS_MOST; and as we count, in milliseconds. Pure.
 */

#include <stdint.h>

struct buf;
struct err;

enum { SECONDS_MOST = 7 * 24 * 60 * 60 };

/* "12.5" is 12500; what is finer is rounded. ERR_INPUT. */
int seconds_read(int64_t *ms, const char *text, struct err *e);

/* Back: "12.5", with no more digits than it needs. */
void seconds_write(struct buf *b, int64_t ms);

#endif
