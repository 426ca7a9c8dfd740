#include "workspace/toolbox.h"

#include "tool/serve.h"
#include "workspace/enabled.h"
#include "workspace/tool_import.h"
#include "workspace/tool_inspect.h"
#include "workspace/tool_run.h"

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
toolbox_serve(int in, struct err *e)
{
	static const struct serve_long longs[] = {
	    {"sandbox_inspect", tool_inspect},
	    {"sandbox_run", tool_run},
	    {"sandbox_import", tool_import},
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
