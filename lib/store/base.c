#include "store/base.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/err.h"
#include "core/file.h"
#include "core/home.h"
#include "store/settings.h"
#include "store/upgrade.h"

enum {
	WAIT_MS = 5000,      /* for the turn, and for others to let it go */
	UPGRADE_TRY_MS = 50, /* meanwhile another may have upgraded it */
};

static const struct kind {
	const char *name;
	enum db_sync sync;
	bool durable;
} kinds[] = {
    {"tasks", DB_SYNC_FULL, true},
    {"knowledge", DB_SYNC_FULL, true},
    {"products", DB_SYNC_FULL, true},
    {"messages", DB_SYNC_NORMAL, false},
};

const char *
store_name(size_t i)
{
	return i < sizeof(kinds) / sizeof(kinds[0]) ? kinds[i].name : NULL;
}

static const struct kind *
kind_of(const char *name)
{
	size_t i = 0;

	while (strcmp(kinds[i].name, name) != 0) {
		i++;
		assert(i < sizeof(kinds) / sizeof(kinds[0]));
	}
	return &kinds[i];
}

/* The index may be elsewhere: 1 and its path if a setting says so. */
static int
moved(char out[PATH_MAX], struct err *e)
{
	struct settings settings;
	const char *path;
	int rc;

	if (settings_open(&settings, e) < 0)
		return -1;
	path = settings_text(&settings, "index.path");
	rc = *path != '\0';
	snprintf(out, PATH_MAX, "%s", path);
	settings_close(&settings);
	return rc;
}

int
store_path(char out[PATH_MAX], const char *name, struct err *e)
{
	char file[32];
	int rc = strcmp(name, "messages") == 0 ? moved(out, e) : 0;

	if (rc != 0)
		return rc < 0 ? -1 : 0;
	snprintf(file, sizeof(file), "%s.sqlite", name);
	return home_path(out, file, e);
}

int
store_exists(const char *name, struct err *e)
{
	char path[PATH_MAX];
	struct stat st;

	if (store_path(path, name, e) < 0)
		return -1;
	if (stat(path, &st) == 0)
		return st.st_size > 0;
	return errno == ENOENT
		   ? 0
		   : err_sys(e, err_kind_of_errno(ERR_CONFIG), "%s", path);
}

static int
take(struct lock *l, const char *name, const char *what, enum lock_mode mode,
    int wait_ms, struct err *e)
{
	char file[32], path[PATH_MAX];

	snprintf(file, sizeof(file), "run/%s.%s", name, what);
	return home_path(path, file, e) < 0
		   ? -1
		   : lock_take(l, path, mode, wait_ms, e);
}

int
store_look(const char *name, struct err *e)
{
	struct db db = {0};
	char path[PATH_MAX];
	int64_t version;
	int state = store_exists(name, e);

	if (state <= 0)
		return state < 0 ? -1 : STORE_NONE;
	if (store_path(path, name, e) < 0 ||
	    db_open(&db, path, DB_READ, DB_SYNC_NORMAL, e) < 0)
		return -1;
	state = upgrade_check(&db, name, &version, e);
	db_close(&db);
	return state < 0 ? -1 : state == 0 ? STORE_OLD : STORE_CURRENT;
}

/* Open it as it is: 1 if it is up to date, 0 if it must be upgraded, or -1. */
static int
open_as_is(struct store *s, enum store_mode mode, struct err *e)
{
	const struct kind *kind = kind_of(s->name);
	char path[PATH_MAX];
	int64_t version;
	int state;

	state = store_exists(s->name, e);
	if (state == 0 && mode == STORE_READ)
		return err_set(e, ERR_CONFIG, "there is no such store yet");
	if (take(&s->use, s->name, "use", LOCK_SHARED, WAIT_MS, e) < 0)
		return -1;
	state = store_exists(s->name, e);
	if (state > 0 && (state = store_path(path, s->name, e)) == 0) {
		state = db_open(&s->db, path,
		    mode == STORE_READ ? DB_READ : DB_WRITE, kind->sync, e);
		if (state == 0)
			state = upgrade_check(&s->db, s->name, &version, e);
	}
	if (state <= 0)
		store_close(s);
	return state;
}

/* Alone with the store: make it, or bring it up to date. 0 if we weren't. */
static int
upgrade(const struct kind *kind, struct err *e)
{
	struct lock alone = {0};
	int result;

	result = take(&alone, kind->name, "use", LOCK_EXCLUSIVE, UPGRADE_TRY_MS,
	    e);
	if (result < 0 && e->kind == ERR_AGAIN) {
		*e = (struct err){0};
		return 0;
	}
	if (result == 0)
		result = upgrade_run(kind->name, kind->sync, kind->durable, e);
	lock_drop(&alone);
	return result < 0 ? -1 : 1;
}

int
store_open(struct store *s, const char *name, enum store_mode mode,
    struct err *e)
{
	const int64_t until_ms = clock_boot_ms() + WAIT_MS;
	const char *home = home_state(e);
	int state, done;

	*s = (struct store){.name = kind_of(name)->name};
	if (!home || (mode == STORE_WRITE && file_mkdirs(home, e) < 0))
		return -1;
	while ((state = open_as_is(s, mode, e)) == 0) {
		if ((done = upgrade(kind_of(name), e)) < 0)
			return -1;
		if (!done && !clock_left_ms(until_ms))
			return err_set(e, ERR_AGAIN,
			    "%s.sqlite must be upgraded, but is in use", name);
	}
	return state < 0 ? err_in(e, "%s.sqlite", name) : 0;
}

int
store_open_index(struct store *s, enum store_mode mode, struct err *e)
{
	int there = store_exists("messages", e);

	if (there < 0)
		return -1;
	if (!there)
		return err_set(e, ERR_CONFIG,
		    "there are no messages yet; run: sophia index import FILE");
	return store_open(s, "messages", mode, e);
}

void
store_close(struct store *s)
{
	store_rollback(s);
	db_close(&s->db);
	lock_drop(&s->use);
}

int
store_begin(struct store *s, struct err *e)
{
	struct lock next = {0};
	int result;

	result = take(&next, s->name, "next", LOCK_EXCLUSIVE, WAIT_MS, e);
	if (result == 0)
		result = take(&s->turn, s->name, "write", LOCK_EXCLUSIVE,
		    WAIT_MS, e);
	lock_drop(&next);
	if (result == 0)
		result = db_begin(&s->db, e);
	if (result < 0)
		lock_drop(&s->turn);
	return result;
}

int
store_commit(struct store *s, struct err *e)
{
	int result = db_commit(&s->db, e);

	lock_drop(&s->turn);
	return result;
}

void
store_rollback(struct store *s)
{
	db_rollback(&s->db);
	lock_drop(&s->turn);
}
