#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "access/decide.h"
#include "core/buf.h"
#include "core/clock.h"
#include "core/crash.h"
#include "core/err.h"
#include "core/mem.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "record/approval.h"
#include "record/decision.h"
#include "runtime/batch.h"
#include "runtime/executor_inside.h"
#include "store/approval.h"
#include "store/base.h"
#include "store/runner.h"
#include "store/settings.h"
#include "tool/manifest.h"

enum { MINUTE_MS = 60000 };

static bool
is_asked(const struct deed *f)
{
	return deed_goes(f) && f->asks && !f->approved;
}

static size_t
count_items(const struct executor *x)
{
	size_t n = 0;

	for (size_t i = 0; i < x->count; i++) {
		const struct deed *f = &x->deeds[i];

		if (is_asked(f))
			n += 1 + json_count(f->proposal.items.tree);
	}
	return n;
}

/* One item for a call, or one for each thing that it does. */
static void
add_items(struct approval *a, const struct deed *f)
{
	struct approval_item item = {
	    .call = f->call->id,
	    .capability = f->call->name,
	    .tier = access_tier(f->call->name, f->call->tool->tier),
	    .confirm = f->confirm,
	    .arguments.tree = f->call->input,
	    .category = f->call->name,
	    .text = f->proposal.text,
	};
	const struct json *v = json_first(f->proposal.items.tree);
	struct proposal_item part;
	struct err e = {0};

	if (!v)
		a->items[a->count++] = item;
	for (; v; v = json_next(v)) {
		if (proposal_item_read(&part, v, &e) < 0)
			continue; /* proposal_read() let none of these in */
		item.n = part.n;
		item.category = part.category;
		item.text = part.text;
		a->items[a->count++] = item;
		item.arguments = (struct value){0};
	}
}

static void
write_text(struct buf *b, const struct executor *x)
{
	const char *between = "";

	for (size_t i = 0; i < x->count; i++) {
		const struct deed *f = &x->deeds[i];

		if (!is_asked(f))
			continue;
		buf_fmt(b, "%s%s", between, f->proposal.text);
		between = "\n";
	}
}

/* On the disk first; then it may be shown. */
static int
store(struct executor *x, const struct approval *a, struct err *e)
{
	struct store *s = x->runner->store;
	int rc = runner_write(x->runner, e);

	if (rc == 0)
		rc = approval_ask(s, a, x->context.actor.id, e);
	CRASH_POINT("executor.ask");
	if (rc == 0)
		rc = store_commit(s, e);
	CRASH_POINT("executor.ask.done");
	store_rollback(s);
	return rc;
}

static int
minutes(int64_t *n, struct err *e)
{
	struct settings s;

	if (settings_open(&s, e) < 0)
		return -1;
	*n = settings_int(&s, "approval.minutes");
	settings_close(&s);
	return 0;
}

static void
on_expired(void *ctx)
{
	struct executor *x = ctx;
	struct err e = {0};

	switch (approval_expire(x->runner->store, x->approval, &e)) {
	case 1: x->decided = true; break;
	case 0: break; /* somebody did just now: we'll be told */
	default: x->broken = e;
	}
}

/* Everything that is asked for is answered with this. */
static void
refuse_asked(struct executor *x, const struct err *why, const char *code)
{
	for (size_t i = 0; i < x->count; i++)
		if (is_asked(&x->deeds[i]))
			deed_refuse(&x->deeds[i], why, code);
}

/* Nothing is to be asked any more: to work. */
static void
go_on(struct executor *x)
{
	x->step = EXECUTOR_LOCK;
	x->at = 0;
	x->approval[0] = '\0';
	poll_stop_timer(&x->timer);
	roles_forget(&x->roles);
}

void
executor_ask(struct executor *x)
{
	struct approval a = {.id = x->approval,
	    .task = x->runner->task,
	    .turn = x->runner->turn};
	struct buf text = {0};
	struct err e = {0};
	int64_t n = 0;

	a.items = mem_array(count_items(x) + 1, sizeof(*a.items));
	for (size_t i = 0; i < x->count; i++)
		if (is_asked(&x->deeds[i])) {
			add_items(&a, &x->deeds[i]);
			a.confirm = a.confirm || x->deeds[i].confirm;
		}
	if (!a.count) {
		go_on(x);
		goto out;
	}
	id_new(x->approval);
	write_text(&text, x);
	a.text = buf_text(&text);
	if (minutes(&n, &e) < 0)
		goto out;
	a.expires_ms = clock_now_ms() + n * MINUTE_MS;
	if (store(x, &a, &e) < 0)
		goto out;
	approval_write(x->out, &a);
	x->said(x->ctx);
	x->step = EXECUTOR_ASK;
	x->decided = false;
	poll_stop_timer(&x->timer);
	x->timer = (struct poll_timer){.fire = on_expired, .ctx = x};
	poll_set_timer(x->poll, &x->timer, clock_boot_ms() + n * MINUTE_MS);
out:
	if (e.kind) {
		refuse_asked(x, &e, NULL);
		go_on(x);
	}
	buf_release(&text);
	approval_release(&a);
}

/* Which of its items were chosen: all, some (in f->items), or none. */
enum choice { CHOSE_ALL, CHOSE_SOME, CHOSE_NONE };

static enum choice
chosen(struct deed *f, const struct approval_row *row)
{
	size_t all = 0, some = 0;

	buf_clear(&f->items);
	jsonw_array(&f->items, NULL);
	for (size_t i = 0; i < row->x.count; i++) {
		if (strcmp(row->x.items[i].call, f->call->id) != 0)
			continue;
		all++;
		if (!row->chosen[i])
			continue;
		some++;
		jsonw_int(&f->items, NULL, row->x.items[i].n);
	}
	jsonw_end_array(&f->items);
	if (some && some < all)
		return CHOSE_SOME;
	buf_clear(&f->items);
	return some ? CHOSE_ALL : CHOSE_NONE;
}

static void
approve(struct executor *x, const struct approval_row *row)
{
	struct err left = {0};

	err_set(&left, ERR_DENIED,
	    "the person approved other changes, and not this one; nothing of "
	    "it was done");
	for (size_t i = 0; i < x->count; i++) {
		struct deed *f = &x->deeds[i];

		if (!is_asked(f))
			continue;
		if (chosen(f, row) == CHOSE_NONE) {
			deed_refuse(f, &left, "denied");
			continue;
		}
		f->approved = true;
		f->confirmed = f->confirm;
		memcpy(f->approval, x->approval, sizeof(f->approval));
	}
}

/* What is not approved, each in words of its own. */
static void
disapprove(struct executor *x, const struct approval_row *row)
{
	struct err e = {0};

	switch (row->verdict) {
	case VERDICT_CORRECT:
		buf_fmt(&x->correction, "%s\n", row->remark);
		err_set(&e, ERR_DENIED,
		    "the person did not approve this and says what to do "
		    "instead; nothing was done");
		refuse_asked(x, &e, "corrected");
		return;
	case VERDICT_STOP:
		x->stop = true;
		x->step = EXECUTOR_LOCK; /* it is decided, and told */
		executor_skip(x, "the person stopped the task");
		return;
	case VERDICT_EXPIRED:
		x->lapsed = true;
		err_set(&e, ERR_APPROVAL,
		    "nobody decided in time whether this may be done. That is "
		    "no denial; nothing was done");
		refuse_asked(x, &e, "expired");
		return;
	case VERDICT_INVALID:
		x->lapsed = true;
		err_set(&e, ERR_APPROVAL,
		    "nobody could be asked whether this may be done; nothing "
		    "was done");
		refuse_asked(x, &e, "unasked");
		return;
	case VERDICT_DENY:
	case VERDICT_APPROVE: break;
	}
	err_set(&e, ERR_DENIED,
	    "the person denied this; nothing was done. Don't ask for it again, "
	    "or for the same in another way: go on without it, or ask what they "
	    "want");
	refuse_asked(x, &e, "denied");
}

static void
tell(struct executor *x, enum decision_verdict verdict, const char *by)
{
	decision_write(x->out, &(struct decision){.approval = x->approval,
				   .verdict = verdict,
				   .by = by});
	x->said(x->ctx);
}

void
executor_heard(struct executor *x)
{
	struct approval_row row = {0};

	if (!x->decided)
		return;
	x->decided = false;
	if (approval_find(&row, x->runner->store, x->approval, NULL,
		&x->broken) == 0 &&
	    row.decided) {
		tell(x, row.verdict, row.decider);
		if (row.verdict == VERDICT_APPROVE)
			approve(x, &row);
		else
			disapprove(x, &row);
		if (executor_busy(x))
			go_on(x);
	}
	approval_drop(&row);
}

/* What was asked is of no interest any more, and nobody can decide it. */
void
executor_unask(struct executor *x)
{
	struct store *s = x->runner->store;
	struct approval_row row = {0};
	struct err e = {0};
	int rc = runner_write(x->runner, &e);

	if (rc == 0 && approval_void(s, x->runner->task, &e) < 0)
		rc = -1;
	CRASH_POINT("executor.unask");
	if (rc == 0)
		rc = store_commit(s, &e);
	CRASH_POINT("executor.unask.done");
	store_rollback(s);
	if (rc == 0)
		rc = approval_find(&row, s, x->approval, NULL, &e);
	if (rc < 0)
		x->broken = e;
	else /* it may have been decided just before */
		tell(x, row.verdict, row.decider);
	approval_drop(&row);
}
