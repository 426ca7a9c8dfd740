/* The rules of a session with Discord that need more than a case. */
#include "discord/closing.h"
#include "discord/intents.h"
#include "session_play.h"

/* No session is left to start today. */
static void
budget(void)
{
	static const struct row none[] = {{"start", "ask"}, {"answer", ""},
	    {0}};
	static const struct row later[] = {{"tick", "ask"}, {0}};
	struct play p = open_play();

	p.limit.remaining = 0;
	act(&p, none, "no IDENTIFY without a budget");
	ok(session_due_ms(&p.s) >= p.now_ms + 3600000,
	    "it waits until there is one");
	act(&p, later, "then it asks again");
	close_play(&p);
}

/* Connections that fail, one after the other. */
static void
backoff(void)
{
	static const struct row start[] = {START, {0}};
	static const struct row again[] = {{"tick", "connect again"},
	    {"open", ""}, {"hello", "save send 6 from 1"},
	    {"resumed", "RESUMED save"}, {"close 0", ""}, {0}};
	struct play p = open_play();
	int64_t wait_ms = 0;
	bool grows = true;

	act(&p, start, "up");
	session_closed(&p.s, p.s.generation, 0, p.now_ms);
	p.s.kept.sequence = 1;
	for (int i = 0; i < 4; i++) {
		wait_ms = session_due_ms(&p.s) - p.now_ms;
		grows &= wait_ms >= (500 << i) && wait_ms <= (1000 << i);
		p.s.kept.sequence = 1;
		act(&p, again, "up and down again");
	}
	ok(grows, "what doesn't stay up waits longer each time, at random");
	close_play(&p);
}

static void
steady(void)
{
	static const struct row start[] = {START, {"tick", "send 1 at 1}"},
	    {"ack", ""}, {"tick", "send 1 at 1}"}, {"ack", ""},
	    {"tick", "send 1 at 1}"}, {"ack", ""}, {"close 0", ""}, {0}};
	struct play p = open_play();

	p.s.failures = 9;
	act(&p, start, "up for more than a minute");
	ok(session_due_ms(&p.s) - p.now_ms <= 1000, "resumes within a second");
	close_play(&p);
}

/* Resumes that reach Discord and fail: five, then another session. */
static void
bounded(void)
{
	static const struct row start[] = {START, {"event 5", "EVENT"},
	    {"close 0", ""}, {0}};
	static const struct row fails[] = {RESUME, {"close 4000", ""}, {0}};
	static const struct row last[] = {RESUME, {"close 4000", "forget"},
	    {"tick", "connect first"}, {"open", ""}, {"hello", "send 2"}, {0}};
	struct play p = open_play();

	act(&p, start, "a connection is lost");
	for (int i = 1; i < SESSION_RESUMES; i++)
		act(&p, fails, "a resume fails");
	act(&p, last, "after five, IDENTIFY");
	close_play(&p);
}

/* IDENTIFY, op 9, IDENTIFY: never faster than every 5 s. */
static void
identify_apart(void)
{
	static const struct row start[] = {{"start", "ask"},
	    {"answer", "connect first"}, {"open", ""}, {"hello", "send 2"},
	    {"op9 false", "close 4000"}, {0}};
	struct play p = open_play();
	int64_t at_ms;

	act(&p, start, "IDENTIFY is refused");
	at_ms = p.now_ms;
	ok(session_due_ms(&p.s) >= at_ms + 1000 &&
		session_due_ms(&p.s) <= at_ms + 5000,
	    "the next connection is 1 to 5 s away");
	while (p.s.state == SESSION_WAITING)
		happen(&p, "tick");
	ok(p.s.state == SESSION_CONNECTING && p.now_ms >= at_ms + 5000,
	    "and IDENTIFY at least 5 s after the last");
	close_play(&p);
}

static void
recall(void)
{
	struct session_kept kept = {"abc", "wss://again.example", 5, 0};
	static const struct row rows[] = {{"start", "connect again"},
	    {"open", ""}, {"hello", "save send 6 from 5"},
	    {"resumed", "RESUMED save"}, {0}};
	struct play p = open_play();

	ok(!session_recall(&p.s, &kept, SESSION_KEPT_MS + 1),
	    "a session of yesterday is not resumed");
	ok(!session_recall(&p.s, &kept, -1), "nor one of tomorrow");
	kept.resumes = SESSION_RESUMES;
	ok(!session_recall(&p.s, &kept, 0), "nor one that failed before");
	kept.resumes = 1;
	kept.sequence = 0;
	ok(!session_recall(&p.s, &kept, 0), "nor one without a sequence");
	kept.sequence = 5;
	ok(session_recall(&p.s, &kept, 1000), "one of just now is");
	act(&p, rows, "a restart resumes without asking where");
	close_play(&p);
}

static void
unsafe(void)
{
	struct session_kept kept = {"abc", "ws://elsewhere.example", 5, 0};
	static const struct row rows[] = {{"start", "ask"},
	    {"answer", "connect first"}, {0}};
	struct play p = open_play();

	ok(session_recall(&p.s, &kept, 0), "a session with a plain address");
	act(&p, rows, "is resumed, but not there");
	close_play(&p);
}

/* Discord asks for more heartbeats than it allows. */
static void
flood(void)
{
	static const struct row start[] = {START, {0}};
	struct play p = open_play();
	int sent = 0;

	act(&p, start, "up");
	for (int i = 0; i < 1000; i++) {
		struct session_action a;

		happen(&p, "op1");
		while (session_next(&p.s, &a))
			sent += a.what == SESSION_SEND;
		p.now_ms++;
	}
	ok(sent > 100 && sent < 112,
	    "a flood of op 1 is answered within the budget");
	p.now_ms = p.s.beat_ms;
	session_tick(&p.s, p.now_ms);
	drain(&p);
	same(buf_text(&p.out), " send 1 at 1}", "and the heartbeat still goes");
	close_play(&p);
}

static void
first_beat(void)
{
	static const struct row rows[] = {{"start", "ask"},
	    {"answer", "connect first"}, {"open", ""}, {"hello", "send 2"},
	    {0}};
	int64_t least = INT64_MAX, most = 0;

	for (uint64_t seed = 1; seed < 200; seed++) {
		struct play p = open_play();
		int64_t beat_ms;

		p.s.seed = seed;
		for (const struct row *r = rows; r->in; r++) {
			happen(&p, r->in);
			drain(&p);
		}
		beat_ms = p.s.beat_ms - p.now_ms;
		least = beat_ms < least ? beat_ms : least;
		most = beat_ms > most ? beat_ms : most;
		close_play(&p);
	}
	ok(least >= 0 && least < 1000 && most <= 40000 && most > 39000,
	    "the first beat comes anywhere in the first interval");
}

static void
long_token(void)
{
	static const struct row rows[] = {{"start", "ask"},
	    {"answer", "connect first"}, {"open", ""},
	    {"hello", "close 1000 end"}, {0}};
	char token[4097];
	struct play p = open_play();

	memset(token, 't', sizeof(token) - 1);
	token[sizeof(token) - 1] = '\0';
	p.s.who.token = token;
	act(&p, rows, "nothing over 4096 bytes is sent");
	ok(p.s.why.kind == ERR_CONFIG, "and a person is told");
	close_play(&p);
}

/* The diagnosis of each code that no attempt can mend. */
static void
codes(void)
{
	static const struct {
		int code;
		const char *says;
	} fatal[] = {
	    {4004, "DISCORD_TOKEN"},
	    {4010, "--shard"},
	    {4011, "--shard N/M"},
	    {4012, "newer Sophia"},
	    {4013, "GUILDS, MESSAGE_CONTENT"},
	    {4014, "switch on Message Content Intent at https://discord.com/"
		   "developers/applications"},
	};

	for (size_t i = 0; i < sizeof(fatal) / sizeof(fatal[0]); i++) {
		struct err e = {0};

		closing_explain(fatal[i].code,
		    INTENT_GUILDS | INTENT_MESSAGE_CONTENT, &e);
		if (!ok(closing_of(fatal[i].code) == CLOSING_FATAL &&
			    e.kind == ERR_CONFIG &&
			    strstr(e.text, fatal[i].says),
			"a fatal code names the fix"))
			printf("# %d: %s\n", fatal[i].code, e.text);
	}
	for (int code = 0; code < 5000; code++)
		if (code != 4006 && code != 4007 && code != 4009 &&
		    (code < 4010 || code > 4014) && code != 4004 &&
		    closing_of(code) != CLOSING_RESUME)
			ok(false, "every other code resumes");
}

int
main(void)
{
	budget();
	backoff();
	steady();
	bounded();
	identify_apart();
	recall();
	unsafe();
	flood();
	first_beat();
	long_token();
	codes();
	return tap_done();
}
