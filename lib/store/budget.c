#include "store/budget.h"

#include <stdint.h>
#include <string.h>

#include "core/buf.h"
#include "core/clock.h"
#include "core/err.h"
#include "ext/num.h"
#include "store/base.h"
#include "store/ledger.h"
#include "store/settings.h"

enum { DAY_MS = 86400000 };

static int
add(struct num *sum, const char *text, struct err *e)
{
	struct num *n = num_new();
	int rc = num_read(n, text, strlen(text), e);

	if (rc == 0)
		rc = num_add(sum, n, e);
	num_free(n);
	return rc;
}

/* What was spent today, by one person or, with NULL, by all. */
static int
spent_today(struct store *s, const char *actor, struct num *sum, struct err *e)
{
	const int64_t now_ms = clock_now_ms();
	const struct ledger_filter today = {
	    .actor = actor,
	    .from_ms = now_ms - now_ms % DAY_MS,
	    .to_ms = INT64_MAX,
	};
	struct ledger_scan scan = {0};
	struct ledger_row r;
	int row;

	ledger_list(&scan, s, &today);
	while ((row = ledger_next(&scan, &r, e)) > 0)
		if (r.cost && add(sum, r.cost, e) < 0) {
			row = -1;
			break;
		}
	ledger_end(&scan);
	return row;
}

static int
check(struct store *s, const char *limit, const char *actor, struct buf *why,
    struct err *e)
{
	struct num *sum, *most;
	int rc;

	if (!*limit)
		return 1;
	sum = num_new();
	most = num_new();
	rc = add(most, limit, e);
	if (rc == 0)
		rc = spent_today(s, actor, sum, e);
	if (rc == 0)
		rc = num_compare(sum, most) < 0;
	if (rc == 0)
		buf_fmt(why,
		    "The budget of %s US dollars a day for %s is used up.",
		    limit, actor ? "one person" : "all together");
	num_free(sum);
	num_free(most);
	return rc;
}

int
budget_left(struct store *s, const char *actor, struct buf *why, struct err *e)
{
	struct settings settings;
	int rc;

	if (settings_open(&settings, e) < 0)
		return -1;
	rc = check(s, settings_text(&settings, "budget.installation"), NULL,
	    why, e);
	if (rc > 0 && actor)
		rc = check(s, settings_text(&settings, "budget.actor"), actor,
		    why, e);
	settings_close(&settings);
	return rc;
}
