#ifndef RUNTIME_TEND_H
#define RUNTIME_TEND_H
/*
 * tend - what the operator of this machine does to tasks, each in one call.
 *
 * Store    Each call opens the tasks and closes them again. Where there are
 *          none yet, nothing is made: a list is empty, and a task that is named
 *          is ERR_INPUT, as is any other that doesn't exist.
 * Memory   What is added to a buf is the caller's.
 */

#include <stdbool.h>
#include <stdint.h>

#include "store/export.h"

struct buf;
struct err;
struct recovered;
struct task_filter;

/* Add the tasks, a line each, in words or as records; returns how many. */
int tend_list(struct buf *b, const struct task_filter *f, bool json,
    struct err *e);

/* Add all that matters of one, in words, or its record. */
int tend_show(struct buf *b, const char *id, bool json, struct err *e);

/* Hand out all that is kept of one, as records; or all but its contents. */
int tend_export(const char *id, bool contents, export_fn *put, void *ctx,
    struct err *e);

/* See that it is there. If text is empty, add what a turn says that goes on. */
int tend_resume(struct buf *text, const char *id, struct err *e);

int tend_stop(const char *id, struct err *e); /* enum stopped */

/* 1 if a runner will read it at once, 0 if whoever resumes the task will. */
int tend_steer(const char *id, const char *text, struct err *e);

/* A user may correct it, or no more: 1, or 0 if it was so before. */
int tend_collaborate(const char *id, const char *user, bool may, struct err *e);

/*
 * Move a task of somebody in Discord to another place there, written
 * guild:GUILD:CHANNEL or dm:CHANNEL; see access/handoff.
 */
int tend_handoff(const char *id, const char *place, struct err *e);

int tend_forget(const char *id, struct err *e);

/* Forget what is older than retention.tasks; returns how many. For cron. */
int64_t tend_prune(struct err *e);

/* Pause the tasks whose process is gone. */
int tend_recover(struct recovered *found, struct err *e);

#endif
