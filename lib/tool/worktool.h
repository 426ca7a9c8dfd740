#ifndef TOOL_WORKTOOL_H
#define TOOL_WORKTOOL_H
/*
 * worktool - the tools of a task's working state: note_add, note_list,
 * note_clear, plan_update, goal_open, goal_update, goal_done; task_search; and those of
 * tool/tasktool. Each call is one commit, and but for those it works on the
 * task of its context alone.
 */

struct err;
struct store;

/* Answer calls until the end of in, as in tool/serve. */
int worktool_serve(int in, struct store *s, struct err *e);

#endif
