#ifndef TOOL_TASKTOOL_H
#define TOOL_TASKTOOL_H
/*
 * tasktool - what a model does to other tasks of the person asking, in the same
 * place: task_control steers, stops and continues one; task_forget deletes one.
 *
 * Whose     Only the actor's own, in the location of the call; not even the
 *           operator of the machine gets at others' by a model. A private task
 *           is not there for a public conversation.
 * Which     By its id, or by words; words that fit several are ERR_INPUT with
 *           these as candidates. It is never guessed, and never the calling
 *           task itself.
 * Audience  What a model writes to a public task may be made of all that its
 *           own has read: see access/publication.
 *
 * ctx is the store of tasks.
 */

#include "tool/serve.h"

int tasktool_control(void *ctx, const struct call *c, struct answer_parts *a,
    struct err *e);

int tasktool_forget_check(void *ctx, const struct call *c,
    struct proposal_parts *p, struct err *e);
int tasktool_forget_act(void *ctx, struct serve_act *w, struct answer_parts *a,
    struct err *e);

#endif
