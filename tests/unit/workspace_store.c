#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/buf.h"
#include "core/err.h"
#include "core/id.h"
#include "ext/crypt.h"
#include "record/call.h"
#include "record/turn.h"
#include "store/artifact.h"
#include "store/base.h"
#include "store/file.h"
#include "store/filelock.h"
#include "store/holding.h"
#include "store/picture.h"
#include "store/runner.h"
#include "store/tombstone.h"

#include "scratch.h"
#include "tap.h"

#define LINK "https://discord.com/channels/1/22/"

enum { BIG = CONTENT_SMALL + 1 };

static struct store store;
static const struct context local = {.actor = {"local", "me"}};
static struct runner run;
static char turn_id[ID_LEN + 1], big[BIG], other[BIG];
static struct err why;

static int64_t
number(const char *sql)
{
	int64_t n = -1;

	if (db_int(&store.db, sql, -1, &n, &why) < 0)
		printf("# %s\n", why.text);
	return n;
}

/* A task runs, with three calls stored. */
static void
begin(void)
{
	const struct call calls[3] = {
	    {.capability = "draw"},
	    {.capability = "draw"},
	    {.capability = "draw"},
	};
	struct turn t = {.id = turn_id, .actor = local.actor, .text = "draw"};

	id_new(turn_id);
	if (runner_start(&run, &store, &t, turn_id, "extractive", &why) != 1 ||
	    runner_calls(&run, "{}", calls, 3, &why) != 1)
		printf("# %s\n", why.text);
}

static int
done(int rc)
{
	if (rc >= 0 && store_commit(&store, &why) < 0)
		rc = -1;
	store_rollback(&store);
	return rc;
}

static int
put_as(const char *path, const char *bytes, size_t len,
    const struct file_origin *o)
{
	why = (struct err){0};
	if (store_begin(&store, &why) < 0)
		return -1;
	return done(file_put(&store, run.task, path, "text/plain", bytes, len,
	    o, &why));
}

static int
put(const char *path, const char *bytes, size_t len)
{
	return put_as(path, bytes, len,
	    &(struct file_origin){.kind = FILE_PUT, .actor = "local"});
}

static int
take_away(const char *path)
{
	if (store_begin(&store, &why) < 0)
		return -1;
	return done(file_remove(&store, run.task, path, &why));
}

static bool
holds(const char *path, const char *bytes, size_t len)
{
	struct holding h = {0};
	struct buf b = {0};
	bool good = holding_find(&h, &store, run.task, path, 0, &why) == 0 &&
		    content_get(&store, h.hash, &b, &why) == 0 &&
		    b.len == len && memcmp(buf_text(&b), bytes, len) == 0;

	holding_release(&h);
	buf_release(&b);
	return good;
}

static void
content_hash(char hash[CONTENT_HASH + 1], const void *bytes, size_t len)
{
	unsigned char digest[CRYPT_SHA256];

	crypt_sha256(digest, bytes, len);
	for (size_t i = 0; i < sizeof(digest); i++)
		snprintf(hash + 2 * i, 3, "%02x", digest[i]);
}

static const char *
blob_of(const char *bytes, size_t len)
{
	char hash[CONTENT_HASH + 1], name[128];

	content_hash(hash, bytes, len);
	snprintf(name, sizeof(name), "home/blob/%.2s/%s", hash, hash);
	return in_scratch(name);
}

static bool
is_there(const char *path)
{
	return access(path, F_OK) == 0;
}

static void
test_contents(void)
{
	char hash[CONTENT_HASH + 1];
	struct stat st;

	store_begin(&store, &why);
	content_put(&store, "abc", 3, hash, &why);
	store_rollback(&store);
	same(hash,
	    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
	    "a content has the name that SHA-256 gives it");
	ok(put("a", "abc", 3) == 0 && holds("a", "abc", 3),
	    "a small file comes back as it went in");
	ok(put("b/empty", "", 0) == 0 && holds("b/empty", "", 0),
	    "so does an empty one");
	ok(!is_there(in_scratch("home/blob")), "they lie in the store");
	ok(put("big", big, BIG) == 0 && holds("big", big, BIG) &&
		is_there(blob_of(big, BIG)),
	    "a large one lies beside it");
	ok(stat(blob_of(big, BIG), &st) == 0 && (st.st_mode & 0777) == 0600 &&
		stat(in_scratch("home/blob"), &st) == 0 &&
		(st.st_mode & 0777) == 0700,
	    "for its owner alone");
	ok(put("again", big, BIG) == 0 &&
		number("SELECT count(*) FROM content WHERE bytes IS NULL") == 1,
	    "the same bytes are kept once");
	ok(take_away("big") == 1 && holds("again", big, BIG),
	    "one of two that goes takes nothing from the other");
	ok(put("again", other, BIG) == 0 && number("SELECT count(*)"
						   " FROM blob_gone") == 1,
	    "in another's place, it leaves a file to be removed");
	ok(content_sweep(&store, 0, &why) == 0 &&
		!is_there(blob_of(big, BIG)) && is_there(blob_of(other, BIG)) &&
		number("SELECT count(*) FROM blob_gone") == 0,
	    "which the sweep does");
	ok(take_away("again") == 1 && put("again", other, BIG) == 0 &&
		content_sweep(&store, 0, &why) == 0 &&
		holds("again", other, BIG),
	    "one that came back before the sweep stays");
	ok(take_away("nothing") == 0, "what isn't there can't be removed");
}

static void
test_damage(void)
{
	FILE *f = fopen(blob_of(other, BIG), "r+");

	fputc('?', f);
	fclose(f);
	why = (struct err){0};
	ok(!holds("again", other, BIG) && why.kind == ERR_CONFIG &&
		strstr(why.text, "damaged"),
	    "bytes that aren't what they were are refused");
	unlink(blob_of(other, BIG));
	ok(put("mended", other, BIG) == 0 && holds("again", other, BIG),
	    "whoever has them mends the loss");
}

static void
test_paths(void)
{
	ok(put("b", "x", 1) < 0 && why.kind == ERR_INPUT,
	    "a file can't take the place of a folder");
	ok(put("a/b", "x", 1) < 0 && why.kind == ERR_INPUT,
	    "nor lead through a file");
	ok(put("../x", "x", 1) < 0 && put("/x", "x", 1) < 0 &&
		put("x/./y", "x", 1) < 0 && put("", "x", 1) < 0 &&
		put("nul.txt", "x", 1) < 0 && put("x\n", "x", 1) < 0,
	    "what is no path is refused");
	ok(put("a%b_", "x", 1) == 0 && put("aXb_/y", "x", 1) == 0,
	    "no letter of a path is a pattern");
	ok(put("d/e/f", "x", 1) == 0 && put("d-", "x", 1) == 0 &&
		put("d/e-", "x", 1) == 0 && put("d0", "x", 1) == 0 &&
		put("d/e0", "x", 1) == 0 && put("d/e/f", "y", 1) == 0,
	    "names that sort around a folder are not in it");
	ok(put("d", "x", 1) < 0 && put("d/e", "x", 1) < 0 &&
		put("d/e/f/g/h", "x", 1) < 0 && put("d-/x", "x", 1) < 0,
	    "a file or folder at any depth is in the way");
}

static void
test_origins(void)
{
	struct file_origin made = {.kind = FILE_CALL, .call = 1};
	struct file_origin from = {.kind = FILE_IMPORT,
	    .call = 2,
	    .url = LINK "333",
	    .revision = "0-x",
	    .channel = "22",
	    .attachment = "7"};
	struct file_scan scan = {0};
	struct file f = {0};
	struct graves g = {0};

	ok(put_as("made", "x", 1, &made) == 0 &&
		file_find(&scan, &store, run.task, "made", &f, &why) == 1 &&
		f.origin.kind == FILE_CALL && f.origin.call == 1,
	    "a file says which call made it");
	ok(put_as("from", "x", 1, &from) == 0 &&
		file_find(&scan, &store, run.task, "from", &f, &why) == 1 &&
		strcmp(f.origin.url, LINK "333") == 0 &&
		strcmp(f.origin.revision, "0-x") == 0 && f.origin.call == 2 &&
		strcmp(f.origin.attachment, "7") == 0,
	    "or which message it was attached to");
	file_end(&scan);
	made.call = 9;
	ok(put_as("made", "y", 1, &made) < 0 && why.kind == ERR_INPUT &&
		holds("made", "x", 1),
	    "a call that there isn't makes nothing");
	graves_add(&g, &(struct grave){GRAVE_MESSAGE, 444, 1});
	tombstones_note(&g, false, &why);
	graves_release(&g);
	from.url = LINK "444";
	ok(put_as("late", "x", 1, &from) < 0 && why.kind == ERR_REFUSED,
	    "a message that was deleted brings nothing");
	store_begin(&store, &why);
	ok(file_read_by(&store, run.task, 3, "from", &why) == 0 &&
		file_read_by(&store, run.task, 3, "none", &why) < 0 &&
		why.kind == ERR_INPUT,
	    "that a call reads a file is noted");
	db_exec(&store.db, "UPDATE call SET gone_ms = 1 WHERE n = 3", &why);
	done(0);
	made.call = 3;
	ok(put_as("made", "y", 1, &made) < 0 && why.kind == ERR_REFUSED,
	    "a call that rests on what is gone makes nothing");
}

static int
hand_over(struct artifact *a, const char *name, const char *bytes, size_t len)
{
	*a = (struct artifact){.task = run.task,
	    .call = 1,
	    .filename = name,
	    .media = "image/png",
	    .kind = "image"};
	why = (struct err){0};
	if (store_begin(&store, &why) < 0)
		return -1;
	return done(artifact_add(&store, a, bytes, len, &why));
}

static bool
found(const char *which, int64_t version, int64_t want)
{
	struct artifact_scan scan = {0};
	struct artifact a = {0};
	int row = artifact_find(&scan, &store, run.task, which, version, &a,
	    &why);
	bool good = want ? row == 1 && a.version == want : row == 0;

	artifact_end(&scan);
	return good;
}

static void
test_artifacts(void)
{
	struct artifact one, two, three;
	char hash[CONTENT_HASH + 1];
	struct buf b = {0};

	ok(hand_over(&one, "plot.png", "1", 1) == 0 && one.version == 1 &&
		id_valid(one.id),
	    "an artifact gets an id and a version");
	ok(hand_over(&two, "plot.png", big, BIG) == 0 && two.version == 2 &&
		strcmp(two.id, one.id) == 0,
	    "the same filename is the next version of it");
	ok(hand_over(&three, "other.png", "3", 1) == 0 && three.version == 1 &&
		strcmp(three.id, one.id) != 0,
	    "another one is another thing");
	ok(found("plot.png", 0, 2) && found("plot.png", 1, 1) &&
		found("plot.png", -1, 2) && found("plot.png", -2, 1) &&
		found("plot.png", -3, 0) && found("plot.png", 3, 0) &&
		found(one.id, 0, 2) && found(one.id, 1, 1) &&
		found("none", 0, 0) && found("plot.png", INT64_MIN, 0),
	    "each is found by name or id, and by version from either end");
	ok(hand_over(&three, "a/b", "3", 1) < 0 &&
		hand_over(&three, "..", "3", 1) < 0 &&
		hand_over(&three, NULL, "3", 1) < 0,
	    "a filename is one part of a path");
	store_begin(&store, &why);
	ok(content_put(&store, "wire", 4, hash, &why) == 0 &&
		artifact_wire_set(&store, one.id, 1, hash, "image/jpeg",
		    &why) == 0 &&
		artifact_wire_set(&store, one.id, 9, hash, "image/jpeg", &why) <
		    0,
	    "it gets a copy for the wire");
	done(0);
	store_begin(&store, &why);
	db_exec(&store.db,
	    "INSERT INTO artifact_last SELECT id, task, 2 FROM artifact"
	    " WHERE filename = 'plot.png' AND version = 2;"
	    "DELETE FROM artifact WHERE filename = 'plot.png' AND version = 2",
	    &why);
	done(0);
	ok(hand_over(&three, "plot.png", "4", 1) == 0 && three.version == 3,
	    "a version that is gone is never given again");
	artifact_describe(&b, NULL, &three);
	ok(strstr(buf_text(&b), "\"version\":3,\"filename\":\"plot.png\"") !=
		NULL,
	    "it is described");
	buf_release(&b);
}

static void
test_pictures(void)
{
	struct picture one = {.name = "a.png", .media = "image/png"};
	struct picture two = {.name = "b.mp4",
	    .media = "image/jpeg",
	    .frame = true,
	    .offset_ms = 0};

	store_begin(&store, &why);
	ok(done(picture_add(&store, run.task, 2, &one, "1", 1, &why)) == 0 &&
		one.n == 1,
	    "a call gives a picture to the model");
	store_begin(&store, &why);
	ok(done(picture_add(&store, run.task, 2, &two, big, BIG, &why)) == 0 &&
		two.n == 2 && two.size == BIG && strlen(two.hash) == 64,
	    "and the next one");
	store_begin(&store, &why);
	ok(done(picture_add(&store, run.task, 3, &two, "1", 1, &why)) < 0,
	    "but none that rests on what is gone");
}

/* What a killed writer leaves: a blob in place, and no row. */
static void
test_orphans(void)
{
	struct content_stage stage = {0};
	int status = -1;
	pid_t child;

	big[0] = 'o';
	content_stage(&stage, big, BIG, &why);
	ok(is_there(blob_of(big, BIG)), "a large content is staged");
	fflush(stdout);
	child = fork();
	if (child == 0) {
		struct store s = {0};
		struct err e = {0};
		struct lock l = {0};

		store_open(&s, "tasks", STORE_WRITE, &e);
		_exit(lock_take(&l, in_scratch("home/run/blob"), LOCK_EXCLUSIVE,
			  0, &e) == 0);
	}
	waitpid(child, &status, 0);
	ok(status == 0, "meanwhile nobody sweeps");
	content_unstage(&stage);
	content_unstage(&stage);
	ok(content_sweep(&store, 0, &why) == 0 && is_there(blob_of(big, BIG)),
	    "the small sweep doesn't look for it");
	ok(content_sweep_all(&store, 0, &why) == 1 &&
		!is_there(blob_of(big, BIG)),
	    "the large one finds what no row needs");
	ok(content_sweep_all(&store, 0, &why) == 0 &&
		holds("mended", other, BIG),
	    "and nothing else");
}

static void
test_forgotten(void)
{
	store_begin(&store, &why);
	db_exec(&store.db, "DELETE FROM task", &why);
	done(0);
	ok(number("SELECT count(*) FROM content") == 0 &&
		number("SELECT count(*) FROM file_input") == 0 &&
		content_sweep(&store, 0, &why) == 0 &&
		!is_there(blob_of(other, BIG)),
	    "with its task, all of it goes");
	ok(put("a", "abc", 3) < 0 && why.kind == ERR_INPUT,
	    "and nothing comes to a task that there isn't");
}

static void
test_lock(void)
{
	struct lock one = {0}, two = {0};

	ok(filelock_try(&one, run.task, 0, &why) == 1 &&
		filelock_try(&two, run.task, 0, &why) == 0,
	    "one at a time changes the files of a task");
	filelock_end(&one, run.task);
	ok(filelock_try(&two, run.task, 0, &why) == 1, "then the next one");
	lock_drop(&two);
}

int
main(void)
{
	scratch_open();
	memset(big, 'b', BIG);
	memset(other, 'o', BIG);
	other[1] = 'x';
	if (store_open(&store, "tasks", STORE_WRITE, &why) < 0)
		printf("# %s\n", why.text);
	begin();
	test_contents();
	test_damage();
	test_paths();
	test_origins();
	test_artifacts();
	test_pictures();
	test_orphans();
	test_forgotten();
	test_lock();
	runner_release(&run);
	store_close(&store);
	scratch_close();
	return tap_done();
}
