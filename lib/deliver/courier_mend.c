#include "deliver/courier_mend.h"

#include <stdbool.h>

#include "core/crash.h"
#include "core/err.h"
#include "core/mem.h"
#include "deliver/courier.h"
#include "deliver/deliver.h"
#include "deliver/plan.h"
#include "store/base.h"
#include "store/letter.h"
#include "store/parcel.h"

static int
forget_token(struct courier *c, struct err *e)
{
	struct store *s = c->owner->tasks;
	int rc = -1;

	mem_drop(c->parcel.token);
	c->parcel.token = NULL;
	CRASH_POINT("courier.drop-token");
	if (store_begin(s, e) == 0 &&
	    parcel_drop_token(s, c->parcel.turn, e) == 0)
		rc = store_commit(s, e);
	CRASH_POINT("courier.drop-token.done");
	return rc;
}

/* Begin again with other letters: the first one was refused as it is. */
static int
plan_anew(struct courier *c, struct err *e)
{
	struct store *s = c->owner->tasks;
	int rc = -1;

	c->no_files = true;
	c->letter.k = 0;
	CRASH_POINT("courier.plan-anew");
	if (store_begin(s, e) == 0 && letters_drop(s, c->parcel.id, e) == 0 &&
	    plan_letters(s, &c->parcel, &c->wording.text, PLAN_PLAIN, e) == 0)
		rc = store_commit(s, e);
	CRASH_POINT("courier.plan-anew.done");
	return rc;
}

int
courier_mend(struct courier *c, enum setback what, struct err *e)
{
	bool hook = c->way != WAY_CHANNEL;

	switch (what) {
	case SETBACK_TOKEN: return hook ? (forget_token(c, e) < 0 ? -1 : 1) : 0;
	case SETBACK_REPLY:
		if (c->no_reply)
			return 0;
		c->no_reply = true;
		return 1;
	case SETBACK_FILE:
		if (c->no_files || (c->parcel.hidden && !c->parcel.direct))
			return 0;
		return plan_anew(c, e) < 0 ? -1 : 1;
	case SETBACK_CHANNEL:
		if (hook || c->hooks || !c->parcel.token || c->letter.k == 1)
			return 0;
		c->hooks = true;
		return 1;
	case SETBACK_FINAL: break;
	}
	return 0;
}

int
courier_withhold(struct courier *c, const char *why, struct err *e)
{
	struct store *s = c->owner->tasks;
	struct parcel p = c->parcel;
	struct wording w = {0};
	int result = -1;

	p.withheld = why;
	wording_withheld(&w, &p);
	CRASH_POINT("courier.withhold");
	if (store_begin(s, e) == 0 && letters_drop(s, p.id, e) == 0 &&
	    parcel_withhold(s, p.id, why, e) == 0 &&
	    plan_letters(s, &p, &w.text, PLAN_PLAIN, e) == 0)
		result = store_commit(s, e);
	CRASH_POINT("courier.withhold.done");
	if (result < 0) {
		wording_release(&w);
		return -1;
	}
	wording_release(&c->wording);
	c->wording = w;
	c->parcel.withheld = mem_dup(why);
	c->letter.k = 0;
	return 0;
}
