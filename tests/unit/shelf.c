/* Files of a task to a run and back; what code hands over, kept as it runs. */
#define _GNU_SOURCE
#include "workspace/shelf.h"

#include <stdlib.h>

#include "core/buf.h"
#include "core/err.h"
#include "core/id.h"
#include "core/mem.h"
#include "record/call.h"
#include "record/turn.h"
#include "store/base.h"
#include "store/file.h"
#include "store/runner.h"
#include "workspace/attic.h"
#include "workspace/cabinet.h"
#include "workspace/door.h"
#include "workspace/handover.h"
#include "workspace/harvest.h"

#include "scratch.h"
#include "tap.h"

enum { BIG = CONTENT_SMALL + 1 };

static struct store store;
static struct runner run;
static struct err why;
static char big[BIG];

static void
begin(void)
{
	const struct call calls[2] = {{.capability = "a"}, {.capability = "b"}};
	char id[ID_LEN + 1];
	struct turn t = {.id = id, .actor = {"local", "me"}, .text = "draw"};

	id_new(id);
	if (runner_start(&run, &store, &t, id, "extractive", &why) != 1 ||
	    runner_calls(&run, "{}", calls, 2, &why) != 1)
		printf("# %s\n", why.text);
}

static void
put(const char *path, const char *bytes, size_t len)
{
	const struct file_origin o = {.kind = FILE_PUT};

	if (store_begin(&store, &why) < 0 ||
	    file_put(&store, run.task, path, "text/plain", bytes, len, &o,
		&why) < 0 ||
	    store_commit(&store, &why) < 0)
		printf("# %s\n", why.text);
	store_rollback(&store);
}

/* The paths of the task, a space after each. */
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

static int64_t
number(const char *sql)
{
	int64_t n = -1;

	db_int(&store.db, sql, -1, &n, &why);
	return n;
}

static int
take(struct bundle *b, const char *const *picked, size_t n)
{
	why = (struct err){0};
	return shelf_take(b, &store, run.task, 1,
	    &(struct shelf_pick){picked, n}, &why);
}

static void
test_take(void)
{
	static const char *const some[] = {"a", "d"}, *const none[] = {"d/"},
				 *const lost[] = {"a", "e"};
	struct bundle *b = mem_new(sizeof(*b));

	put("a", "1", 1);
	put("d/x", big, BIG);
	put("d/y", "", 0);
	put("da", "4", 1);
	ok(take(b, NULL, 0) == 0 && b->count == 4 &&
		bundle_find(b, "d/x", 3)->bytes.len == BIG &&
		memcmp(bundle_find(b, "d/x", 3)->bytes.data, big, BIG) == 0,
	    "all files are taken, with their bytes");
	bundle_release(b);
	ok(number("SELECT count(*) FROM file_input WHERE call = 1") == 4,
	    "and the call is noted as their reader");
	ok(take(b, some, 2) == 0 && b->count == 3 && !bundle_find(b, "da", 2),
	    "a file is picked by its path, and what is in a folder by that");
	bundle_release(b);
	ok(take(b, lost, 2) < 0 && why.kind == ERR_INPUT &&
		strcmp(why.text, "there is no file e") == 0,
	    "what isn't there is named");
	bundle_release(b);
	ok(take(b, none, 1) < 0, "nor is a path that is none");
	bundle_release(b);
	free(b);
}

static void
give(struct harvest *h, const char *path, const char *bytes, size_t len)
{
	struct bundle_file *f = bundle_add(&h->changed, path, strlen(path), len,
	    &why);

	buf_add(&f->bytes, bytes, len);
}

/* Take all, and keep what a call made of it: `kept` stays as it was. */
static int
keep(int64_t call, const char *kept, const char *path, const char *bytes,
    size_t len)
{
	struct bundle *b = mem_new(sizeof(*b));
	struct harvest *h = mem_new(sizeof(*h));
	int rc = take(b, NULL, 0);

	h->before = b;
	for (size_t i = 0; i < b->count; i++)
		h->kept[i] = strstr(kept, b->files[i].path) != NULL;
	if (path)
		give(h, path, bytes, len);
	if (rc == 0)
		rc = shelf_keep(&store, run.task, call, h, &why);
	harvest_release(h);
	bundle_release(b);
	free(h);
	free(b);
	return rc;
}

static void
test_keep(void)
{
	ok(keep(1, "d/x d/y", "a", "new", 3) == 0, "a call changes files");
	same(paths(), "a d/x d/y ", "what it removed is gone");
	ok(number("SELECT count(*) FROM file WHERE origin = 'call'"
		  " AND call = 1 AND path = 'a'") == 1,
	    "what it made says so");
	ok(keep(1, "d/x d/y", "a/b", big, BIG) == 0,
	    "a folder takes the place of a file");
	same(paths(), "a/b d/x d/y ", "and is there");
	put("z", "1", 1);
	ok(keep(1, "a/b d/x d/y z", "a/b/c", "x", 1) < 0 &&
		why.kind == ERR_REFUSED,
	    "what can't be kept is refused");
	db_exec(&store.db, "UPDATE call SET gone_ms = 1 WHERE n = 2", &why);
	ok(keep(2, "", "n", "x", 1) < 0 && why.kind == ERR_REFUSED,
	    "so is what a call made that rests on what is gone");
	same(paths(), "a/b d/x d/y z ", "then all is as it was");
	ok(keep(1, "", NULL, NULL, 0) == 0 && *paths() == '\0',
	    "a call may remove all");
}

static const char *
ask(struct cabinet *c, const char *what, const char *name, int64_t version,
    const char *bytes, size_t len)
{
	static struct buf said;
	struct door door = {&cabinet_keeper, c};

	buf_release(&said);
	door_answer(&door,
	    &(struct handover_question){.what = what,
		.name = name,
		.which = name,
		.version = version,
		.bytes = bytes,
		.len = len},
	    &said);
	return buf_text(&said);
}

static void
test_cabinet(void)
{
	struct cabinet c = {.mint = {&store, run.task, 1, 0, 0}};
	const char *said = ask(&c, "attach", "a.txt", 0, "one", 3);

	ok(strstr(said, "\"version\":1,\"filename\":\"a.txt\"") &&
		strstr(said, "\"kind\":\"text\",\"size\":3"),
	    "what code hands over is described at once");
	ok(number("SELECT count(*) FROM artifact WHERE call = 1") == 1,
	    "and kept by then");
	ask(&c, "attach", "a.txt", 0, big, BIG);
	said = ask(&c, "get", "a.txt", -1, NULL, 0);
	ok(strstr(said, "\"version\":2") != NULL, "it is found again");
	same(ask(&c, "read", "a.txt", 1, NULL, 0), "{\"bytes\":3}\none",
	    "and read");
	ok(strstr(ask(&c, "read", "a.txt", 2, NULL, 0), "{\"bytes\":65537}") !=
		NULL,
	    "also a large one");
	ok(strstr(ask(&c, "read", "b.txt", 0, NULL, 0), "\"error\"") &&
		strstr(ask(&c, "read", NULL, 0, NULL, 0), "\"error\"") &&
		strstr(ask(&c, "attach", "a/b", 0, "", 0), "\"error\"") &&
		strstr(ask(&c, "attach", NULL, 0, "", 0), "\"error\"") &&
		strstr(ask(&c, "burn", "a.txt", 0, "", 0), "\"error\""),
	    "what can't be is said so");
	said = strstr(ask(&c, "list", NULL, 0, NULL, 0), "\"version\":1");
	ok(said && strstr(said, "\"version\":2"), "all are listed, in order");
	c.mint.count = MINT_MOST;
	ok(strstr(ask(&c, "attach", "a.txt", 0, "", 0), "more than 100"),
	    "but not without end");
	c = (struct cabinet){.mint = {&store, run.task, 2, 0, 0}};
	ok(strstr(ask(&c, "attach", "a.txt", 0, "", 0), "deleted") != NULL,
	    "a call that rests on what is gone hands nothing over");
	ask(&c, "list", NULL, 0, NULL, 0);
}

int
main(void)
{
	scratch_open();
	memset(big, 'b', BIG);
	if (store_open(&store, "tasks", STORE_WRITE, &why) < 0)
		printf("# %s\n", why.text);
	begin();
	test_take();
	test_keep();
	test_cabinet();
	runner_release(&run);
	store_close(&store);
	scratch_close();
	return tap_done();
}
