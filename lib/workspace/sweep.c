#include "workspace/sweep.h"

#include "core/err.h"
#include "store/base.h"
#include "store/content.h"
#include "store/settings.h"
#include "workspace/enabled.h"
#include "workspace/leftover.h"

enum { WAIT_MS = 5000 }; /* for a content that is being written */

/* Containers whose program died; none are looked for if it is off. */
static int
remove_containers(struct sweep *found, struct err *e)
{
	struct settings settings = {0};
	struct err off = {0};
	const char *engine;
	int files, rest = -1;

	if (enabled_open(&settings, &off) < 0) {
		settings_close(&settings);
		found->off = off.kind == ERR_CONFIG;
		if (found->off)
			return 0;
		*e = off;
		return -1;
	}
	engine = settings_text(&settings, "sandbox.engine");
	files = leftover_sweep(engine, e);
	if (files >= 0)
		rest = leftover_search(engine, e);
	settings_close(&settings);
	return rest < 0 ? -1 : files + rest;
}

static int64_t
remove_contents(struct err *e)
{
	struct store s = {0};
	int64_t n = store_exists("tasks", e);

	if (n > 0 && (n = store_open(&s, "tasks", STORE_WRITE, e)) == 0)
		n = content_sweep_all(&s, WAIT_MS, e);
	store_close(&s);
	return n;
}

int
sweep_all(struct sweep *found, struct err *e)
{
	found->contents = remove_contents(e);
	if (found->contents < 0)
		return -1;
	found->containers = remove_containers(found, e);
	return found->containers < 0 ? -1 : 0;
}
