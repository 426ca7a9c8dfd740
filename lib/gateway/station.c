#include "gateway/station.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/buf.h"
#include "core/clock.h"
#include "core/err.h"
#include "core/log.h"
#include "gateway/pulse.h"
#include "store/spool_state.h"

enum {
	RETRY_FIRST_MS = 2000,
	RETRY_LAST_MS = 60 * 1000,
	SOON_MS = 1000,  /* guilds come one by one after READY */
	FLUSH_MS = 2000, /* for who reads stdout, at the end */
};

/* Why it is not up, NULL if it is or nobody knows. */
static const char *
reason_of(struct station *s)
{
	const struct session *session = &s->gateway.session;

	if (session->why.kind)
		return session->why.text;
	if (session->state == SESSION_HELD)
		return s->gateway.held.text;
	if (session->state == SESSION_UP || !session->last)
		return NULL;
	if (session->state != SESSION_WAITING || !s->gateway.lost[0])
		return session->last;
	snprintf(s->reason, sizeof(s->reason), "%s: %s", session->last,
	    s->gateway.lost);
	return s->reason;
}

/* What the session says of itself, and the events said of it. */
static void
look(struct station *s)
{
	const struct session *session = &s->gateway.session;
	struct gateway_status *x = &s->status;
	const bool waits = session->state == SESSION_WAITING;

	x->at_ms = clock_now_ms();
	if (session->state != s->shown || !x->since_ms)
		x->since_ms = x->at_ms;
	s->shown = session->state;
	x->shard = s->gateway.shard;
	x->pid = (int)getpid();
	x->state = session_word(session->state);
	x->reason = reason_of(s);
	x->user = session->ready.user[0] ? session->ready.user : NULL;
	x->until_ms = waits ? x->at_ms + session->until_ms - clock_boot_ms()
			    : 0;
	x->latency_ms = session->latency_ms;
	x->identified = session->identified;
	x->resumed = session->resumed;
	x->failed = session->kept.resumes;
	x->number = s->outlet.spool.number;
	x->sequence = session->kept.sequence;
}

/* While another gateway spools this shard, the file is about that one. */
static bool
is_guest(const struct station *s)
{
	struct spool_state spool = {0};
	struct err why = {0};
	bool guest;

	guest = !s->outlet.spooled &&
		spool_state_read(&spool, s->gateway.shard, &why) == 0 &&
		spool.writing;
	spool_state_release(&spool);
	return guest;
}

static void
tell(struct station *s)
{
	struct err e = {0};

	look(s);
	if (!is_guest(s) && pulse_write(&s->status, &e) < 0 &&
	    !s->failed_to_tell)
		log_complain(&e);
	s->failed_to_tell = e.kind;
	if (s->told)
		s->told(s->ctx, &s->status);
}

static void
on_report(void *ctx)
{
	struct station *s = ctx;

	tell(s);
	poll_set_timer(&s->poll, &s->report,
	    clock_boot_ms() +
		(s->report_ms ? s->report_ms : STATION_REPORT_MS));
}

/* Try again when there may be room, and less and less often. */
static void
wait_for_room(struct station *s)
{
	poll_set_timer(&s->poll, &s->retry, clock_boot_ms() + s->retry_ms);
	s->retry_ms *= 2;
	if (s->retry_ms > RETRY_LAST_MS)
		s->retry_ms = RETRY_LAST_MS;
}

static void
on_retry(void *ctx)
{
	struct station *s = ctx;

	if (outlet_room(&s->outlet))
		gateway_go_on(&s->gateway);
	else
		wait_for_room(s);
}

static void
on_changed(void *ctx)
{
	struct station *s = ctx;
	const struct session *session = &s->gateway.session;

	if (!session->kept.id[0] && s->outlet.spool.session)
		outlet_session(&s->outlet, NULL, NULL);
	if (session->state == SESSION_HELD && s->shown != SESSION_HELD)
		wait_for_room(s);
	if (session->state == SESSION_UP && s->shown != SESSION_UP)
		poll_set_timer(&s->poll, &s->report, clock_boot_ms() + SOON_MS);
	tell(s);
}

/* Guilds come one by one after READY, and later when the bot is invited. */
static void
count_guilds(struct station *s, const struct payload *p)
{
	const struct session *session = &s->gateway.session;
	struct gateway_status *x = &s->status;

	if (strcmp(p->name, "READY") == 0) {
		x->guilds = (int64_t)session->ready.guilds;
		s->arrived = 0;
	} else if (strcmp(p->name, "GUILD_CREATE") == 0) {
		s->arrived++;
		if (s->arrived > x->guilds)
			x->guilds = s->arrived;
	} else if (strcmp(p->name, "GUILD_DELETE") == 0) {
		s->arrived -= s->arrived > 0;
		if (!strstr(p->data, "\"unavailable\":true") && x->guilds)
			x->guilds--;
	}
}

static int
on_event(void *ctx, const struct payload *p, struct err *e)
{
	struct station *s = ctx;
	const struct session_kept *kept = &s->gateway.session.kept;

	if (outlet_put(&s->outlet, p, e) < 0) {
		if (e->kind != ERR_INPUT)
			return -1;
		log_complain(e); /* it would never fit: go on without it */
		return 0;
	}
	s->retry_ms = RETRY_FIRST_MS;
	s->status.events++;
	if (strcmp(p->name, "READY") == 0)
		outlet_session(&s->outlet, kept->id, kept->url);
	if (p->name[0] == 'G' || p->name[0] == 'R')
		count_guilds(s, p);
	return 0;
}

static void
on_frame(void *ctx, const char *text, size_t len)
{
	struct station *s = ctx;
	struct err e = {0};

	if (recorder_add(&s->recorder, text, len, &e) < 0)
		log_complain(&e);
}

/* The spool took events back: Discord must send them again. */
static void
on_failed(void *ctx, const struct err *why)
{
	struct station *s = ctx;
	const struct spool *spool = &s->outlet.spool;
	const char *id = s->gateway.session.kept.id;
	const bool same = spool->session && strcmp(spool->session, id) == 0;

	gateway_lost(&s->gateway, same ? spool->sequence : 0, why);
}

static void
on_signal(void *ctx, int sig)
{
	struct station *s = ctx;

	(void)sig;
	signals_stop(&s->signals); /* a second one ends us at once */
	gateway_stop(&s->gateway, s->outlet.spooled);
}

/* Resume where the last process was, if it is not too long ago. */
static void
begin(struct station *s)
{
	const struct spool *spool = &s->outlet.spool;
	struct session_kept kept = {.sequence = spool->sequence};
	struct pulse before = {0};
	const bool known = pulse_read(&before, s->gateway.shard);
	const int64_t age_ms = known ? clock_now_ms() - before.at_ms : -1;

	if (!s->outlet.spooled || !spool->session ||
	    strlen(spool->session) >= sizeof(kept.id) ||
	    strlen(spool->url) >= sizeof(kept.url)) {
		gateway_start(&s->gateway, NULL, age_ms);
		return;
	}
	memcpy(kept.id, spool->session, strlen(spool->session) + 1);
	memcpy(kept.url, spool->url, strlen(spool->url) + 1);
	kept.resumes = known ? before.failed : 0;
	s->status.guilds = s->arrived = before.guilds;
	gateway_start(&s->gateway, &kept, age_ms);
}

static int
open_all(struct station *s, struct err *e)
{
	s->retry_ms = RETRY_FIRST_MS;
	s->retry = (struct poll_timer){.fire = on_retry, .ctx = s};
	s->report = (struct poll_timer){.fire = on_report, .ctx = s};
	s->signals.got = on_signal;
	s->signals.ctx = s;
	s->outlet.failed = on_failed;
	s->outlet.ctx = s;
	s->outlet.shard = s->gateway.shard;
	s->gateway.event = on_event;
	s->gateway.changed = on_changed;
	s->gateway.ctx = s;
	if (s->record) {
		s->gateway.frame = on_frame;
		if (recorder_open(&s->recorder, s->record, e) < 0)
			return -1;
	}
	if (outlet_open(&s->outlet, &s->poll, e) < 0 ||
	    gateway_open(&s->gateway, &s->poll, e) < 0)
		return -1;
	return signals_start(&s->signals, &s->poll, e);
}

static int
run(struct station *s, struct err *e)
{
	begin(s);
	on_report(s);
	while (!gateway_over(&s->gateway)) {
		if (gateway_step(&s->gateway, POLL_NEVER, e) < 0)
			return -1;
		if (outlet_gone(&s->outlet))
			gateway_stop(&s->gateway, false);
	}
	return 0;
}

/* Who reads stdout gets what is left, if it is not slow. */
static int
flush(struct station *s, struct err *e)
{
	const int64_t until_ms = clock_boot_ms() + FLUSH_MS;

	while (outlet_busy(&s->outlet) && clock_boot_ms() < until_ms)
		if (poll_step(&s->poll, until_ms, e) < 0)
			return -1;
	return 0;
}

int64_t
station_run(struct station *s, struct err *e)
{
	struct err late = {0};
	int64_t result = -1;

	if (open_all(s, e) == 0 && run(s, e) == 0 && flush(s, e) == 0) {
		*e = s->gateway.session.why;
		result = e->kind ? -1 : s->status.events;
	}
	poll_stop_timer(&s->retry);
	poll_stop_timer(&s->report);
	gateway_close(&s->gateway);
	if (outlet_close(&s->outlet, &late) < 0 ||
	    recorder_close(&s->recorder, &late) < 0) {
		if (!e->kind)
			*e = late;
		result = -1;
	}
	signals_stop(&s->signals);
	poll_release(&s->poll);
	return result;
}
