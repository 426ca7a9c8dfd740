#include "runtime/executor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "ext/json.h"
#include "runtime/batch.h"
#include "runtime/executor_inside.h"

bool
deed_goes(const struct deed *f)
{
	return f->record && !f->ended;
}

void
deed_refuse(struct deed *f, const struct err *why, const char *code)
{
	f->ended = true;
	batch_write_error(f->call, why, code);
	batch_end(f->call);
}

void
deed_skip(struct deed *f, const char *why)
{
	struct err e = {0};

	err_set(&e, ERR_REFUSED, "skipped: %s", why);
	f->call->skipped = true;
	deed_refuse(f, &e, NULL);
}

void
executor_take(struct executor *x, struct batch_call *calls, size_t count)
{
	x->deeds = mem_array(count, sizeof(*x->deeds));
	x->count = count;
	x->at = 0;
	x->looks = x->halted = false;
	x->roles.kit = x->kit;
	x->roles.crew = x->crew;
	for (size_t i = 0; i < count; i++) {
		struct deed *f = &x->deeds[i];
		const char *dot = strrchr(calls[i].id, '.');

		f->executor = x;
		f->call = &calls[i];
		f->n = dot ? strtoll(dot + 1, NULL, 10) : 0;
		nonce_make(f->nonce, calls[i].id);
	}
	x->step = EXECUTOR_LOOK;
}

static void
let_go(struct executor *x)
{
	for (size_t i = 0; i < x->count; i++) {
		struct deed *f = &x->deeds[i];

		crew_cancel(&f->job);
		json_free(f->record);
		buf_release(&f->items);
	}
	free(x->deeds);
	x->deeds = NULL;
	x->count = 0;
	x->step = EXECUTOR_IDLE;
	roles_forget(&x->roles);
	poll_stop_timer(&x->timer);
	lock_drop(&x->lock);
}

void
executor_go(struct executor *x)
{
	bool more = true;

	while (more && !x->broken.kind) {
		switch (x->step) {
		case EXECUTOR_LOOK: more = executor_look(x); break;
		case EXECUTOR_ASK:
			executor_heard(x);
			more = x->step != EXECUTOR_ASK;
			break;
		case EXECUTOR_LOCK: more = executor_dispatch(x); break;
		case EXECUTOR_ACT:
		case EXECUTOR_IDLE: more = false;
		}
		if (x->step == EXECUTOR_LOCK && x->at == x->count)
			let_go(x);
	}
}

void
executor_decision(struct executor *x)
{
	x->decided = true;
}

bool
executor_busy(const struct executor *x)
{
	return x->step != EXECUTOR_IDLE;
}

bool
executor_acts(const struct executor *x)
{
	return x->step == EXECUTOR_ACT;
}

void
executor_skip(struct executor *x, const char *why)
{
	const bool acts = executor_acts(x);

	if (x->step == EXECUTOR_ASK)
		executor_unask(x);
	x->halted = true;
	for (size_t i = acts ? x->at + 1 : 0; i < x->count; i++)
		if (!x->deeds[i].ended) {
			crew_cancel(&x->deeds[i].job);
			deed_skip(&x->deeds[i], why);
		}
	if (!acts)
		let_go(x);
}

void
executor_lose(struct executor *x)
{
	const struct deed *f = executor_acts(x) ? &x->deeds[x->at] : NULL;

	if (f)
		buf_fmt(&x->doubt, "- %s (call %s): it was interrupted\n",
		    f->proposal.text, f->call->id);
	let_go(x);
}

void
executor_release(struct executor *x)
{
	let_go(x);
	buf_release(&x->correction);
	buf_release(&x->doubt);
}
