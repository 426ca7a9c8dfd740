#ifndef SESSION_PLAY_H
#define SESSION_PLAY_H
/*
 * A session with Discord, told what happens step by step: each row is what
 * happens and what the session then wants done. "tick" goes to the moment that
 * the session waits for; "+N" lets N ms pass.
 */
#include "discord/session.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tap.h"

struct row {
	const char *in, *out;
};

struct play {
	struct session s;
	struct handshake_limit limit;
	struct buf out;
	int64_t now_ms;
	bool full; /* nobody takes an event */
};

static inline int
number(const char *text)
{
	return (int)strtol(text, NULL, 10);
}

static inline struct play
open_play(void)
{
	struct play p = {
	    .s = {.who = {.token = "t0ken", .intents = 513}, .seed = 7},
	    .limit = {.url = "wss://first.example",
		.remaining = 1000,
		.reset_after_ms = 3600000,
		.max_concurrency = 1},
	    .now_ms = 1000000,
	};

	return p;
}

/* What of a payload that is sent matters: its op, and of a RESUME the rest. */
static inline void
note_sent(struct play *p, const char *text)
{
	const char *op = strstr(text, "\"op\":");
	const char *seq = strstr(text, "\"seq\":");

	buf_fmt(&p->out, " send %d", op ? number(op + 5) : -1);
	if (seq)
		buf_fmt(&p->out, " from %d", number(seq + 6));
	if (strstr(text, "\"op\":1,"))
		buf_fmt(&p->out, " at %s", strstr(text, "\"d\":") + 4);
}

static inline void
note(struct play *p, const struct session_action *a)
{
	switch (a->what) {
	case SESSION_ASK: buf_str(&p->out, " ask"); break;
	case SESSION_CONNECT:
		buf_fmt(&p->out, " connect %.*s",
		    (int)strcspn(a->text + 6, ".:/"), a->text + 6);
		break;
	case SESSION_SEND: note_sent(p, a->text); break;
	case SESSION_CLOSE: buf_fmt(&p->out, " close %d", a->code); break;
	case SESSION_EVENT:
		if (p->full) {
			buf_str(&p->out, " refuse");
			session_hold(&p->s, p->now_ms);
			break;
		}
		buf_fmt(&p->out, " %s", a->event->name);
		break;
	case SESSION_SAVE:
		buf_str(&p->out, p->s.kept.id[0] ? " save" : " forget");
		break;
	case SESSION_END: buf_str(&p->out, " end"); break;
	}
}

static inline void
drain(struct play *p)
{
	struct session_action a;

	while (session_next(&p->s, &a))
		note(p, &a);
}

static inline void
say(struct play *p, const char *text)
{
	session_payload(&p->s, p->s.generation, text, strlen(text), p->now_ms);
}

static inline void
say_event(struct play *p, int sequence)
{
	char text[80];

	snprintf(text, sizeof(text),
	    "{\"op\":0,\"t\":\"EVENT\",\"s\":%d,\"d\":{}}", sequence);
	say(p, text);
}

static const char hello[] =
    "{\"t\":null,\"s\":null,\"op\":10,\"d\":{\"heartbeat_interval\":40000}}";
static const char ready[] =
    "{\"t\":\"READY\",\"s\":1,\"op\":0,\"d\":{\"v\":10,\"session_id\":\"abc\","
    "\"user\":{\"username\":\"sophia\"},\"guilds\":[{},{}],"
    "\"resume_gateway_url\":\"wss://again.example\"}}";
static const char resumed[] = "{\"t\":\"RESUMED\",\"s\":5,\"op\":0,\"d\":{}}";

/* What Discord says. */
static inline bool
happen_there(struct play *p, const char *in)
{
	static const struct {
		const char *in, *text;
	} said[] = {
	    {"hello", hello},
	    {"odd hello", "{\"op\":10,\"d\":{}}"},
	    {"ready", ready},
	    {"odd ready", "{\"op\":0,\"t\":\"READY\",\"s\":1,\"d\":{}}"},
	    {"resumed", resumed},
	    {"ack", "{\"op\":11}"},
	    {"op1", "{\"op\":1,\"d\":null}"},
	    {"op7", "{\"op\":7,\"d\":null}"},
	    {"op9 false", "{\"op\":9,\"d\":false}"},
	    {"op9 true", "{\"op\":9,\"d\":true}"},
	    {"op99", "{\"op\":99,\"d\":{\"x\":[1]}}"},
	    {"garbage", "{\"op\":"},
	};

	for (size_t i = 0; i < sizeof(said) / sizeof(said[0]); i++)
		if (strcmp(in, said[i].in) == 0) {
			say(p, said[i].text);
			return true;
		}
	return false;
}

static inline void
happen(struct play *p, const char *in)
{
	struct session *s = &p->s;

	if (happen_there(p, in))
		return;
	if (*in == '+') {
		p->now_ms += number(in + 1);
		session_tick(s, p->now_ms);
	} else if (strcmp(in, "tick") == 0) {
		p->now_ms = session_due_ms(s);
		session_tick(s, p->now_ms);
	} else if (strcmp(in, "start") == 0) {
		session_start(s, p->now_ms);
	} else if (strncmp(in, "cool ", 5) == 0) {
		session_cool(s, number(in + 5), p->now_ms);
	} else if (strcmp(in, "answer") == 0) {
		session_answer(s, &p->limit, p->now_ms);
	} else if (strcmp(in, "no answer") == 0) {
		session_no_answer(s, 0, p->now_ms);
	} else if (strcmp(in, "open") == 0) {
		session_opened(s, s->generation, p->now_ms);
	} else if (strcmp(in, "old close") == 0) {
		session_closed(s, s->generation - 1, 4004, p->now_ms);
	} else if (strncmp(in, "close ", 6) == 0) {
		session_closed(s, s->generation, number(in + 6), p->now_ms);
	} else if (strncmp(in, "event ", 6) == 0) {
		say_event(p, number(in + 6));
	} else if (strcmp(in, "go on") == 0) {
		p->full = false;
		session_go_on(s, p->now_ms);
	} else if (strcmp(in, "full") == 0) {
		p->full = true;
	} else if (strcmp(in, "stop") == 0) {
		session_stop(s, true);
	} else if (strcmp(in, "leave") == 0) {
		session_stop(s, false);
	} else {
		buf_str(&p->out, " what?");
	}
}

static inline void
act(struct play *p, const struct row *rows, const char *name)
{
	struct buf got = {0}, want = {0};

	for (; rows->in; rows++) {
		happen(p, rows->in);
		drain(p);
		buf_fmt(&got, "%s:%s; ", rows->in, buf_text(&p->out));
		buf_fmt(&want, "%s:%s%s; ", rows->in, *rows->out ? " " : "",
		    rows->out);
		buf_clear(&p->out);
	}
	same(buf_text(&got), buf_text(&want), name);
	buf_release(&got);
	buf_release(&want);
}

static inline void
close_play(struct play *p)
{
	session_release(&p->s);
	buf_release(&p->out);
}

#define START                                                                  \
	{"start", "ask"}, {"answer", "connect first"}, {"open", ""},           \
	    {"hello", "send 2"},                                               \
	{                                                                      \
		"ready", "READY save"                                          \
	}
#define RESUME                                                                 \
	{"tick", "connect again"}, {"open", ""},                               \
	{                                                                      \
		"hello", "save send 6 from 5"                                  \
	}

#endif
