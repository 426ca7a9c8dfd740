#include "store/upgrade.h"

#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/buf.h"
#include "core/crash.h"
#include "core/err.h"
#include "core/file.h"
#include "core/home.h"
#include "store/base.h"

enum {
	OURS = 0x536f7068,  /* application_id: "Soph" */
	SQL_MAX = 1 << 20,  /* bytes of a schema file */
	NEWEST_EVER = 9999, /* NNNN.sql */
};

static int
schema_path(char out[PATH_MAX], const char *name, int64_t version,
    struct err *e)
{
	char file[64];

	snprintf(file, sizeof(file), "schema/%s/%04" PRId64 ".sql", name,
	    version);
	return home_share_path(out, file, e);
}

/* Is there a schema of that version: 1, 0 or -1. */
static int
known(const char *name, int64_t version, struct err *e)
{
	char path[PATH_MAX];

	if (schema_path(path, name, version, e) < 0)
		return -1;
	return access(path, R_OK) == 0;
}

/*
 * All stores have one mark, and a setting can name any path: the schema of one
 * must never be put upon another. 1 if it holds the main table of another.
 */
static int
is_another(struct db *db, const char *name, struct err *e)
{
	struct stmt s = {0};
	int row;

	stmt_start(&s, db,
	    "SELECT 1 FROM sqlite_schema WHERE type = 'table'"
	    " AND (name IN ('task', 'message') AND name || 's' <> ?1"
	    "  OR name = 'purge' AND ?1 <> 'knowledge')");
	stmt_text(&s, 1, name);
	row = stmt_next(&s, e);
	stmt_end(&s);
	return row;
}

static int
check_mark(struct db *db, const char *name, int64_t *version, struct err *e)
{
	int64_t mark, tables;
	int another = is_another(db, name, e);

	if (another < 0 ||
	    db_int(db, "PRAGMA application_id", 0, &mark, e) < 0 ||
	    db_int(db, "PRAGMA user_version", 0, version, e) < 0 ||
	    db_int(db, "SELECT count(*) FROM sqlite_schema", 0, &tables, e) < 0)
		return -1;
	if (another)
		return err_set(e, ERR_CONFIG, "another store of Sophia's");
	if (mark == OURS && *version > 0)
		return 1;
	if (mark == 0 && *version == 0 && tables == 0)
		return 0; /* its making was interrupted */
	return err_set(e, ERR_CONFIG, "not a store of Sophia's");
}

int
upgrade_check(struct db *db, const char *name, int64_t *version, struct err *e)
{
	int rc = check_mark(db, name, version, e);

	if (rc <= 0)
		return rc;
	rc = *version > NEWEST_EVER ? 0 : known(name, *version, e);
	if (rc == 0)
		return err_set(e, ERR_CONFIG,
		    "version %" PRId64 " is newer than this program, or %s is "
		    "not its share folder",
		    *version, home_share(e));
	if (rc < 0 || (rc = known(name, *version + 1, e)) < 0)
		return -1;
	return !rc;
}

static int
apply(struct db *db, const char *name, int64_t version, struct err *e)
{
	struct buf sql = {.limit = SQL_MAX};
	char path[PATH_MAX], mark[96];
	int result = -1;

	snprintf(mark, sizeof(mark),
	    "PRAGMA application_id = %d; PRAGMA user_version = %" PRId64, OURS,
	    version);
	if (schema_path(path, name, version, e) == 0 &&
	    file_read(&sql, path, e) == 0 &&
	    db_exec(db, buf_text(&sql), e) == 0)
		result = db_exec(db, mark, e);
	buf_release(&sql);
	return result < 0 ? err_in(e, "upgrade to version %" PRId64, version)
			  : 0;
}

static int
apply_all(struct db *db, const char *name, int64_t version, struct err *e)
{
	int more;

	if (db_begin(db, e) < 0)
		return -1;
	while ((more = known(name, version + 1, e)) > 0) {
		if (apply(db, name, ++version, e) < 0)
			goto out;
	}
	if (more == 0 && version == 0)
		more = err_set(e, ERR_CONFIG, "there is no schema for it in %s",
		    home_share(e));
	CRASH_POINT("upgrade.commit");
	if (more == 0)
		return db_commit(db, e);
out:
	db_rollback(db);
	return -1;
}

static int
sync_file(const char *path, struct err *e)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int rc = fd < 0 ? -1 : fsync(fd);

	if (rc < 0)
		err_sys(e, ERR_IO, "syncing %s", path);
	if (fd >= 0)
		close(fd);
	return rc;
}

/* Copy it to PATH.vN.bak, in place of one left by an upgrade that failed. */
static int
back_up(struct db *db, const char *path, int64_t version, struct err *e)
{
	char to[PATH_MAX], temp[PATH_MAX];
	int n = snprintf(to, sizeof(to), "%s.v%" PRId64 ".bak", path, version);
	int m = snprintf(temp, sizeof(temp), "%s.bak.new", path);

	if (n < 0 || n >= PATH_MAX || m < 0 || m >= PATH_MAX)
		return err_set(e, ERR_CONFIG, "the path %.80s... is too long",
		    path);
	unlink(temp);
	if (db_backup(db, temp, e) < 0 || sync_file(temp, e) < 0)
		goto fail;
	CRASH_POINT("upgrade.backup");
	if (rename(temp, to) == 0)
		return 0;
	err_sys(e, err_kind_of_errno(ERR_CONFIG), "renaming to %s", to);
fail:
	unlink(temp);
	return err_in(e, "no backup, so no upgrade");
}

static int
make_private(const char *path, struct err *e)
{
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);

	if (fd < 0)
		return err_sys(e, err_kind_of_errno(ERR_CONFIG), "%s", path);
	close(fd);
	return 0;
}

int
upgrade_run(const char *name, enum db_sync sync, bool backup, struct err *e)
{
	struct db db = {0};
	char path[PATH_MAX];
	int64_t version = 0;
	int state;

	if (store_path(path, name, e) < 0 || make_private(path, e) < 0 ||
	    db_open(&db, path, DB_CREATE, sync, e) < 0)
		return -1;
	state = upgrade_check(&db, name, &version, e);
	if (state == 0 && version && backup)
		state = back_up(&db, path, version, e);
	if (state == 0)
		state = apply_all(&db, name, version, e);
	db_close(&db);
	return state < 0 ? err_in(e, "%s.sqlite", name) : 0;
}
