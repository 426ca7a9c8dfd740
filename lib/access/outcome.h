#ifndef ACCESS_OUTCOME_H
#define ACCESS_OUTCOME_H
/*
 * outcome - may what came of a task be said to its owner, as things are now?
 * See publication for the rule.
 */

struct err;
struct store;

/*
 * Into that channel; or, if place is NULL, to the owner alone. ERR_DENIED says
 * why not; ERR_INPUT if there is no such task.
 */
int outcome_check(struct store *tasks, const char *task, const char *place,
    struct err *e);

#endif
