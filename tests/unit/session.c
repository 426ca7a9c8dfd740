/* What a session with Discord does, case by case. */
#include "session_play.h"

/* Each of these is a session from its start. */
static const struct {
	const char *name;
	struct row rows[24];
} plays[] = {
    {"a session begins: ask, connect, HELLO, IDENTIFY, READY", {START, {0}}},
    {"who identified just before this process is not followed at once",
	{{"cool 2000", ""}, {"start", "ask"}, {"answer", ""}, {"+3499", ""},
	    {"+1", "connect first"}, {"open", ""}, {"hello", "send 2"}, {0}}},
    {"long after that it goes on at once",
	{{"cool 5500", ""}, {"start", "ask"}, {"answer", "connect first"},
	    {0}}},
    {"a heartbeat is answered; a quiet guild is no fault",
	{START, {"tick", "send 1 at 1}"}, {"ack", ""}, {"tick", "send 1 at 1}"},
	    {"ack", ""}, {"tick", "send 1 at 1}"}, {"ack", ""},
	    {"tick", "send 1 at 1}"}, {0}}},
    {"no ACK before the next beat: 4000, and resume",
	{START, {"tick", "send 1 at 1}"}, {"event 5", "EVENT"}, {"+39999", ""},
	    {"+1", "close 4000"}, RESUME, {"resumed", "RESUMED save"}, {0}}},
    {"an ACK that comes late, but before the beat, is good",
	{START, {"tick", "send 1 at 1}"}, {"+39999", ""}, {"ack", ""},
	    {"+1", "send 1 at 1}"}, {0}}},
    {"op 1 is answered at once, and is no beat that awaits an ACK",
	{START, {"tick", "send 1 at 1}"}, {"ack", ""}, {"+39998", ""},
	    {"op1", "send 1 at 1}"}, {"+2", "send 1 at 1}"}, {0}}},
    {"before any event the beat says null",
	{{"start", "ask"}, {"answer", "connect first"}, {"open", ""},
	    {"hello", "send 2"}, {"op1", "send 1 at null}"}, {0}}},
    {"op 7: close with 4000, resume with the last sequence",
	{START, {"event 4", "EVENT"}, {"event 5", "EVENT"},
	    {"op7", "close 4000"}, RESUME, {"resumed", "RESUMED save"}, {0}}},
    {"what an older connection says is not looked at",
	{START, {"event 5", "EVENT"}, {"op7", "close 4000"}, {"event 6", ""},
	    {"close 4004", ""}, {"op9 false", ""}, RESUME, {"old close", ""},
	    {"resumed", "RESUMED save"}, {0}}},
    {"op 9 false: forget, and identify at the address that was asked for",
	{START, {"op9 false", "forget close 4000"}, {"tick", ""},
	    {"tick", "connect first"}, {"open", ""}, {"hello", "send 2"}, {0}}},
    {"op 9 true: resume",
	{START, {"event 5", "EVENT"}, {"op9 true", "close 4000"}, RESUME, {0}}},
    {"1006, or no code at all: resume",
	{START, {"event 5", "EVENT"}, {"close 0", ""}, RESUME,
	    {"resumed", "RESUMED save"}, {"close 1006", ""}, RESUME, {0}}},
    {"a session that timed out is not resumed",
	{START, {"close 4009", "forget"}, {"tick", ""},
	    {"tick", "connect first"}, {0}}},
    {"a sequence that is not valid: another session",
	{START, {"close 4007", "forget"}, {"tick", ""},
	    {"tick", "connect first"}, {0}}},
    {"a refused token ends it", {START, {"close 4004", "forget end"}, {0}}},
    {"and after that nothing happens",
	{START, {"close 4014", "forget end"}, {"+999999", ""}, {"event 2", ""},
	    {"close 1006", ""}, {"stop", ""}, {0}}},
    {"HELLO doesn't come",
	{{"start", "ask"}, {"answer", "connect first"}, {"open", ""},
	    {"+19999", ""}, {"+1", "close 4000"}, {0}}},
    {"HELLO without an interval is as good as none",
	{{"start", "ask"}, {"answer", "connect first"}, {"open", ""},
	    {"odd hello", "close 4000"}, {0}}},
    {"READY doesn't come, though heartbeats go on",
	{{"start", "ask"}, {"answer", "connect first"}, {"open", ""},
	    {"hello", "send 2"}, {"tick", "send 1 at null}"}, {"ack", ""},
	    {"tick", "close 4000"}, {0}}},
    {"READY without a session is none",
	{{"start", "ask"}, {"answer", "connect first"}, {"open", ""},
	    {"hello", "send 2"}, {"odd ready", "close 4000"}, {0}}},
    {"RESUMED doesn't come; each event gives it more time",
	{START, {"event 5", "EVENT"}, {"op7", "close 4000"}, RESUME,
	    {"tick", "send 1 at 5}"}, {"ack", ""}, {"event 6", "EVENT"},
	    {"tick", "send 1 at 6}"}, {"ack", ""}, {"tick", "close 4000"},
	    {0}}},
    {"a socket that doesn't open is given up",
	{{"start", "ask"}, {"answer", "connect first"}, {"+29999", ""},
	    {"+1", "close 4000"}, {0}}},
    {"the address of resuming fails three times: the first one is tried",
	{START, {"event 5", "EVENT"}, {"close 0", ""},
	    {"tick", "connect again"}, {"close 0", ""},
	    {"tick", "connect again"}, {"close 0", ""},
	    {"tick", "connect again"}, {"close 0", ""},
	    {"tick", "connect first"}, {"open", ""},
	    {"hello", "save send 6 from 5"}, {0}}},
    {"after five minutes without a connection the session is not resumed",
	{START, {"event 5", "EVENT"}, {"close 0", ""},
	    {"+300001", "forget connect first"}, {0}}},
    {"and an answer that is ten minutes old is asked for again",
	{START, {"event 5", "EVENT"}, {"close 0", ""},
	    {"+600001", "forget ask"}, {0}}},
    {"garbage is a lost connection",
	{START, {"event 5", "EVENT"}, {"garbage", "close 4000"}, RESUME, {0}}},
    {"an opcode that nobody knows is passed over",
	{START, {"op99", ""}, {"event 2", "EVENT"}, {0}}},
    {"an event nobody takes: close, keep, resume before it",
	{START, {"event 5", "EVENT"}, {"full", ""},
	    {"event 6", "refuse close 4000"}, {"event 7", ""}, {"+100000", ""},
	    {"go on", "connect again"}, {"open", ""},
	    {"hello", "save send 6 from 5"}, {"event 6", "EVENT"}, {0}}},
    {"to stop keeps the session",
	{START, {"stop", "close 4000 end"}, {"event 2", ""}, {0}}},
    {"to leave ends it", {START, {"leave", "close 1000 forget end"}, {0}}},
    {"nobody answers where: ask again, later",
	{{"start", "ask"}, {"no answer", ""}, {"tick", "ask"},
	    {"answer", "connect first"}, {0}}},
};

static void
run_plays(void)
{
	for (size_t i = 0; i < sizeof(plays) / sizeof(plays[0]); i++) {
		struct play p = open_play();

		act(&p, plays[i].rows, plays[i].name);
		close_play(&p);
	}
}

int
main(void)
{
	run_plays();
	return tap_done();
}
