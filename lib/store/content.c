#include "store/content.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "core/buf.h"
#include "core/crash.h"
#include "core/err.h"
#include "core/file.h"
#include "core/home.h"
#include "ext/crypt.h"
#include "store/base.h"
#include "store/content_place.h"

enum { STAGE_WAIT_MS = 5000 }; /* for one who sweeps */

/* The name of these bytes, in hexadecimal, and a NUL. */
static void
name_of(char hash[CONTENT_HASH + 1], const void *bytes, size_t len)
{
	unsigned char digest[CRYPT_SHA256];

	crypt_sha256(digest, bytes, len);
	for (size_t i = 0; i < sizeof(digest); i++)
		snprintf(hash + 2 * i, 3, "%02x", digest[i]);
}

/* The folders above it, each synced into the one that has it. */
static int
make_folders(const char *hash, struct err *e)
{
	char path[PATH_MAX];

	if (content_folder(path, hash, e) < 0 || file_mkdirs(path, e) < 0 ||
	    file_sync_folder(path, e) < 0 || home_path(path, "blob", e) < 0)
		return -1;
	return file_sync_folder(path, e);
}

/* Is it there, whole: 1, 0 or -1. It was renamed when it was whole. */
static int
is_there(const char *path, size_t len, struct err *e)
{
	struct stat st;

	if (stat(path, &st) == 0)
		return S_ISREG(st.st_mode) && (uint64_t)st.st_size == len;
	return errno == ENOENT
		   ? 0
		   : err_sys(e, err_kind_of_errno(ERR_CONFIG), "%s", path);
}

static int
write_blob(const char *hash, const void *bytes, size_t len, struct err *e)
{
	char path[PATH_MAX];
	int there;

	if (content_path(path, hash, e) < 0 ||
	    (there = is_there(path, len, e)) < 0)
		return -1;
	if (there) /* by one who may not have come to sync the folder yet */
		return file_sync_folder(path, e);
	CRASH_POINT("content.blob");
	if (make_folders(hash, e) < 0 || file_replace(path, bytes, len, e) < 0)
		return -1;
	CRASH_POINT("content.blob.done");
	return 0;
}

int
content_stage(struct content_stage *stage, const void *bytes, size_t len,
    struct err *e)
{
	char hash[CONTENT_HASH + 1], path[PATH_MAX];

	if (len <= CONTENT_SMALL)
		return 0;
	if (!stage->lock.fd && (home_path(path, CONTENT_LOCK, e) < 0 ||
				   lock_take(&stage->lock, path, LOCK_SHARED,
				       STAGE_WAIT_MS, e) < 0))
		return -1;
	name_of(hash, bytes, len);
	return write_blob(hash, bytes, len, e);
}

void
content_unstage(struct content_stage *stage)
{
	lock_drop(&stage->lock);
}

int
content_put(struct store *s, const void *bytes, size_t len,
    char hash[CONTENT_HASH + 1], struct err *e)
{
	static const char sql[] = "INSERT OR IGNORE INTO content"
				  " (hash, size, bytes) VALUES (?1, ?2, ?3)";
	const bool small = len <= CONTENT_SMALL;
	struct stmt q = {0};

	name_of(hash, bytes, len);
	if (!small && write_blob(hash, bytes, len, e) < 0)
		return -1;
	stmt_start(&q, &s->db, sql);
	stmt_text(&q, 1, hash);
	stmt_int(&q, 2, (int64_t)len);
	if (small)
		stmt_blob_ref(&q, 3, len ? bytes : "", len);
	else
		stmt_null(&q, 3);
	return stmt_once(&q, e);
}

/* To b, from the row or the file: 1, 0 if there is none, or -1. */
static int
fetch(struct store *s, const char *hash, struct buf *b, struct err *e)
{
	struct stmt q = {0};
	char path[PATH_MAX];
	const void *bytes;
	bool small = false;
	size_t len;
	int row;

	stmt_start(&q, &s->db,
	    "SELECT bytes, size FROM content WHERE hash = ?1");
	stmt_text(&q, 1, hash);
	row = stmt_next(&q, e);
	if (row > 0 && b->limit && (size_t)row_int(&q, 1) > b->limit - b->len) {
		b->full = small = true;
	} else if (row > 0 && !row_null(&q, 0)) {
		small = true;
		bytes = row_blob(&q, 0, &len);
		buf_add(b, bytes, len);
	}
	stmt_end(&q);
	if (row <= 0 || small)
		return row;
	if (content_path(path, hash, e) < 0 || file_read(b, path, e) < 0)
		return -1;
	return 1;
}

int
content_get(struct store *s, const char *hash, struct buf *b, struct err *e)
{
	char found[CONTENT_HASH + 1];
	const size_t from = b->len;
	int row = fetch(s, hash, b, e);

	if (row < 0)
		return -1;
	if (row == 0)
		return err_set(e, ERR_INPUT, "there is no content %.64s", hash);
	if (b->full)
		return err_set(e, ERR_REFUSED, "more than %zu bytes", b->limit);
	name_of(found, buf_text(b) + from, b->len - from);
	if (strcmp(found, hash) == 0)
		return 0;
	return err_set(e, ERR_CONFIG,
	    "the content %.64s is damaged: restore it from a backup", hash);
}
