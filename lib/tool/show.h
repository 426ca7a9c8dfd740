#ifndef TOOL_SHOW_H
#define TOOL_SHOW_H
/* show - a tool or a check as a record, or as text for a person. */

#include <stdbool.h>

struct buf;
struct faults;
struct manifest;

/*
 * The record {"type":"tool"}; the schema of its arguments only if it is whole.
 */
void show_record(struct buf *b, const struct manifest *m, bool whole);

void show_line(struct buf *b,
    const struct manifest *m); /* name, one sentence */
void show_text(struct buf *b, const struct manifest *m); /* all about it */

/* The record {"type":"check"}: how many can be used, and all faults. */
void show_check(struct buf *b, const struct faults *f, int good);

#endif
