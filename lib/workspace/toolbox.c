#include "workspace/toolbox.h"

#include "core/clock.h"
#include "core/err.h"
#include "core/poll.h"
#include "store/filelock.h"
#include "tool/serve.h"
#include "workspace/enabled.h"
#include "workspace/tool_import.h"
#include "workspace/tool_inspect.h"
#include "workspace/tool_run.h"
#include "workspace/tool_transcribe.h"

enum {
	RETRY_MS = 5,
	WAITING_MS = 1000, /* until it is told that another one is at it */
};

int
toolbox_settings(struct toolbox *b, struct err *e)
{
	settings_close(&b->settings);
	return enabled_open(&b->settings, e);
}

int
toolbox_tasks(struct toolbox *b, struct err *e)
{
	if (b->tasks.db.raw)
		return 0;
	return store_open(&b->tasks, "tasks", STORE_WRITE, e);
}

int
toolbox_lock(struct lock *l, struct serve_talk *t, const char *task,
    struct err *e)
{
	const int64_t from_ms = clock_boot_ms();
	bool told = false;
	int got;

	while ((got = filelock_try(l, task, 0, e)) == 0) {
		if (!told && clock_boot_ms() - from_ms >= WAITING_MS) {
			serve_progress(t,
			    "waiting for another call on the same files");
			told = true;
		}
		if (poll_step(t->poll, clock_boot_ms() + RETRY_MS, e) < 0)
			return -1;
		if (t->given_up)
			return err_set(e, ERR_AGAIN, "it was cancelled");
	}
	return got < 0 ? -1 : 0;
}

int
toolbox_serve(int in, struct err *e)
{
	static const struct serve_long longs[] = {
	    {"sandbox_import", tool_import},
	    {"sandbox_inspect", tool_inspect},
	    {"sandbox_run", tool_run},
	    {"sandbox_transcribe", tool_transcribe},
	    {0},
	};
	struct toolbox box = {0};
	int result;

	result = serve_run_all(in, &(struct serve_tables){.longs = longs}, &box,
	    e);
	store_close(&box.tasks);
	settings_close(&box.settings);
	return result;
}
