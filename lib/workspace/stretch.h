#ifndef WORKSPACE_STRETCH_H
#define WORKSPACE_STRETCH_H
/*
 * stretch - the work of `sophia-sandbox cut`: a stretch of a recording among
 * the files of a task, as a WAV file on a descriptor. Errors as in cut.
 */

#include <stdint.h>

struct err;

int stretch_write(int out, const char *task, const char *path, int64_t start_ms,
    int64_t length_ms, struct err *e);

#endif
