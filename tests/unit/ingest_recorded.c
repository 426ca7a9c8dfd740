/*
 * Every recorded event of $SOPHIA_FIXTURES/discord, with all its variants, goes
 * into the index without an error, whole or with any of its values missing; and
 * events cut at every byte leave nothing behind.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/buf.h"
#include "core/err.h"
#include "core/file.h"
#include "ext/db.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "history/ingest.h"
#include "record/event.h"
#include "store/base.h"
#include "store/settings.h"
#include "store/verify.h"

#include "scratch.h"
#include "tap.h"

enum { HOLES_MAX = 1000000 };

static struct store store;
static struct ingest in;
static int files, taken, failed, holes, holes_failed;

static void
begin(void)
{
	struct err e = {0};

	if (store_begin(&store, &e) < 0 || ingest_begin(&in, &e) < 0 ||
	    ingest_shard(&in, 0, &e) < 0)
		printf("# begin: %s\n", e.text);
}

static void
end(void)
{
	struct err e = {0};

	if (ingest_end(&in, &e) < 0 || store_commit(&store, &e) < 0)
		printf("# end: %s\n", e.text);
}

/* Within a turn: what ingest_event() says; 2 if it was refused. */
static int
feed(const char *name, const char *data, size_t len)
{
	static int64_t at_ms = 1700000000000;
	struct event x = {.at_ms = ++at_ms, .data = data, .data_len = len};
	struct err why = {0};
	int told;

	snprintf(x.name, sizeof(x.name), "%s", name);
	told = ingest_event(&in, &x, &why);
	if (told < 0 && why.kind == ERR_INPUT)
		return 2;
	if (told < 0)
		printf("# %s: %s\n", name, why.text);
	return told;
}

static int
take(const char *name, const char *data, size_t len)
{
	int told;

	begin();
	told = feed(name, data, len);
	end();
	return told;
}

static void /* NOLINTNEXTLINE(misc-no-recursion): bounded by JSON_DEPTH */
write_holed(struct buf *b, const char *key, const struct json *v, int *hole)
{
	const struct json *x;

	if ((*hole)-- == 0) {
		jsonw_null(b, key);
		return;
	}
	if (json_kind(v) != JSON_OBJECT && json_kind(v) != JSON_ARRAY) {
		jsonw_value(b, key, v);
		return;
	}
	if (json_kind(v) == JSON_OBJECT)
		jsonw_object(b, key);
	else
		jsonw_array(b, key);
	for (x = json_first(v); x; x = json_next(x))
		write_holed(b, json_key(x), x, hole);
	if (json_kind(v) == JSON_OBJECT)
		jsonw_end_object(b);
	else
		jsonw_end_array(b);
}

/* With its values null, one after the other; of a long one with some of them. */
static void
punch(const char *name, const struct json *data)
{
	struct buf b = {0};
	int left = HOLES_MAX, values;

	write_holed(&b, NULL, data, &left);
	values = HOLES_MAX - left;
	begin();
	for (int n = 1; n < values; n += 1 + values / 8) {
		int hole = n;

		buf_clear(&b);
		write_holed(&b, NULL, data, &hole);
		holes++;
		if (feed(name, b.data, b.len) < 0)
			holes_failed++;
	}
	end();
	buf_release(&b);
}

static void
enable(const struct json *data)
{
	const char *guild = json_string(data, "guild_id");
	struct err e = {0};

	if (!guild)
		guild = json_string(data, "id");
	if (guild && settings_set("discord.guilds", guild, &e) < 0)
		printf("# %s\n", e.text);
}

static int
each(const char *path, const struct stat *st, int type, struct FTW *walk)
{
	struct json *v = NULL;
	struct buf text = {0}, data = {0};
	struct err e = {0};
	const char *name;
	int told;

	(void)st;
	(void)walk;
	if (type != FTW_F || !strstr(path, ".json") ||
	    file_read(&text, path, &e) < 0 ||
	    json_object(&v, text.data, text.len, &e) < 0)
		goto out;
	name = json_string(v, "t");
	if (!name || !json_get(v, "d"))
		goto out;
	enable(json_get(v, "d"));
	jsonw_value(&data, NULL, json_get(v, "d"));
	files++;
	told = take(name, data.data, data.len);
	taken += told == 1;
	if (told < 0 || told == 2) {
		failed++;
		printf("# %s\n", path);
	}
	if (json_kind(json_get(v, "d")) == JSON_OBJECT)
		punch(name, json_get(v, "d"));
out:
	json_free(v);
	buf_release(&text);
	buf_release(&data);
	return 0;
}

static void
put(void *ctx, const struct finding *f)
{
	(void)ctx;
	if (f->level != HEALTH_OK)
		printf("# %s\n", f->text);
}

static bool
agrees(void)
{
	struct verify_count n;
	struct err e = {0};

	return verify_run(&store.db, &n, put, NULL, &e) == 0 && !n.problems;
}

static void
recorded(void)
{
	static const char *const folders[] = {"discord4j/gateway",
	    "remora/Gateway/Events"};
	const char *top = getenv("SOPHIA_FIXTURES");
	char path[PATH_MAX];

	for (int i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "%s/discord/%s",
		    top ? top : "../shared/fixtures", folders[i]);
		nftw(path, each, 16, FTW_PHYS);
	}
	if (!files) {
		tap_skip("no recordings of Discord are here");
		return;
	}
	printf("# %d events, %d told us something; %d with a hole\n", files,
	    taken, holes);
	ok(failed == 0, "every recorded event is taken without an error");
	ok(taken > 20, "and those of messages and structure tell something");
	ok(holes_failed == 0, "whatever value of them is null");
	ok(agrees(), "and the index agrees with itself");
}

static const char *const samples[][2] = {
    {"GUILD_CREATE",
	"{\"id\":\"1\",\"name\":\"H\",\"owner_id\":\"40\",\"roles\":[{\"id\":\"1\","
	"\"permissions\":\"66560\"}],\"members\":[{\"user\":{\"id\":\"9\","
	"\"username\":\"s\"},\"roles\":[]}],\"channels\":[{\"id\":\"11\",\"type\":0,"
	"\"permission_overwrites\":[{\"id\":\"1\",\"type\":0,\"allow\":\"0\","
	"\"deny\":\"0\"}]}],\"threads\":[{\"id\":\"20\",\"type\":11,\"parent_id\":"
	"\"11\",\"thread_metadata\":{\"archived\":false}}]}"},
    {"MESSAGE_CREATE",
	"{\"id\":\"100\",\"guild_id\":\"1\",\"channel_id\":\"11\",\"author\":{"
	"\"id\":\"40\",\"username\":\"ada\"},\"member\":{\"roles\":[\"5\"]},"
	"\"content\":\"caf\\u00e9\",\"poll\":{\"question\":{\"text\":\"q\"},"
	"\"answers\":[{\"answer_id\":1,\"poll_media\":{\"text\":\"y\"}}]}}"},
    {"MESSAGE_UPDATE",
	"{\"id\":\"100\",\"guild_id\":\"1\",\"channel_id\":\"11\",\"content\":"
	"\"tea\",\"edited_timestamp\":\"2026-01-01T00:00:00+00:00\"}"},
    {"MESSAGE_REACTION_ADD",
	"{\"message_id\":\"100\",\"guild_id\":\"1\",\"channel_id\":\"11\","
	"\"user_id\":\"40\",\"emoji\":{\"id\":\"7\",\"name\":\"x\"}}"},
    {"MESSAGE_POLL_VOTE_ADD",
	"{\"message_id\":\"100\",\"guild_id\":\"1\",\"channel_id\":\"11\","
	"\"user_id\":\"40\",\"answer_id\":1}"},
    {"THREAD_LIST_SYNC",
	"{\"guild_id\":\"1\",\"channel_ids\":[\"11\"],\"threads\":[{\"id\":\"20\","
	"\"type\":11,\"parent_id\":\"11\"}],\"members\":[{\"id\":\"20\"}]}"},
    {"MESSAGE_DELETE_BULK",
	"{\"ids\":[\"100\",\"101\"],\"guild_id\":\"1\",\"channel_id\":\"11\"}"},
    {"CHANNEL_DELETE", "{\"id\":\"11\",\"guild_id\":\"1\",\"type\":0}"},
};

/* Each one whole, after all its beginnings were refused. */
static void
cut(void)
{
	struct err e = {0};
	int cuts = 0;

	settings_set("discord.guilds", "1", &e);
	for (size_t i = 0; i < sizeof(samples) / sizeof(*samples); i++) {
		const char *name = samples[i][0], *data = samples[i][1];

		begin();
		for (size_t n = 0; n < strlen(data); n++, cuts++) {
			char *part = malloc(n + 1); /* reading on is seen */

			memcpy(part, data, n);
			part[n] = '\0';
			if (feed(name, part, n) != 2)
				printf("# %s cut at %zu\n", name, n);
			else
				cuts--;
			free(part);
		}
		if (feed(name, data, strlen(data)) != 1)
			cuts++;
		end();
	}
	ok(cuts == 0, "an event cut at any byte is refused, whole it is taken");
	ok(agrees(), "and the index agrees with itself");
}

int
main(void)
{
	struct err e = {0};

	scratch_open();
	mkdir(in_scratch("home"), 0700);
	if (store_open(&store, "messages", STORE_WRITE, &e) < 0 ||
	    ingest_open(&in, &store, &e) < 0)
		printf("Bail out! %s\n", e.text);
	recorded();
	cut();
	ingest_close(&in);
	store_close(&store);
	scratch_close();
	return tap_done();
}
