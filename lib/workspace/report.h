#ifndef WORKSPACE_REPORT_H
#define WORKSPACE_REPORT_H
/* report - what became of a run, for a person and as a result record. */

struct attic;
struct buf;
struct run;

/* A result record: how it ended, what it printed, files and attachments. */
void report_write(struct buf *b, const struct run *r, const struct attic *a,
    const struct buf *out, const struct buf *error);

/* Lines for a person: how it ended, files and attachments. */
void report_text(struct buf *b, const struct run *r, const struct attic *a);

#endif
