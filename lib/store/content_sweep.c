#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/crash.h"
#include "core/err.h"
#include "core/home.h"
#include "core/lock.h"
#include "store/base.h"
#include "store/content.h"
#include "store/content_place.h"

enum { TURN_MS = 30 };

int
content_folder(char out[PATH_MAX], const char *hash, struct err *e)
{
	char name[16];

	snprintf(name, sizeof(name), "blob/%.2s", hash);
	return home_path(out, name, e);
}

int
content_path(char out[PATH_MAX], const char *hash, struct err *e)
{
	char name[16 + CONTENT_HASH];

	snprintf(name, sizeof(name), "blob/%.2s/%.*s", hash, CONTENT_HASH,
	    hash);
	return home_path(out, name, e);
}

static int
be_alone(struct lock *l, int wait_ms, struct err *e)
{
	char path[PATH_MAX];

	if (home_path(path, CONTENT_LOCK, e) < 0)
		return -1;
	return lock_take(l, path, LOCK_EXCLUSIVE, wait_ms, e);
}

static int
remove_blob(const char *hash, struct err *e)
{
	char path[PATH_MAX];

	if (content_path(path, hash, e) < 0)
		return -1;
	if (unlink(path) == 0 || errno == ENOENT)
		return 0;
	return err_sys(e, err_kind_of_errno(ERR_CONFIG), "removing %s", path);
}

/* The first one that is to go: 1, 0 or -1. */
static int
next_gone(struct store *s, char hash[CONTENT_HASH + 1], struct err *e)
{
	struct stmt q = {0};
	int row;

	stmt_start(&q, &s->db, "SELECT hash FROM blob_gone LIMIT 1");
	row = stmt_next(&q, e);
	if (row > 0)
		snprintf(hash, CONTENT_HASH + 1, "%s", row_text(&q, 0));
	stmt_end(&q);
	return row;
}

static int
forget_gone(struct store *s, const char *hash, struct err *e)
{
	struct stmt q = {0};

	stmt_start(&q, &s->db, "DELETE FROM blob_gone WHERE hash = ?1");
	stmt_text(&q, 1, hash);
	return stmt_once(&q, e);
}

/* Some of them, in one turn: 1 if there may be more, 0 or -1. */
static int
sweep_some(struct store *s, int64_t *gone, struct err *e)
{
	char hash[CONTENT_HASH + 1];
	int64_t until_ms;
	int row;

	if (store_begin(s, e) < 0)
		return -1;
	until_ms = clock_boot_ms() + TURN_MS;
	while ((row = next_gone(s, hash, e)) > 0) {
		if (remove_blob(hash, e) < 0 || forget_gone(s, hash, e) < 0) {
			row = -1;
			break;
		}
		++*gone;
		if (clock_boot_ms() >= until_ms)
			break;
	}
	if (row < 0) {
		store_rollback(s);
		return -1;
	}
	CRASH_POINT("content.sweep");
	if (store_commit(s, e) < 0)
		return -1;
	CRASH_POINT("content.sweep.done");
	return row;
}

/* With run/blob held alone. */
static int
sweep_known(struct store *s, int64_t *gone, struct err *e)
{
	int more;

	do
		more = sweep_some(s, gone, e);
	while (more > 0);
	return more;
}

int
content_sweep(struct store *s, int wait_ms, struct err *e)
{
	struct lock alone = {0};
	char hash[CONTENT_HASH + 1];
	int64_t gone = 0;
	int rc = next_gone(s, hash, e);

	if (rc > 0 && (rc = be_alone(&alone, wait_ms, e)) == 0)
		rc = sweep_known(s, &gone, e);
	lock_drop(&alone);
	return rc;
}

void
content_tidy(struct store *s)
{
	struct err e = {0};

	content_sweep(s, 0, &e);
}

/* Rows that nothing refers to: whoever put them forgot to. */
static int
drop_unused(struct store *s, int64_t *gone, struct err *e)
{
	static const char
	    sql[] = "DELETE FROM content WHERE NOT EXISTS (SELECT 1"
		    " FROM content_use u WHERE u.hash = content.hash)";
	struct stmt q = {0};

	if (store_begin(s, e) < 0)
		return -1;
	stmt_start(&q, &s->db, sql);
	if (stmt_once(&q, e) < 0) {
		store_rollback(s);
		return -1;
	}
	*gone += db_changes(&s->db);
	CRASH_POINT("content.unused");
	if (store_commit(s, e) < 0)
		return -1;
	CRASH_POINT("content.unused.done");
	return 0;
}

/* Is it the name of a content that some row has: 1, 0 or -1. */
static int
is_needed(struct store *s, const char *name, struct err *e)
{
	struct stmt q = {0};
	int row;

	stmt_start(&q, &s->db,
	    "SELECT 1 FROM content WHERE hash = ?1 AND bytes IS NULL");
	stmt_text(&q, 1, name);
	row = stmt_next(&q, e);
	stmt_end(&q);
	return row;
}

/* What is in one folder of blob/, and isn't needed: in a turn. */
static int
sweep_folder(struct store *s, int at, const char *name, int64_t *gone,
    struct err *e)
{
	int fd = openat(at, name,
	    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *d;
	int needed = 0;

	if (!dir) {
		if (fd >= 0)
			close(fd);
		return err_sys(e, err_kind_of_errno(ERR_CONFIG), "blob/%s",
		    name);
	}
	while (needed >= 0 && (d = readdir(dir))) {
		if (*d->d_name == '.')
			continue;
		needed = is_needed(s, d->d_name, e);
		if (needed != 0)
			continue;
		if (unlinkat(fd, d->d_name, 0) < 0)
			needed = err_sys(e, err_kind_of_errno(ERR_CONFIG),
			    "removing blob/%s/%.80s", name, d->d_name);
		++*gone;
	}
	closedir(dir);
	return needed < 0 ? -1 : 0;
}

static int
sweep_folders(struct store *s, DIR *dir, int64_t *gone, struct err *e)
{
	struct dirent *d;
	int rc = 0;

	while (rc == 0 && (d = readdir(dir))) {
		if (*d->d_name == '.')
			continue;
		if (store_begin(s, e) < 0)
			return -1;
		rc = sweep_folder(s, dirfd(dir), d->d_name, gone, e);
		store_rollback(s);
	}
	return rc;
}

static int
sweep_disk(struct store *s, int64_t *gone, struct err *e)
{
	char path[PATH_MAX];
	DIR *dir;
	int rc;

	if (home_path(path, "blob", e) < 0)
		return -1;
	dir = opendir(path);
	if (!dir)
		return errno == ENOENT
			   ? 0
			   : err_sys(e, err_kind_of_errno(ERR_CONFIG), "%s",
				 path);
	rc = sweep_folders(s, dir, gone, e);
	closedir(dir);
	return rc;
}

int64_t
content_sweep_all(struct store *s, int wait_ms, struct err *e)
{
	struct lock alone = {0};
	int64_t gone = 0, unused = 0;
	int rc = be_alone(&alone, wait_ms, e);

	if (rc == 0)
		rc = drop_unused(s, &unused, e);
	if (rc == 0)
		rc = sweep_known(s, &gone, e);
	if (rc == 0)
		rc = sweep_disk(s, &gone, e);
	lock_drop(&alone);
	return rc < 0 ? -1 : gone;
}
