/* A message is deleted that a file was attached to: what goes, what stays. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <unistd.h>

#include "core/err.h"
#include "core/id.h"
#include "record/call.h"
#include "record/turn.h"
#include "store/artifact.h"
#include "store/base.h"
#include "store/file.h"
#include "store/picture.h"
#include "store/purge.h"
#include "store/retract.h"
#include "store/runner.h"
#include "store/tombstone.h"

#include "scratch.h"
#include "tap.h"

enum { BIG = CONTENT_SMALL + 1 };

static struct store store;
static struct runner run;
static struct err why;
static char big[BIG];

static int
done(int rc)
{
	if (rc >= 0 && store_commit(&store, &why) < 0)
		rc = -1;
	if (rc < 0)
		printf("# %s\n", why.text);
	store_rollback(&store);
	return rc;
}

static int64_t
number(const char *sql)
{
	int64_t n = -1;

	if (db_int(&store.db, sql, -1, &n, &why) < 0)
		printf("# %s\n", why.text);
	return n;
}

/* A round of two calls more, until a control row makes it stale. */
static void
round_of_two(void)
{
	const struct call calls[2] = {{.capability = "a"}, {.capability = "b"}};

	if (runner_calls(&run, "{}", calls, 2, &why) < 0)
		printf("# %s\n", why.text);
}

static void
begin(void)
{
	char id[ID_LEN + 1];
	struct turn t = {.id = id, .actor = {"local", "me"}, .text = "draw"};

	id_new(id);
	if (runner_start(&run, &store, &t, id, "extractive", &why) != 1)
		printf("# %s\n", why.text);
	round_of_two();
	round_of_two();
}

static void
end(void)
{
	runner_release(&run);
	store_begin(&store, &why);
	done(db_exec(&store.db, "DELETE FROM task", &why));
}

static void
put(const char *path, enum file_kind kind, int64_t call)
{
	const struct file_origin o = {.kind = kind,
	    .call = call,
	    .url = kind == FILE_IMPORT ? "https://discord.com/channels/1/2/3"
				       : NULL,
	    .channel = kind == FILE_IMPORT ? "2" : NULL};

	big[0]++;
	store_begin(&store, &why);
	done(
	    file_put(&store, run.task, path, "text/plain", big, BIG, &o, &why));
}

static void
reads(int64_t call, const char *path)
{
	store_begin(&store, &why);
	done(file_read_by(&store, run.task, call, path, &why));
}

static void
hand_over(int64_t call)
{
	struct artifact a = {.task = run.task,
	    .call = call,
	    .filename = "plot",
	    .media = "text/plain",
	    .kind = "text"};
	struct picture p = {.name = "plot", .media = "image/png"};

	store_begin(&store, &why);
	done(artifact_add(&store, &a, "x", 1, &why) < 0
		 ? -1
		 : picture_add(&store, run.task, call, &p, "y", 1, &why));
}

static int
bury(enum grave_kind kind, uint64_t id)
{
	const struct grave g = {.kind = kind, .id = id};

	store_begin(&store, &why);
	return done(retract_grave(&store, &g, &why));
}

static const char *
paths(void)
{
	static char all[512];
	struct file_scan scan = {0};
	struct file f;

	all[0] = '\0';
	file_list(&scan, &store, run.task);
	while (file_next(&scan, &f, &why) > 0)
		snprintf(all + strlen(all), sizeof(all) - strlen(all), "%s ",
		    f.path);
	file_end(&scan);
	return all;
}

static void
test_later_rounds(void)
{
	begin();
	put("mine", FILE_PUT, 0);
	put("from", FILE_IMPORT, 1);
	put("beside", FILE_CALL, 2);
	hand_over(2);
	reads(3, "from");
	put("after", FILE_CALL, 3);
	hand_over(3);
	ok(bury(GRAVE_MESSAGE, 4) == 0 &&
		number("SELECT count(*) FROM file") == 4,
	    "a message that no file is from takes none along");
	ok(bury(GRAVE_MESSAGE, 3) == 1, "one that a file is from does");
	same(paths(), "beside mine ",
	    "the file goes, and what was made after it was there");
	ok(number("SELECT count(*) FROM artifact") == 1 &&
		number("SELECT call FROM artifact") == 2 &&
		number("SELECT count(*) FROM preview") == 1 &&
		number("SELECT count(*) FROM file_input") == 0,
	    "so do artifacts, pictures and what was noted of them");
	ok(number("SELECT count(*) FROM control WHERE kind = 'invalidate'"
		  " AND json_extract(data, '$.from') = 2") == 1,
	    "its runner is told from which round on");
	ok(bury(GRAVE_MESSAGE, 3) == 0, "to repeat it does nothing");
	hand_over(2);
	ok(number("SELECT max(version) FROM artifact") == 3,
	    "the number of a version that went is not given again");
	end();
}

static void
test_same_round(void)
{
	begin();
	put("from", FILE_IMPORT, 1);
	reads(2, "from");
	put("copy", FILE_CALL, 2);
	ok(bury(GRAVE_CHANNEL, 2) == 1, "a channel is deleted");
	same(paths(), "", "a call of the same round that read it is derived");
	ok(number("SELECT count(*) FROM call WHERE gone_ms IS NOT NULL") == 4,
	    "and all of its round");
	end();
}

static void
test_written_over(void)
{
	begin();
	put("from", FILE_IMPORT, 1);
	reads(3, "from");
	put("copy", FILE_CALL, 3);
	put("from", FILE_PUT, 0);
	ok(bury(GRAVE_MESSAGE, 3) == 1,
	    "that it was read is known after it was written over");
	same(paths(), "from ", "what a person put there stays");
	end();
}

static void
test_without_call(void)
{
	begin();
	put_clock(1000);
	put("from", FILE_IMPORT, 0);
	put("made", FILE_CALL, 1);
	ok(bury(GRAVE_MESSAGE, 3) == 1, "a file may come with a request");
	same(paths(), "made ", "then it is shown from the next round on");
	end();
}

static void
test_purge(void)
{
	struct graves g = {0};

	begin();
	put("from", FILE_IMPORT, 1);
	ok(number("SELECT count(*) FROM content WHERE bytes IS NULL") == 1 &&
		access(in_scratch("home/blob"), F_OK) == 0,
	    "a large file lies in blob/");
	graves_add(&g, &(struct grave){GRAVE_MESSAGE, 3, 1});
	tombstones_note(&g, false, &why);
	graves_release(&g);
	ok(purge_all(&why) == 0 && number("SELECT count(*) FROM file") == 0 &&
		number("SELECT count(*) FROM blob_gone") == 0,
	    "the purge takes it out");
	ok(content_sweep_all(&store, 0, &why) == 0, "with its bytes");
	end();
}

int
main(void)
{
	scratch_open();
	memset(big, 'b', BIG);
	if (store_open(&store, "tasks", STORE_WRITE, &why) < 0)
		printf("# %s\n", why.text);
	test_later_rounds();
	test_same_round();
	test_written_over();
	test_without_call();
	test_purge();
	store_close(&store);
	scratch_close();
	return tap_done();
}
