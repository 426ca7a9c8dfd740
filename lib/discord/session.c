#include "discord/session.h"

#include <assert.h>
#include <string.h>

#include "discord/closing.h"
#include "discord/session_parts.h"

enum {
	OPEN_MS = 30 * 1000,
	HELLO_MS = 20 * 1000,
	FRESH_MS = 10 * 60 * 1000,
	MISSES = 3,
};

void
session_do(struct session *s, enum session_what what, int code, const char *why)
{
	enum { STEPS = sizeof(s->steps) / sizeof(s->steps[0]) };

	assert(s->count < STEPS);
	s->steps[(s->first + s->count++) % STEPS] = (struct session_step){what,
	    code, why};
}

static void
wait_until(struct session *s, int64_t at_ms)
{
	s->state = SESSION_WAITING;
	s->until_ms = at_ms;
	s->deadline_ms = 0;
}

/* Nothing of the session may be used again. */
void
session_forget(struct session *s)
{
	if (s->kept.id[0])
		session_do(s, SESSION_SAVE, 0, NULL);
	s->kept = (struct session_kept){0};
	s->misses = 0;
	s->lost_ms = 0;
}

void
session_finish(struct session *s)
{
	s->state = SESSION_ENDED;
	s->deadline_ms = 0;
	session_do(s, SESSION_END, 0, NULL);
}

/* This connection is none any more, whatever still comes of it. */
void
session_disconnect(struct session *s, int64_t now_ms)
{
	if (s->up_ms && now_ms - s->up_ms >= SESSION_STEADY_MS)
		s->failures = 0;
	if (s->kept.id[0] && !s->lost_ms)
		s->lost_ms = now_ms;
	s->connected = false;
	s->up_ms = 0;
	s->beat_ms = 0;
	s->unanswered = false;
	s->deadline_ms = 0;
}

static void
try_again(struct session *s, int64_t least_ms, int64_t now_ms)
{
	int64_t wait_ms = pace_wait_ms(&s->seed, s->failures++);

	if (s->kept.id[0] && s->kept.resumes >= SESSION_RESUMES)
		session_forget(s);
	wait_until(s, now_ms + (wait_ms > least_ms ? wait_ms : least_ms));
}

/* Give this connection up, and begin another one. */
void
session_drop(struct session *s, int64_t least_ms, const char *why,
    int64_t now_ms)
{
	session_do(s, SESSION_CLOSE, SESSION_CLOSE_CODE, why);
	s->last = why;
	session_disconnect(s, now_ms);
	try_again(s, least_ms, now_ms);
}

static void
connect_to(struct session *s, const char *url, int64_t now_ms)
{
	s->generation++;
	s->connected = true;
	s->resuming = s->kept.id[0];
	s->state = SESSION_CONNECTING;
	s->deadline_ms = now_ms + OPEN_MS;
	s->pace = (struct pace){0};
	s->interval_ms = 0;
	buf_clear(&s->text);
	handshake_address(&s->text, url, s->compress);
	session_do(s, SESSION_CONNECT, 0, NULL);
}

static void
ask(struct session *s)
{
	s->state = SESSION_ASKING;
	session_do(s, SESSION_ASK, 0, NULL);
}

static void
identify_anew(struct session *s, int64_t now_ms)
{
	if (!s->limit.url[0] || s->limit.remaining <= 0 ||
	    now_ms - s->limit_ms > FRESH_MS)
		ask(s);
	else if (now_ms < s->next_identify_ms) {
		if (!s->last)
			s->last = "Discord wants some seconds between sessions";
		wait_until(s, s->next_identify_ms);
	} else
		connect_to(s, s->limit.url, now_ms);
}

/* The time to connect has come. */
static void
begin(struct session *s, int64_t now_ms)
{
	if (s->lost_ms && now_ms - s->lost_ms > SESSION_LOST_MS)
		session_forget(s);
	if (!s->kept.id[0])
		identify_anew(s, now_ms);
	else if (s->kept.url[0] && s->misses < MISSES)
		connect_to(s, s->kept.url, now_ms);
	else if (s->limit.url[0])
		connect_to(s, s->limit.url, now_ms);
	else
		ask(s);
}

bool
session_recall(struct session *s, const struct session_kept *kept,
    int64_t age_ms)
{
	if (!kept->id[0] || kept->sequence <= 0 || age_ms < 0 ||
	    age_ms > SESSION_KEPT_MS || kept->resumes >= SESSION_RESUMES)
		return false;
	s->kept = *kept;
	if (!handshake_safe(s->kept.url))
		s->kept.url[0] = '\0';
	return true;
}

void
session_start(struct session *s, int64_t now_ms)
{
	s->latency_ms = -1;
	s->before = s->kept.sequence;
	begin(s, now_ms);
}

void
session_answer(struct session *s, const struct handshake_limit *limit,
    int64_t now_ms)
{
	if (s->state != SESSION_ASKING)
		return;
	s->limit = *limit;
	s->limit_ms = now_ms;
	if (s->kept.id[0]) {
		begin(s, now_ms);
	} else if (limit->remaining > 0) {
		identify_anew(s, now_ms);
	} else {
		s->last = "Discord allows no more new sessions today";
		wait_until(s, now_ms + limit->reset_after_ms +
				  pace_between(&s->seed, 1000, 30000));
	}
}

void
session_no_answer(struct session *s, int64_t wait_ms, int64_t now_ms)
{
	if (s->state != SESSION_ASKING)
		return;
	s->last = "GET /gateway/bot was not answered";
	try_again(s, wait_ms, now_ms);
}

void
session_opened(struct session *s, unsigned generation, int64_t now_ms)
{
	if (!s->connected || generation != s->generation ||
	    s->state != SESSION_CONNECTING)
		return;
	s->misses = 0;
	s->state = SESSION_GREETING;
	s->deadline_ms = now_ms + HELLO_MS;
}

void
session_closed(struct session *s, unsigned generation, int code, int64_t now_ms)
{
	if (!s->connected || generation != s->generation)
		return;
	if (s->state == SESSION_CONNECTING && s->resuming)
		s->misses++;
	s->last = s->state == SESSION_CONNECTING ? "it could not connect"
						 : "the connection was closed";
	session_disconnect(s, now_ms);
	switch (closing_of(code)) {
	case CLOSING_FATAL:
		session_forget(s);
		closing_explain(code, s->who.intents, &s->why);
		session_finish(s);
		return;
	case CLOSING_IDENTIFY: session_forget(s); break;
	case CLOSING_RESUME: break;
	}
	try_again(s, 0, now_ms);
}

void
session_payload(struct session *s, unsigned generation, const char *text,
    size_t len, int64_t now_ms)
{
	struct payload p;
	struct err e = {0};

	if (!s->connected || generation != s->generation)
		return;
	if (payload_read(&p, text, len, &e) < 0)
		session_drop(s, 0, "a payload was no JSON that we know",
		    now_ms);
	else
		session_take(s, &p, now_ms);
}

/* What didn't come in time. */
static void
expire(struct session *s, int64_t now_ms)
{
	const char *why;

	switch (s->state) {
	case SESSION_CONNECTING:
		s->misses += s->resuming;
		why = "it could not connect in time";
		break;
	case SESSION_GREETING: why = "HELLO did not come"; break;
	case SESSION_IDENTIFYING: why = "READY did not come"; break;
	default: why = "RESUMED did not come"; break;
	}
	session_drop(s, 0, why, now_ms);
}

void
session_tick(struct session *s, int64_t now_ms)
{
	if (s->state == SESSION_WAITING && now_ms >= s->until_ms)
		begin(s, now_ms);
	else if (s->deadline_ms && now_ms >= s->deadline_ms)
		expire(s, now_ms);
	else if (s->beat_ms && now_ms >= s->beat_ms)
		session_beat(s, now_ms);
}

void
session_hold(struct session *s, int64_t now_ms)
{
	if (!s->connected)
		return;
	s->kept.sequence = s->before;
	s->last = "nobody takes the events";
	session_do(s, SESSION_CLOSE, SESSION_CLOSE_CODE, s->last);
	session_disconnect(s, now_ms);
	s->state = SESSION_HELD;
}

void
session_rewind(struct session *s, int64_t sequence)
{
	if (sequence < s->kept.sequence)
		s->kept.sequence = sequence;
	s->before = s->kept.sequence;
}

void
session_go_on(struct session *s, int64_t now_ms)
{
	if (s->state == SESSION_HELD)
		begin(s, now_ms);
}

void
session_stop(struct session *s, bool keep)
{
	if (s->state == SESSION_ENDED)
		return;
	if (s->connected)
		session_do(s, SESSION_CLOSE,
		    keep ? SESSION_CLOSE_CODE : SESSION_GONE, "we stop");
	s->connected = false;
	s->beat_ms = 0;
	if (!keep)
		session_forget(s);
	session_finish(s);
}

void
session_fail(struct session *s, const struct err *e)
{
	if (!s->why.kind)
		s->why = *e;
	session_stop(s, false);
}

bool
session_next(struct session *s, struct session_action *a)
{
	enum { STEPS = sizeof(s->steps) / sizeof(s->steps[0]) };
	struct session_step step;

	if (!s->count)
		return false;
	step = s->steps[s->first];
	s->first = (s->first + 1) % STEPS;
	s->count--;
	*a = (struct session_action){
	    .what = step.what,
	    .generation = s->generation,
	    .code = step.code,
	    .text = step.why,
	};
	if (step.what == SESSION_CONNECT || step.what == SESSION_SEND) {
		a->text = buf_text(&s->text);
		a->len = s->text.len;
	}
	if (step.what == SESSION_EVENT)
		a->event = &s->event;
	return true;
}

int64_t
session_due_ms(const struct session *s)
{
	int64_t due_ms = INT64_MAX;

	if (s->state == SESSION_WAITING)
		return s->until_ms;
	if (s->deadline_ms)
		due_ms = s->deadline_ms;
	if (s->beat_ms && s->beat_ms < due_ms)
		due_ms = s->beat_ms;
	return due_ms;
}

const char *
session_word(enum session_state state)
{
	static const char *const words[] = {
	    [SESSION_IDLE] = "idle",
	    [SESSION_ASKING] = "asking",
	    [SESSION_WAITING] = "waiting",
	    [SESSION_CONNECTING] = "connecting",
	    [SESSION_GREETING] = "greeting",
	    [SESSION_IDENTIFYING] = "identifying",
	    [SESSION_RESUMING] = "resuming",
	    [SESSION_UP] = "up",
	    [SESSION_HELD] = "held",
	    [SESSION_ENDED] = "ended",
	};

	return words[state];
}

void
session_release(struct session *s)
{
	buf_release(&s->text);
}
