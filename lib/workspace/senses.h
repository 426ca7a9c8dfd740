#ifndef WORKSPACE_SENSES_H
#define WORKSPACE_SENSES_H
/*
 * senses - what the model of a task can be given besides words, by its profile
 * alone: asked before anything is decoded.
 */

#include "model/profile.h"

struct context;
struct err;
struct store;

/* The profile that the task of a call works with. ERR_INPUT without one. */
int senses_load(struct profile *p, struct store *tasks,
    const struct context *who, struct err *e);

/* ERR_REFUSED, and what to do, unless that profile takes pictures. */
int senses_need_images(struct store *tasks, const struct context *who,
    struct err *e);

#endif
