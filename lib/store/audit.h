#ifndef STORE_AUDIT_H
#define STORE_AUDIT_H
/*
 * audit - who changed which setting, when: audit.ndjson of the state folder,
 * a line a change, never rewritten.
 *
 * A line is on the disk before its change is: after a loss of power there may
 * be a line whose change never came to be, but no change without a line. What
 * somebody writes into settings.json with an editor leaves none.
 *
 * Record   {"type":"audit","at","by","name", "before","after"} of a value; of a
 *          list what was "removed" and "added" instead.
 * Errors   ERR_IO, or ERR_CONFIG where a person must mend something.
 */

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct buf;
struct err;
struct settings;

/* Add a line to b for each setting that differs. `by` is an id, or "local". */
void audit_write(struct buf *b, const struct settings *before,
    const struct settings *after, const char *by, int64_t at_ms);

/* Put lines at the end of the file; *old is its length before. */
int audit_add(const char *lines, int64_t *old, struct err *e);
void audit_take_back(int64_t old); /* the change was not made after all */

enum { AUDIT_LINE = 4 << 20 }; /* bytes; more than two full lists */

/* To read it, line by line: 1 and *f, to be closed; 0 if there is none; -1. */
int audit_open(FILE **f, struct err *e);

/* A line of it, for a person. */
int audit_tell(struct buf *b, const char *line, size_t len, struct err *e);

#endif
