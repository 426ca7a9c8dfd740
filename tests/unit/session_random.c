/*
 * A session with Discord that anything happens to, at random, beside a Discord
 * of a few lines that knows which session is valid. Whatever happens: no two
 * connections at once; IDENTIFY only where Discord's rules leave nothing else,
 * and never within 5 s of the last one; RESUME from just behind the last event
 * that was taken; never more than 120 payloads in 60 s; and it comes up again
 * when Discord is well.
 */
#include "discord/session.h"

#include <stdlib.h>
#include <string.h>

#include "tap.h"

enum { SEEDS = 2000, STEPS = 400, SENDS = 120 };

struct there {
	struct session s;
	uint64_t seed;
	int64_t now_ms;
	bool open, identified; /* a socket; and a session on it */
	unsigned generation;
	bool valid;          /* the session may be resumed */
	bool excused;        /* there may be an IDENTIFY */
	int64_t taken, told; /* sequences: that we took, and were sent */
	int64_t identify_ms;
	int failed_resumes;
	int64_t lost_ms;
	int64_t sent_ms[SENDS];
	int sent;
	bool full;
	const char *wrong;
};

static uint64_t
any(struct there *t, uint64_t below)
{
	return (uint64_t)pace_between(&t->seed, 0, (int64_t)below - 1);
}

static void
wrong(struct there *t, const char *what)
{
	if (!t->wrong)
		t->wrong = what;
}

static void
lose(struct there *t)
{
	if (t->open && t->valid && !t->lost_ms)
		t->lost_ms = t->now_ms;
	t->open = t->identified = false;
}

static void
on_identify(struct there *t)
{
	if (t->valid && !t->excused && t->failed_resumes < SESSION_RESUMES &&
	    (!t->lost_ms || t->now_ms - t->lost_ms < SESSION_LOST_MS))
		wrong(t, "IDENTIFY though the session was valid");
	if (t->identify_ms && t->now_ms - t->identify_ms < 5000)
		wrong(t, "two IDENTIFY within 5 s");
	t->identify_ms = t->now_ms;
	t->valid = false;
}

static void
on_resume(struct there *t, const char *text)
{
	const char *seq = strstr(text, "\"seq\":");

	if (!t->valid && !t->excused)
		wrong(t, "RESUME of what Discord called invalid");
	if (strtoll(seq + 6, NULL, 10) != t->taken)
		wrong(t, "RESUME from another event than the last one taken");
	t->failed_resumes++;
}

static void
on_send(struct there *t, const char *text, size_t len)
{
	int64_t *oldest = &t->sent_ms[t->sent++ % SENDS];

	if (len > 4096)
		wrong(t, "more than 4096 bytes");
	if (*oldest && t->now_ms - *oldest < 60000)
		wrong(t, "more than 120 payloads in 60 s");
	*oldest = t->now_ms;
	if (!t->open)
		wrong(t, "sent though there is no connection");
	if (strncmp(text, "{\"op\":2,", 8) == 0)
		on_identify(t);
	else if (strncmp(text, "{\"op\":6,", 8) == 0)
		on_resume(t, text);
}

static void
on_connect(struct there *t, unsigned generation)
{
	if (t->open)
		wrong(t, "a second connection");
	if (generation == t->generation)
		wrong(t, "the same number twice");
	t->generation = generation;
	t->open = true;
	t->sent = 0;
	memset(t->sent_ms, 0, sizeof(t->sent_ms));
}

static void
on_event(struct there *t, const struct payload *p)
{
	if (strcmp(p->name, "READY") == 0)
		t->taken = 0;
	if (t->full) {
		session_hold(&t->s, t->now_ms);
		return;
	}
	if (p->sequence > t->taken)
		t->taken = p->sequence;
}

static void
drain(struct there *t)
{
	struct session_action a;

	while (session_next(&t->s, &a))
		switch (a.what) {
		case SESSION_CONNECT: on_connect(t, a.generation); break;
		case SESSION_SEND: on_send(t, a.text, a.len); break;
		case SESSION_CLOSE: lose(t); break;
		case SESSION_EVENT: on_event(t, a.event); break;
		default: break;
		}
}

static void
say(struct there *t, const char *text)
{
	session_payload(&t->s, t->generation, text, strlen(text), t->now_ms);
	drain(t);
}

static void
say_event(struct there *t)
{
	char text[100];

	if (any(t, 4))
		t->told++;
	snprintf(text, sizeof(text),
	    "{\"t\":\"E\",\"s\":%d,\"op\":0,\"d\":{\"a\":[1,{}]}}",
	    (int)t->told);
	say(t, text);
}

static void
say_ready(struct there *t)
{
	t->valid = t->identified = true;
	t->excused = false;
	t->told = 1;
	t->failed_resumes = 0;
	t->lost_ms = 0;
	say(t, "{\"op\":0,\"t\":\"READY\",\"s\":1,\"d\":{\"session_id\":\"x\","
	       "\"resume_gateway_url\":\"wss://r.example\"}}");
}

static void
say_resumed(struct there *t)
{
	t->told++;
	say_event(t);
	if (!t->open)
		return;
	t->identified = true;
	t->failed_resumes = 0;
	t->lost_ms = 0;
	say(t, "{\"op\":0,\"t\":\"RESUMED\",\"s\":1,\"d\":{}}");
}

/* What a Discord that is well does next. */
static void
go_well(struct there *t)
{
	const struct handshake_limit limit = {"wss://f.example", 1, 1000, 1000,
	    0, 1};

	switch (t->s.state) {
	case SESSION_ASKING: session_answer(&t->s, &limit, t->now_ms); break;
	case SESSION_CONNECTING:
		session_opened(&t->s, t->generation, t->now_ms);
		break;
	case SESSION_GREETING:
		say(t, "{\"op\":10,\"d\":{\"heartbeat_interval\":41250}}");
		break;
	case SESSION_IDENTIFYING: say_ready(t); break;
	case SESSION_RESUMING: say_resumed(t); break;
	case SESSION_UP:
		if (t->s.unanswered)
			say(t, "{\"op\":11}");
		else
			say_event(t);
		break;
	case SESSION_HELD:
		t->full = false;
		session_go_on(&t->s, t->now_ms);
		break;
	default:
		t->now_ms = session_due_ms(&t->s);
		session_tick(&t->s, t->now_ms);
		break;
	}
}

static void
close_it(struct there *t, int code)
{
	if (!t->open)
		return;
	if (code == 4007 || code == 4009)
		t->excused = true;
	lose(t);
	session_closed(&t->s, t->generation, code, t->now_ms);
}

static void
go_badly(struct there *t)
{
	static const int codes[] = {0, 1000, 1001, 1006, 4000, 4001, 4002, 4003,
	    4005, 4007, 4008, 4009};

	switch (any(t, 10)) {
	case 0:
		close_it(t, codes[any(t, sizeof(codes) / sizeof(codes[0]))]);
		break;
	case 1: say(t, "{\"op\":7,\"d\":null}"); break;
	case 2:
		t->excused |= t->open;
		say(t, "{\"op\":9,\"d\":false}");
		break;
	case 3: say(t, "{\"op\":9,\"d\":true}"); break;
	case 4: say(t, "{\"op\":1}"); break;
	case 5: say(t, "{\"op\":0,\"t\":\"E\","); break;
	case 6: session_no_answer(&t->s, 0, t->now_ms); break;
	case 7: t->full = true; break;
	case 8: /* what an older connection still says */
		session_closed(&t->s, t->generation - 1, 4004, t->now_ms);
		session_payload(&t->s, t->generation - 1, "{\"op\":7}", 8,
		    t->now_ms);
		break;
	default:
		t->now_ms += (int64_t)any(t, 50000);
		session_tick(&t->s, t->now_ms);
		break;
	}
}

static bool
play(uint64_t seed)
{
	struct there t = {
	    .s = {.who = {.token = "t", .intents = 1}, .seed = seed},
	    .seed = seed * 31 + 7,
	    .now_ms = 1000,
	    .excused = true};

	session_start(&t.s, t.now_ms);
	drain(&t);
	for (int i = 0; i < STEPS && !t.wrong; i++) {
		t.now_ms += (int64_t)any(&t, 50);
		if (any(&t, 3))
			go_well(&t);
		else
			go_badly(&t);
		drain(&t);
	}
	for (int i = 0; i < 40 && t.s.state != SESSION_UP && !t.wrong; i++) {
		go_well(&t);
		drain(&t);
	}
	if (!t.wrong && t.s.state != SESSION_UP)
		wrong(&t, "it doesn't come up again");
	session_release(&t.s);
	if (t.wrong)
		printf("# seed %d: %s\n", (int)seed, t.wrong);
	return !t.wrong;
}

int
main(void)
{
	bool good = true;

	for (uint64_t seed = 1; seed <= SEEDS && good; seed++)
		good = play(seed);
	ok(good, "whatever happens, the rules of the gateway are kept");
	return tap_done();
}
