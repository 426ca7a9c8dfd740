/* The talk on one connection: payloads in, heartbeats and greetings out. */
#include <string.h>

#include "discord/session_parts.h"

enum {
	READY_MS = 60 * 1000,
	APART_MS = 5500, /* between two IDENTIFY */
	INVALID_LOW_MS = 1000,
	INVALID_HIGH_MS = 5000,
};

static bool
send_text(struct session *s, bool heartbeat, int64_t now_ms)
{
	if (!pace_send(&s->pace, heartbeat, now_ms))
		return false;
	session_do(s, SESSION_SEND, 0, NULL);
	return true;
}

static bool
send_beat(struct session *s, bool due, int64_t now_ms)
{
	buf_clear(&s->text);
	handshake_beat(&s->text, s->kept.sequence);
	return send_text(s, due, now_ms);
}

void
session_beat(struct session *s, int64_t now_ms)
{
	if (s->unanswered) {
		session_drop(s, 0, "a heartbeat was not acknowledged", now_ms);
		return;
	}
	s->beat_ms = now_ms + s->interval_ms;
	s->sent_ms = now_ms;
	s->unanswered = send_beat(s, true, now_ms);
}

void
session_cool(struct session *s, int64_t age_ms, int64_t now_ms)
{
	if (age_ms >= 0 && age_ms < APART_MS)
		s->next_identify_ms = now_ms + APART_MS - age_ms;
}

/* Say who we are, or which session we had. */
static void
greet(struct session *s, int64_t now_ms)
{
	buf_clear(&s->text);
	if (s->kept.id[0]) {
		handshake_resume(&s->text, s->who.token, s->kept.id,
		    s->kept.sequence);
		s->state = SESSION_RESUMING;
		s->kept.resumes++;
		session_do(s, SESSION_SAVE, 0, NULL);
	} else {
		handshake_identify(&s->text, &s->who);
		s->state = SESSION_IDENTIFYING;
		s->limit.remaining--;
		s->next_identify_ms = now_ms + APART_MS;
	}
	s->deadline_ms = now_ms + READY_MS;
	if (s->text.len <= HANDSHAKE_SEND_MAX) {
		send_text(s, false, now_ms);
		return;
	}
	err_set(&s->why, ERR_CONFIG,
	    "DISCORD_TOKEN is too long to be one of Discord's");
	session_do(s, SESSION_CLOSE, SESSION_GONE, s->why.text);
	session_disconnect(s, now_ms);
	session_finish(s);
}

static void
hello(struct session *s, const struct payload *p, int64_t now_ms)
{
	if (s->state != SESSION_GREETING)
		return;
	s->interval_ms = handshake_interval_ms(p->data, p->len);
	if (!s->interval_ms) {
		session_drop(s, 0, "HELLO has no heartbeat_interval", now_ms);
		return;
	}
	s->beat_ms = now_ms + pace_between(&s->seed, 0, s->interval_ms);
	greet(s, now_ms);
}

/* The session is there, and this connection is for it. */
static void
rise(struct session *s, int64_t now_ms)
{
	s->state = SESSION_UP;
	s->deadline_ms = 0;
	s->lost_ms = 0;
	s->up_ms = now_ms ? now_ms : 1;
	s->kept.resumes = 0;
	s->last = NULL;
}

static void
be_ready(struct session *s, const struct payload *p, int64_t now_ms)
{
	struct err e = {0};

	if (handshake_read_ready(&s->ready, p->data, p->len, &e) < 0) {
		session_drop(s, 0, "READY names no session", now_ms);
		return;
	}
	s->kept = (struct session_kept){0};
	memcpy(s->kept.id, s->ready.id, sizeof(s->kept.id));
	memcpy(s->kept.url, s->ready.url, sizeof(s->kept.url));
	s->identified++;
	rise(s, now_ms);
}

static void
be_resumed(struct session *s, int64_t now_ms)
{
	s->resumed++;
	rise(s, now_ms);
}

static void
dispatch(struct session *s, const struct payload *p, int64_t now_ms)
{
	const enum session_state before = s->state;

	if (s->state == SESSION_RESUMING)
		s->deadline_ms = now_ms + READY_MS;
	if (s->state == SESSION_IDENTIFYING && strcmp(p->name, "READY") == 0)
		be_ready(s, p, now_ms);
	else if (s->state == SESSION_RESUMING &&
		 strcmp(p->name, "RESUMED") == 0)
		be_resumed(s, now_ms);
	if (!s->connected)
		return;
	s->before = s->kept.sequence;
	if (p->numbered && p->sequence > s->kept.sequence)
		s->kept.sequence = p->sequence;
	s->event = *p;
	session_do(s, SESSION_EVENT, 0, NULL);
	if (s->state != before)
		session_do(s, SESSION_SAVE, 0, NULL);
}

static void
invalid(struct session *s, const struct payload *p, int64_t now_ms)
{
	const bool resumable = p->len == 4 && memcmp(p->data, "true", 4) == 0;
	const int64_t wait_ms = pace_between(&s->seed, INVALID_LOW_MS,
	    INVALID_HIGH_MS);

	if (!resumable)
		session_forget(s);
	session_drop(s, wait_ms, "Discord called the session invalid", now_ms);
}

void
session_take(struct session *s, const struct payload *p, int64_t now_ms)
{
	switch (p->op) {
	case OP_DISPATCH: dispatch(s, p, now_ms); break;
	case OP_HEARTBEAT: send_beat(s, false, now_ms); break;
	case OP_RECONNECT:
		session_drop(s, 0, "Discord asked to reconnect", now_ms);
		break;
	case OP_INVALID_SESSION: invalid(s, p, now_ms); break;
	case OP_HELLO: hello(s, p, now_ms); break;
	case OP_HEARTBEAT_ACK:
		if (s->unanswered)
			s->latency_ms = now_ms - s->sent_ms;
		s->unanswered = false;
		break;
	default: break;
	}
}
