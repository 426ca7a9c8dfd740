#ifndef DISCORD_SESSION_H
#define DISCORD_SESSION_H
/*
 * session - a session with Discord's gateway. Pure: what happens goes in with
 * the time, what is to be done comes out. No socket, no clock, no randomness.
 *
 *	session_payload(s, generation, text, len, now_ms);
 *	while (session_next(s, &a))
 *		... do it ...
 *	... wait until session_due_ms(s), at most; then session_tick() ...
 *
 * The rules are those of Discord's documentation ("Gateway"), and:
 * - A connection has a generation, from 1; what comes of an older one is not
 *   looked at. There is never a second one beside it.
 * - The first heartbeat comes after a random part of the interval. No ACK
 *   before the next one: the connection is dead, and closed with 4000, which
 *   keeps the session. A quiet guild is no fault.
 * - A session is resumed while that may work: SESSION_RESUMES attempts that
 *   reached Discord, SESSION_LOST_MS of attempts that didn't. Then, or if
 *   Discord says so, it is forgotten, and another one begins.
 * - An attempt waits longer, the more have failed, at random; it starts anew
 *   only when a session was up for SESSION_STEADY_MS.
 * - HELLO, READY or RESUMED that doesn't come is a failure, too.
 * - IDENTIFY is sent only within the budget that GET /gateway/bot names, at
 *   least 5 s after the last one.
 *
 * Order    Drain session_next() after each call that tells it something.
 * Memory   The token is borrowed for the life of the session; what an action
 *          points at, until the next call. session_release() at the end.
 * Units    now_ms is boot time.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/buf.h"
#include "core/err.h"
#include "discord/handshake.h"
#include "discord/pace.h"
#include "discord/payload.h"

enum {
	SESSION_RESUMES = 5,
	SESSION_LOST_MS = 5 * 60 * 1000,
	SESSION_STEADY_MS = 60 * 1000,
	SESSION_KEPT_MS = 5 * 60 * 1000, /* how old one from a file may be */

	SESSION_CLOSE_CODE = 4000, /* what of ours keeps the session */
};

enum session_state {
	SESSION_IDLE,
	SESSION_ASKING,      /* where, and whether, to connect */
	SESSION_WAITING,     /* for the time to connect */
	SESSION_CONNECTING,  /* until the websocket is open */
	SESSION_GREETING,    /* until HELLO */
	SESSION_IDENTIFYING, /* until READY */
	SESSION_RESUMING,    /* until RESUMED */
	SESSION_UP,
	SESSION_HELD, /* nobody takes the events */
	SESSION_ENDED,
};

enum session_what {
	SESSION_ASK,     /* GET /gateway/bot, then session_answer() */
	SESSION_CONNECT, /* to text; generation is the one to tell it by */
	SESSION_SEND,    /* text */
	SESSION_CLOSE,   /* with code, now; text says why */
	SESSION_EVENT,   /* event; session_hold() if nobody takes it */
	SESSION_SAVE,    /* what session_kept() says has changed */
	SESSION_END,     /* nothing more comes; session.why tells why */
};

struct session_action {
	enum session_what what;
	unsigned generation;
	int code;
	const char *text;
	size_t len;
	const struct payload *event;
};

/* What a restart needs in order to resume. */
struct session_kept {
	char id[HANDSHAKE_TEXT], url[HANDSHAKE_TEXT]; /* id is "" for none */
	int64_t sequence;
	int resumes; /* attempts that failed */
};

struct session_step {
	enum session_what what;
	int code;
	const char *why;
};

struct session {
	struct handshake_identity who; /* set before session_start() */
	bool compress;
	uint64_t seed;

	enum session_state state; /* to be read from here */
	struct session_kept kept;
	struct handshake_ready ready;
	struct err why;
	const char *last;             /* why there is no connection */
	int64_t latency_ms;           /* of the last ACK; -1 before one */
	unsigned identified, resumed; /* how often, all told */
	int64_t until_ms;             /* of SESSION_WAITING */

	unsigned generation;    /* private from here */
	bool connected;         /* this generation may still speak */
	bool resuming;          /* this connection is to resume */
	int failures;           /* since a session was steady */
	int misses;             /* connections to kept.url that never opened */
	int64_t up_ms, lost_ms; /* since when; 0 for not */
	int64_t deadline_ms;    /* of HELLO, READY, ... ; 0 for none */
	int64_t interval_ms, beat_ms, sent_ms;
	bool unanswered; /* the last heartbeat */
	struct handshake_limit limit;
	int64_t limit_ms, next_identify_ms; /* when it was told */
	struct pace pace;
	struct buf text; /* to connect to, or to send */
	struct payload event;
	int64_t before; /* the sequence without the event handed out */
	struct session_step steps[8];
	int first, count;
};

/* Start with a session from a file that is age_ms old: false if it's no use. */
bool session_recall(struct session *s, const struct session_kept *kept,
    int64_t age_ms);
/* Before the start: a process before this one, which was last alive age_ms
 * ago, may have identified then. */
void session_cool(struct session *s, int64_t age_ms, int64_t now_ms);
void session_start(struct session *s, int64_t now_ms);

/* What GET /gateway/bot said; or how long to wait before it's asked again. */
void session_answer(struct session *s, const struct handshake_limit *limit,
    int64_t now_ms);
void session_no_answer(struct session *s, int64_t wait_ms, int64_t now_ms);

void session_opened(struct session *s, unsigned generation, int64_t now_ms);
/* code is 0 where the other side said none. */
void session_closed(struct session *s, unsigned generation, int code,
    int64_t now_ms);
void session_payload(struct session *s, unsigned generation, const char *text,
    size_t len, int64_t now_ms);
void session_tick(struct session *s, int64_t now_ms);

/*
 * The event handed out is not taken, nor can another be: it closes, keeps the
 * session, and resumes after session_go_on() with that event.
 */
void session_hold(struct session *s, int64_t now_ms);
void session_go_on(struct session *s, int64_t now_ms);

/*
 * What came after that sequence is lost again: resume from there. Before
 * session_hold().
 */
void session_rewind(struct session *s, int64_t sequence);

/* End; keep says whether another process is to resume the session. */
void session_stop(struct session *s, bool keep);
/* End for good, because of e. */
void session_fail(struct session *s, const struct err *e);

bool session_next(struct session *s, struct session_action *a);
int64_t session_due_ms(const struct session *s); /* INT64_MAX for never */

const char *session_word(enum session_state state);

void session_release(struct session *s); /* harmless on {0}, or twice */

#endif
