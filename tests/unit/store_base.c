#define _GNU_SOURCE
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/err.h"
#include "core/file.h"
#include "store/base.h"
#include "scratch.h"
#include "tap.h"

enum { WRITERS = 8, COMMITS = 25 };

static void
put(const char *name, const char *text)
{
	struct err e = {0};

	if (file_replace(in_scratch(name), text, strlen(text), &e) < 0)
		printf("# %s\n", e.text);
}

static int64_t
number(struct store *s, const char *sql)
{
	struct err e = {0};
	int64_t n = -1;

	db_int(&s->db, sql, -1, &n, &e);
	return n;
}

/* Open the store "products" and close it: how many, or the kind of error. */
static int
probe(enum store_mode mode, char *why, size_t len)
{
	struct store s;
	struct err e = {0};
	int rc = store_open(&s, "products", mode, &e);

	snprintf(why, len, "%s", e.text);
	store_close(&s);
	return rc < 0 ? (int)e.kind : 0;
}

static void
test_create(void)
{
	char why[512];
	struct stat st;
	struct store s = {0};
	struct err e = {0};

	put("share/schema/products/0001.sql",
	    "CREATE TABLE a (n INTEGER NOT NULL) STRICT;");
	ok(store_exists("products", &e) == 0, "there is no store at first");
	ok(probe(STORE_READ, why, sizeof(why)) == ERR_CONFIG,
	    "a reader makes none");
	same(why, "products.sqlite: there is no such store yet", "and says so");
	ok(probe(STORE_WRITE, why, sizeof(why)) == 0, "a writer makes it");
	ok(stat(in_scratch("home/products.sqlite"), &st) == 0 &&
		(st.st_mode & 0777) == 0600,
	    "for us alone");
	ok(store_exists("products", &e) == 1, "then there is one");
	ok(store_open(&s, "products", STORE_WRITE, &e) == 0 &&
		store_begin(&s, &e) == 0 &&
		db_exec(&s.db, "INSERT INTO a VALUES (1)", &e) == 0 &&
		store_commit(&s, &e) == 0,
	    "a row is committed");
	ok(store_begin(&s, &e) == 0 &&
		db_exec(&s.db, "INSERT INTO a VALUES (2)", &e) == 0,
	    "another is written");
	store_rollback(&s);
	store_rollback(&s);
	ok(number(&s, "SELECT sum(n) FROM a") == 1, "and rolled back");
	ok(number(&s, "PRAGMA synchronous") == 2, "commits are synced");
	store_close(&s);
	store_close(&s);
}

/* The same by another process, for which time runs until it gives up. */
static int
probe_in_vain(void)
{
	char why[512];
	int status = 0;
	pid_t child;

	put_clock(0);
	fflush(stdout);
	if ((child = fork()) == 0)
		_exit(probe(STORE_WRITE, why, sizeof(why)));
	for (int ms = 0; waitpid(child, &status, WNOHANG) == 0; ms += 500) {
		put_clock(ms);
		clock_sleep_ms(5);
	}
	unsetenv("SOPHIA_CLOCK");
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void
test_upgrade(void)
{
	char why[512];
	struct store s = {0}, old = {0};
	struct err e = {0};

	ok(store_open(&old, "products", STORE_READ, &e) == 0,
	    "a program has it open");
	put("share/schema/products/0002.sql",
	    "CREATE TABLE b (n INTEGER) STRICT; INSERT INTO b SELECT n FROM a;");
	ok(probe_in_vain() == ERR_AGAIN, "it isn't upgraded while it is used");
	store_close(&old);
	mkdir(in_scratch("home/products.sqlite.v1.bak"), 0700);
	ok(probe(STORE_WRITE, why, sizeof(why)) == ERR_CONFIG &&
		strstr(why, "no backup, so no upgrade"),
	    "a failed backup stops the upgrade");
	rmdir(in_scratch("home/products.sqlite.v1.bak"));
	ok(store_open(&s, "products", STORE_READ, &e) == 0,
	    "a reader upgrades it as well");
	ok(number(&s, "SELECT n FROM b") == 1, "by what the schema says");
	ok(number(&s, "PRAGMA user_version") == 2, "to the newest version");
	store_close(&s);
	ok(access(in_scratch("home/products.sqlite.v1.bak"), R_OK) == 0,
	    "the old one was kept");
}

static void
test_refused(void)
{
	char why[512];

	put("share/schema/products/0003.sql", "CREATE TABLE a (n);");
	ok(probe(STORE_WRITE, why, sizeof(why)) == ERR_INTERNAL,
	    "a schema that fails is an error");
	unlink(in_scratch("share/schema/products/0003.sql"));
	ok(probe(STORE_WRITE, why, sizeof(why)) == 0,
	    "and has changed nothing");
	unlink(in_scratch("share/schema/products/0002.sql"));
	ok(probe(STORE_WRITE, why, sizeof(why)) == ERR_CONFIG &&
		strstr(why, "version 2 is newer than this program"),
	    "a newer store is refused");
	unlink(in_scratch("home/products.sqlite-wal"));
	unlink(in_scratch("home/products.sqlite-shm"));
	put("home/products.sqlite", "this was never a database, and stays so");
	ok(probe(STORE_WRITE, why, sizeof(why)) == ERR_CONFIG,
	    "what is no database is refused");
	ok(strstr(why, "file is not a database") != NULL, "and told so");
	unlink(in_scratch("home/products.sqlite-wal"));
	unlink(in_scratch("home/products.sqlite-shm"));
	put("home/products.sqlite", "");
	ok(probe(STORE_READ, why, sizeof(why)) == ERR_CONFIG,
	    "an empty file is none to a reader");
	ok(probe(STORE_WRITE, why, sizeof(why)) == 0,
	    "a writer makes a store of it");
}

/* A writer among many: the longest it waited for its turn, in ms, or 255. */
static int
write_much(void)
{
	struct store s = {0};
	struct err e = {0};
	int64_t worst = 0;

	if (store_open(&s, "products", STORE_WRITE, &e) < 0)
		goto fail;
	for (int i = 0; i < COMMITS; i++) {
		int64_t from = clock_boot_ms(), waited;

		if (store_begin(&s, &e) < 0)
			goto fail;
		waited = clock_boot_ms() - from;
		if (waited > worst)
			worst = waited;
		if (db_exec(&s.db, "UPDATE a SET n = n + 1", &e) < 0 ||
		    store_commit(&s, &e) < 0)
			goto fail;
	}
	store_close(&s);
	return worst > 254 ? 254 : (int)worst;
fail:
	printf("# %s\n", e.text);
	store_close(&s);
	return 255;
}

static void
test_contention(void)
{
	struct store s = {0};
	struct err e = {0};
	int worst = 0, good = 0, status;

	if (store_open(&s, "products", STORE_WRITE, &e) < 0 ||
	    db_exec(&s.db, "INSERT INTO a VALUES (0)", &e) < 0)
		printf("# %s\n", e.text);
	fflush(stdout);
	for (int i = 0; i < WRITERS; i++)
		if (fork() == 0)
			_exit(write_much());
	while (wait(&status) > 0) {
		int ms = WIFEXITED(status) ? WEXITSTATUS(status) : 255;

		good += ms < 255;
		worst = ms > worst ? ms : worst;
	}
	printf("# %d writers, %d commits each: longest wait %d ms%s\n", WRITERS,
	    COMMITS, worst, worst == 254 ? " or more" : "");
	ok(good == WRITERS, "no writer among many is turned away");
	ok(number(&s, "SELECT n FROM a") == WRITERS * COMMITS,
	    "and none loses a write");
	store_close(&s);
}

int
main(void)
{
	struct err e = {0};

	scratch_open();
	setenv("SOPHIA_SHARE", in_scratch("share"), 1);
	ok(file_mkdirs(in_scratch("share/schema/products"), &e) == 0,
	    "a folder of its own");
	test_create();
	test_upgrade();
	test_refused();
	test_contention();
	scratch_close();
	return tap_done();
}
