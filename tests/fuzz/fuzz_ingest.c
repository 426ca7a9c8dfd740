/*
 * fuzz_ingest - whatever an event holds, the index takes it or refuses it, and
 * its parts agree afterwards. The first byte chooses the event's name.
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/err.h"
#include "history/ingest.h"
#include "record/event.h"
#include "store/base.h"
#include "store/settings.h"
#include "store/verify.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const names[] = {
    "READY",
    "MESSAGE_CREATE",
    "MESSAGE_UPDATE",
    "MESSAGE_DELETE",
    "MESSAGE_DELETE_BULK",
    "MESSAGE_REACTION_ADD",
    "MESSAGE_REACTION_REMOVE",
    "MESSAGE_REACTION_REMOVE_EMOJI",
    "MESSAGE_POLL_VOTE_ADD",
    "GUILD_CREATE",
    "GUILD_UPDATE",
    "GUILD_DELETE",
    "CHANNEL_CREATE",
    "CHANNEL_UPDATE",
    "CHANNEL_DELETE",
    "THREAD_CREATE",
    "THREAD_DELETE",
    "THREAD_LIST_SYNC",
    "THREAD_MEMBERS_UPDATE",
    "GUILD_ROLE_UPDATE",
    "GUILD_ROLE_DELETE",
    "GUILD_MEMBER_UPDATE",
    "GUILD_MEMBER_REMOVE",
    "GUILD_MEMBERS_CHUNK",
};

enum { VERIFY_EVERY = 256 };

static char home[] = "/dev/shm/sophia-fuzz.XXXXXX";
static struct store store;
static struct ingest in;

static void
end(void)
{
	static const char *const left[] = {"messages.sqlite",
	    "messages.sqlite-wal", "messages.sqlite-shm", "settings.json",
	    "run/messages.use", "run/messages.next", "run/messages.write",
	    "run/settings", "run"};
	char path[sizeof(home) + 32];

	ingest_close(&in);
	store_close(&store);
	for (size_t i = 0; i < sizeof(left) / sizeof(*left); i++) {
		snprintf(path, sizeof(path), "%s/%s", home, left[i]);
		remove(path);
	}
	rmdir(home);
}

static void
start(void)
{
	struct err e = {0};

	if (!mkdtemp(home) || setenv("SOPHIA_HOME", home, 1) < 0 ||
	    setenv("SOPHIA_SHARE", "share", 0) < 0 ||
	    settings_set("discord.guilds", "1", &e) < 0 ||
	    store_open(&store, "messages", STORE_WRITE, &e) < 0 ||
	    ingest_open(&in, &store, &e) < 0) {
		fprintf(stderr, "%s\n", e.text);
		abort();
	}
	atexit(end);
}

static void
tell(void *ctx, const struct finding *f)
{
	(void)ctx;
	if (f->level != HEALTH_OK)
		fprintf(stderr, "%s\n", f->text);
}

static void
verify(void)
{
	struct verify_count n;
	struct err e = {0};

	if (verify_run(&store.db, &n, tell, NULL, &e) < 0 || n.problems)
		abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static int64_t count;
	struct event x = {.at_ms = 1700000000000 + count};
	struct err e = {0}, why = {0};

	if (!size)
		return 0;
	if (!count++)
		start();
	snprintf(x.name, sizeof(x.name), "%s",
	    names[*data % (sizeof(names) / sizeof(*names))]);
	x.data = (const char *)data + 1;
	x.data_len = size - 1;
	if (store_begin(&store, &e) < 0 || ingest_begin(&in, &e) < 0 ||
	    ingest_shard(&in, 0, &e) < 0)
		abort();
	if (ingest_event(&in, &x, &why) < 0 && why.kind != ERR_INPUT) {
		fprintf(stderr, "%s\n", why.text);
		abort();
	}
	if (ingest_end(&in, &e) < 0 || store_commit(&store, &e) < 0)
		abort();
	if (count % VERIFY_EVERY == 0)
		verify();
	return 0;
}
