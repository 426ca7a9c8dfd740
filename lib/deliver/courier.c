#include "deliver/courier.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "access/outcome.h"
#include "core/clock.h"
#include "core/crash.h"
#include "core/err.h"
#include "core/id.h"
#include "core/log.h"
#include "deliver/courier_mend.h"
#include "deliver/courier_send.h"
#include "deliver/deliver.h"
#include "deliver/setback.h"
#include "store/base.h"

enum { WAIT_MS = 1000, WAIT_LONGEST_MS = 300000 };

static void step(struct courier *c);

static void
on_again(void *ctx)
{
	struct courier *c = ctx;

	c->waits = false;
	if (c->planned)
		step(c);
	else
		courier_go(c);
}

/* Later, twice as late each time, up to a quarter less. */
static void
later(struct courier *c)
{
	int64_t ms = c->wait_ms ? c->wait_ms * 2 : WAIT_MS;

	if (ms > WAIT_LONGEST_MS)
		ms = WAIT_LONGEST_MS;
	c->wait_ms = ms;
	ms -= (int64_t)(id_random() % (uint64_t)(ms / 4));
	c->waits = true;
	c->again.fire = on_again;
	c->again.ctx = c;
	poll_set_timer(c->owner->poll, &c->again, clock_boot_ms() + ms);
	deliver_again(c->owner); /* another one may go */
}

/* The store can't be written: later, if that may help. */
static void
trouble(struct courier *c, struct err *e)
{
	store_rollback(c->owner->tasks);
	if (e->kind == ERR_AGAIN)
		later(c);
	else
		deliver_fail(c->owner, e);
}

static void
warn(const struct courier *c, enum parcel_state state, const char *why)
{
	if (state != PARCEL_DELIVERED)
		log_warn("task %s: %s: %s", c->parcel.task,
		    state == PARCEL_FAILED
			? "its outcome can't be delivered"
			: "it is not known whether its outcome arrived",
		    why);
}

static void
end(struct courier *c, enum parcel_state state, const char *why)
{
	struct store *s = c->owner->tasks;
	struct err e = {0};

	CRASH_POINT("courier.end");
	if (store_begin(s, &e) < 0 ||
	    parcel_settle(s, c->parcel.id, state, why, &e) < 0 ||
	    store_commit(s, &e) < 0) {
		trouble(c, &e);
		return;
	}
	CRASH_POINT("courier.end.done");
	warn(c, state, why);
	c->over = true;
	c->owner->moves++;
	deliver_again(c->owner);
}

static void
delivered(struct courier *c, const char *message)
{
	struct store *s = c->owner->tasks;
	struct err e = {0};

	CRASH_POINT("courier.delivered");
	if (store_begin(s, &e) < 0 ||
	    letter_done(s, c->parcel.id, c->letter.k, LETTER_DELIVERED, message,
		NULL, &e) < 0 ||
	    store_commit(s, &e) < 0) {
		trouble(c, &e);
		return;
	}
	CRASH_POINT("courier.delivered.done");
	c->letter.state = LETTER_DELIVERED;
	c->owner->moves++;
	c->wait_ms = 0;
	step(c);
}

/* The parcel ends with a letter that did not arrive, or may have. */
static void
give_up(struct courier *c, bool known, const char *why)
{
	enum parcel_state state = known ? PARCEL_FAILED : PARCEL_UNKNOWN;
	struct store *s = c->owner->tasks;
	struct err e = {0};
	char whole[480];

	snprintf(whole, sizeof(whole), "%s", why);
	if (c->count > 1)
		snprintf(whole, sizeof(whole),
		    "part %" PRId64 " of %" PRId64 ": %.400s", c->letter.k,
		    c->count, why);
	CRASH_POINT("courier.give-up");
	if (store_begin(s, &e) < 0 ||
	    letter_done(s, c->parcel.id, c->letter.k,
		known ? LETTER_FAILED : LETTER_UNKNOWN, NULL, why, &e) < 0 ||
	    parcel_settle(s, c->parcel.id, state, whole, &e) < 0 ||
	    store_commit(s, &e) < 0) {
		trouble(c, &e);
		return;
	}
	CRASH_POINT("courier.give-up.done");
	warn(c, state, whole);
	c->over = true;
	c->owner->moves++;
	deliver_again(c->owner);
}

/* Nothing came of it this time; an earlier time may be in doubt still. */
static void
not_sent(struct courier *c)
{
	c->letter.state = c->doubt ? LETTER_SENT : LETTER_PENDING;
}

static void
on_refused(struct courier *c)
{
	enum setback what = setback_of(&c->call, c->way != WAY_CHANNEL,
	    c->letter.file);
	struct err e = {0};
	char why[400];
	int rc;

	not_sent(c);
	setback_reason(why, sizeof(why), &c->call);
	rc = courier_mend(c, what, &e);
	if (rc < 0) {
		trouble(c, &e);
	} else if (rc > 0) {
		step(c);
	} else {
		give_up(c, c->letter.state == LETTER_PENDING, why);
	}
}

/* Discord said no; a 401 behind an interaction's token is about that alone. */
static bool
is_refused(const struct courier *c)
{
	enum err_kind kind = c->call.verdict.kind;

	return c->call.end == REST_ANSWERED &&
	       (kind == ERR_REFUSED ||
		   (kind == ERR_CONFIG && c->way != WAY_CHANNEL));
}

static void
on_sent(void *ctx)
{
	struct courier *c = ctx;
	const struct rest_call *call = &c->call;
	char message[24] = "";
	struct err e = {0};

	if (call->end == REST_ANSWERED && !call->verdict.kind)
		courier_sent_id(message, sizeof(message), c);
	CRASH_POINT("courier.sent");
	if (*message) {
		delivered(c, message);
	} else if (is_refused(c)) {
		on_refused(c);
	} else if (call->verdict.kind == ERR_CONFIG) {
		err_set(&e, ERR_CONFIG, "%s", call->verdict.text);
		deliver_fail(c->owner, &e);
	} else { /* also an answer that names no message */
		if (call->end == REST_UNSENT)
			not_sent(c);
		later(c);
	}
}

/* Those who would read it may not. What is in doubt already stays so. */
static void /* NOLINTNEXTLINE(misc-no-recursion): withheld once */
withhold(struct courier *c, const char *why)
{
	char reason[480];
	struct err e = {0};

	snprintf(reason, sizeof(reason), "it is kept back: %.400s", why);
	if (c->letter.state == LETTER_SENT || c->letter.k > 1)
		give_up(c, c->letter.state != LETTER_SENT, reason);
	else if (courier_withhold(c, why, &e) < 0)
		trouble(c, &e);
	else
		step(c);
}

/* May it be said there, as things are now? If not, that is dealt with. */
static bool /* NOLINTNEXTLINE(misc-no-recursion): withheld once */
is_allowed(struct courier *c)
{
	const struct parcel *p = &c->parcel;
	bool alone = p->hidden || p->direct;
	struct err e = {0};

	if (p->withheld || outcome_check(c->owner->tasks, p->task,
			       alone ? NULL : p->channel, &e) == 0)
		return true;
	if (!c->asked_ms)
		c->asked_ms = clock_boot_ms();
	if (e.kind == ERR_DENIED ||
	    clock_boot_ms() - c->asked_ms > COURIER_UNSURE_MS) {
		withhold(c, e.text);
	} else {
		log_warn("task %s: its outcome waits: %s", p->task, e.text);
		later(c);
	}
	return false;
}

static void /* NOLINTNEXTLINE(misc-no-recursion): withheld once */
send_letter(struct courier *c)
{
	struct store *s = c->owner->tasks;
	struct err e = {0};
	bool anew = c->letter.state == LETTER_PENDING;

	if (!is_allowed(c))
		return;
	CRASH_POINT("courier.sending");
	if (store_begin(s, &e) < 0 ||
	    letter_sending(s, c->parcel.id, c->letter.k, anew, &e) < 0 ||
	    store_commit(s, &e) < 0) {
		trouble(c, &e);
		return;
	}
	CRASH_POINT("courier.sending.done");
	if (anew)
		c->letter.first_ms = clock_now_ms();
	c->doubt = !anew;
	c->letter.state = LETTER_SENT;
	c->call.ended = on_sent;
	c->call.ctx = c;
	if (courier_send(c, c->owner->rest, &e) == 0)
		return;
	not_sent(c);
	later(c);
}

static void
on_traced(void *ctx)
{
	struct courier *c = ctx;
	struct err e = {0};

	switch (c->trace.end) {
	case TRACE_FOUND: delivered(c, c->trace.message); break;
	case TRACE_ABSENT:
		c->letter.state = LETTER_PENDING;
		send_letter(c);
		break;
	case TRACE_UNSEEN: give_up(c, false, c->trace.why); break;
	case TRACE_STOP:
		err_set(&e, ERR_CONFIG, "%s", c->trace.why);
		deliver_fail(c->owner, &e);
		break;
	default: later(c);
	}
}

static void
trace_letter(struct courier *c)
{
	struct err e = {0};

	if (courier_trace(c, on_traced, &e) < 0)
		later(c);
}

static bool
token_good(const struct courier *c)
{
	return c->parcel.token &&
	       clock_now_ms() + COURIER_TOKEN_MS < c->parcel.until_ms;
}

/* Is its nonce too old, or no guard, for what may be there already? */
static bool
in_doubt(const struct courier *c)
{
	if (c->letter.state != LETTER_SENT || c->way == WAY_ORIGINAL)
		return false;
	if (c->way == WAY_FOLLOWUP ||
	    (c->letter.k == 1 && c->parcel.application))
		return true;
	return clock_now_ms() >= c->letter.first_ms + COURIER_NONCE_MS;
}

static void /* NOLINTNEXTLINE(misc-no-recursion): withheld once */
carry(struct courier *c)
{
	bool good = token_good(c);

	c->way = good && c->letter.k == 1 ? WAY_ORIGINAL
		 : good && c->hooks       ? WAY_FOLLOWUP
					  : WAY_CHANNEL;
	if (c->way == WAY_CHANNEL && c->parcel.hidden && !c->parcel.direct)
		give_up(c, c->letter.state != LETTER_SENT,
		    "it is for one person alone, and the time to answer them "
		    "unseen by others is over");
	else if (in_doubt(c))
		trace_letter(c);
	else
		send_letter(c);
}

/* Go on with the first letter that is not delivered; or end. */
static void /* NOLINTNEXTLINE(misc-no-recursion): withheld once */
step(struct courier *c)
{
	struct err e = {0};
	int row;

	if (c->letter.k && c->letter.state != LETTER_DELIVERED) {
		carry(c);
		return;
	}
	row = courier_next(c, &e);
	if (row < 0)
		trouble(c, &e);
	else if (row == 0)
		end(c, c->parcel.withheld ? PARCEL_FAILED : PARCEL_DELIVERED,
		    c->parcel.withheld);
	else
		carry(c);
}

void
courier_go(struct courier *c)
{
	struct store *s = c->owner->tasks;
	struct err e = {0};
	int rc = 0;

	if (c->parcel.withheld)
		wording_withheld(&c->wording, &c->parcel);
	else
		rc = wording_of(&c->wording, &c->parcel, &e);
	if (rc < 0) { /* our own record: that is a bug, but not of the others */
		end(c, PARCEL_FAILED, e.text);
		return;
	}
	rc = courier_planned(c, &e);
	CRASH_POINT("courier.plan");
	if (rc == 0 && (store_begin(s, &e) < 0 ||
			   plan_letters(s, &c->parcel, &c->wording.text,
			       PLAN_FULL, &e) < 0 ||
			   store_commit(s, &e) < 0))
		rc = -1;
	CRASH_POINT("courier.plan.done");
	c->planned = rc >= 0;
	if (rc < 0)
		trouble(c, &e);
	else
		step(c);
}
