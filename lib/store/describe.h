#ifndef STORE_DESCRIBE_H
#define STORE_DESCRIBE_H
/*
 * describe - a task in words, for a person at a terminal. Texts of strangers
 * are put in as they are: print what comes out with cli_print().
 */

struct buf;
struct err;
struct store;
struct task;

/* A line: id, state, when it changed, the beginning of what was asked. */
void describe_line(struct buf *b, const struct task *t);

/* All that matters: the task, its goals, plan, notes, and what was done. */
int describe_task(struct buf *b, struct store *s, const struct task *t,
    struct err *e);

#endif
