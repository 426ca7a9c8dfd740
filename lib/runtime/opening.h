#ifndef RUNTIME_OPENING_H
#define RUNTIME_OPENING_H
/*
 * opening - what a model is shown before its first word in a turn.
 *
 * The system prompt; then, as sources, who asks and when, what the request
 * replies to, and, of a task that goes on, its earlier requests and answers,
 * plan, notes, goals and artifacts; then the files that are attached, and the
 * request itself.
 */

struct dialog;
struct err;
struct runner;
struct settings;
struct turn;

int opening_write(struct dialog *d, const struct turn *t,
    const struct runner *r, const struct settings *settings, struct err *e);

#endif
