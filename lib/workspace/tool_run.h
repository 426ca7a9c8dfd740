#ifndef WORKSPACE_TOOL_RUN_H
#define WORKSPACE_TOOL_RUN_H
/*
 * tool_run - sandbox_run: a model's code, on the files of its task.
 *
 *	{"language":"python|javascript|shell","code":TEXT,
 *	 "files":[PATH,...]?,"time":SECONDS?}
 *
 * In this order: wait for the lock of the task's files, take those that were
 * picked (all without `files`, none if it is empty), run the code in a fresh
 * container, and keep what it changed in one commit. So two runs of one task
 * come one after the other, whichever programs they are in; and whatever
 * happens in between, the files are as they were. What the code hands over is
 * committed at once, and stays.
 *
 * Without a task, as when it is tried by hand, there are no files, and what is
 * handed over is gone with the run.
 *
 * For what it answers, see report. ctx is the toolbox.
 */

#include "tool/serve.h"

int tool_run(void *ctx, struct serve_talk *t, struct answer_parts *a,
    struct err *e);

#endif
