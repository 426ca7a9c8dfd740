#include "adapter/account.h"

#include <string.h>

#include "access/explain.h"
#include "core/clock.h"
#include "core/err.h"
#include "store/base.h"
#include "store/settings.h"
#include "tool/toolset.h"

static int
find_tier(struct access_question *q, const char *given, struct err *e)
{
	const struct manifest *m;
	struct toolset tools;

	if (given) {
		q->tier = tier_of(given);
		if (strcmp(tier_word(q->tier), given) == 0)
			return 0;
		return err_set(e, ERR_INPUT,
		    "tier: '%.40s': must be read, scratch, write or "
		    "destructive",
		    given);
	}
	if (toolset_load(&tools, e) < 0)
		return -1;
	m = toolset_find(&tools, q->capability);
	if (m)
		q->tier = m->tier;
	toolset_release(&tools);
	if (m)
		return 0;
	return err_set(e, ERR_INPUT,
	    "there is no tool %.64s; say what tier it would have",
	    q->capability);
}

/* As far as there is an index. */
static int
find_places(struct explain *x, struct err *e)
{
	struct store s = {0};
	int rc = store_exists("messages", e);

	if (rc > 0) {
		rc = store_open(&s, "messages", STORE_READ, e);
		if (rc == 0)
			rc = explain_places(x, &s.db, e);
	}
	store_close(&s);
	return rc < 0 ? -1 : 0;
}

int
account_give(struct buf *b, struct explain *x, const char *tier, bool json,
    enum access_verdict *v, struct err *e)
{
	struct settings s = {0};

	if (find_tier(&x->q, tier, e) < 0 || find_places(x, e) < 0 ||
	    settings_open(&s, e) < 0)
		return -1;
	x->q.settings = &s;
	x->q.now_ms = clock_now_ms();
	x->q.early = !x->q.target_count;
	*v = explain_write(b, x, json);
	x->q.settings = NULL;
	settings_close(&s);
	return 1;
}

int
account_has(const char *capability, struct err *e)
{
	struct toolset tools;
	int there;

	if (toolset_load(&tools, e) < 0)
		return -1;
	there = toolset_find(&tools, capability) != NULL;
	toolset_release(&tools);
	return there;
}
