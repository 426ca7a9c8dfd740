/* What is said when a session with Discord begins, and what is believed. */
#include "discord/handshake.h"

#include <string.h>

#include "core/buf.h"
#include "core/err.h"
#include "discord/intents.h"
#include "tap.h"

static void
address(const char *url, bool compress, const char *want)
{
	struct buf b = {0};

	handshake_address(&b, url, compress);
	same(buf_text(&b), want, "an address gets version and encoding");
	buf_release(&b);
}

static void
addresses(void)
{
	address("wss://a.example", false,
	    "wss://a.example/?v=10&encoding=json");
	address("wss://a.example/", true,
	    "wss://a.example/?v=10&encoding=json&compress=zlib-stream");
	address("ws://127.0.0.1:80/gateway/", false,
	    "ws://127.0.0.1:80/gateway?v=10&encoding=json");
	address("wss://a.example/?v=9&x#y", false,
	    "wss://a.example/?v=10&encoding=json");
}

static void
safe(void)
{
	static const char *const good[] = {"wss://gateway.discord.gg",
	    "wss://x:443/", "ws://127.0.0.1:1", "ws://[::1]:1/x",
	    "ws://localhost/"};
	static const char *const bad[] = {"", "wss://", "wss:///x",
	    "ws://example.org", "ws://127.0.0.1.example.org",
	    "ws://localhost.example.org", "https://x", "wss://a@b",
	    "wss://a b"};

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		if (!ok(handshake_safe(good[i]), "the token may go there"))
			printf("# %s\n", good[i]);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (!ok(!handshake_safe(bad[i]), "the token may not go there"))
			printf("# %s\n", bad[i]);
}

static void
sent(void)
{
	struct buf b = {0};
	const struct handshake_identity who = {"t\"k", 513, 2, 4};

	handshake_identify(&b, &who);
	same(buf_text(&b),
	    "{\"op\":2,\"d\":{\"token\":\"t\\\"k\",\"intents\":513,"
	    "\"properties\":{\"os\":\"linux\",\"browser\":\"sophia\","
	    "\"device\":\"sophia\"},\"shard\":[2,4]}}",
	    "IDENTIFY");
	buf_clear(&b);
	handshake_resume(&b, "t", "s", 9);
	same(buf_text(&b),
	    "{\"op\":6,\"d\":{\"token\":\"t\",\"session_id\":\"s\",\"seq\":9}}",
	    "RESUME");
	buf_release(&b);
}

static void
limit(const char *text, const char *want, const char *name)
{
	struct handshake_limit l;
	struct err e = {0};
	struct buf got = {0};

	if (handshake_read_limit(&l, text, strlen(text), &e) < 0)
		buf_str(&got, e.text);
	else
		buf_fmt(&got, "%s %d %d %d %d", l.url, l.shards,
		    (int)l.remaining, (int)l.reset_after_ms, l.max_concurrency);
	same(buf_text(&got), want, name);
	buf_release(&got);
}

static void
limits(void)
{
	limit("{\"url\":\"wss://a\",\"shards\":2,\"session_start_limit\":"
	      "{\"total\":1000,\"remaining\":7,\"reset_after\":5,"
	      "\"max_concurrency\":16}}",
	    "wss://a 2 7 5 16", "GET /gateway/bot is read");
	limit("{\"url\":\"wss://a\"}", "wss://a 1 1 0 1",
	    "without a limit there is one session, and it is asked again");
	limit("{\"url\":\"ws://a.example\"}",
	    "GET /gateway/bot names no address of a gateway",
	    "the token goes to no plain address");
	limit("{\"url\":7}", "GET /gateway/bot names no address of a gateway",
	    "an address is text");
}

static void
interval(const char *data, int want, const char *name)
{
	ok(handshake_interval_ms(data, strlen(data)) == want, name);
}

static void
intents(const char *text, const char *want, const char *name)
{
	uint64_t bits;
	struct err e = {0};
	struct buf got = {0};

	if (intents_read(&bits, text, &e) < 0)
		buf_str(&got, e.text);
	else
		intents_write(&got, bits);
	same(buf_text(&got), want, name);
	buf_release(&got);
}

int
main(void)
{
	addresses();
	safe();
	sent();
	limits();
	interval("{\"heartbeat_interval\":41250}", 41250, "an interval");
	interval("{\"heartbeat_interval\":0}", 0, "none is none");
	interval("{\"heartbeat_interval\":-5}", 0, "nor is a negative one");
	interval("[]", 0, "nor is what is no object");
	intents("GUILDS,MESSAGE_CONTENT", "GUILDS, MESSAGE_CONTENT",
	    "intents by name");
	intents("37377",
	    "GUILDS, GUILD_MESSAGES, DIRECT_MESSAGES, MESSAGE_CONTENT",
	    "intents by number");
	intents("GUILDS,TEA", "TEA is no intent", "an unknown one is named");
	intents("GUILDS,", " is no intent", "an empty one is none");
	ok(intents_offered(1 << 19) == INTENT_MESSAGE_CONTENT,
	    "a limited flag is as good");
	ok(intents_offered(1 << 14 | 1 << 12) ==
		(INTENT_GUILD_MEMBERS | INTENT_GUILD_PRESENCES),
	    "flags tell which switches are on");
	return tap_done();
}
