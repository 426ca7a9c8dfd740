#include "workspace/senses.h"

#include "core/err.h"
#include "record/context.h"
#include "store/task.h"

int
senses_load(struct profile *p, struct store *tasks, const struct context *who,
    struct err *e)
{
	struct task_scan scan = {0};
	struct task t;
	int result = -1;

	if (!who->task)
		return err_set(e, ERR_INPUT, "this is for a call of a task");
	if (task_get(&scan, tasks, who->task, who, &t, e) == 0)
		result = profile_load(p, t.profile, e);
	task_end(&scan);
	return result;
}

int
senses_need_images(struct store *tasks, const struct context *who,
    struct err *e)
{
	struct profile p = {0};
	int result = senses_load(&p, tasks, who, e);

	if (result == 0 && !(p.inputs & INPUT_IMAGE))
		result = err_set(e, ERR_REFUSED,
		    "the model of this task (profile %s) is not declared to "
		    "take pictures, so none can be shown to it: ask with a "
		    "profile that has \"image\" in its inputs, or read the "
		    "file with code",
		    p.id);
	profile_release(&p);
	return result;
}
