#include "workspace/hand.h"

#include <inttypes.h>
#include <string.h>

#include "core/buf.h"
#include "core/crash.h"
#include "core/err.h"
#include "core/lock.h"
#include "core/log.h"
#include "core/media.h"
#include "record/context.h"
#include "store/artifact.h"
#include "store/base.h"
#include "store/content.h"
#include "store/file.h"
#include "store/filelock.h"
#include "store/holding.h"
#include "store/task.h"
#include "workspace/shelf.h"

static const struct context me = {.actor = {"local", "operator"}};

/* Open the tasks, of which this must be one. */
static int
open_task(struct store *s, const char *task, enum store_mode mode,
    struct err *e)
{
	struct task_scan scan = {0};
	struct task row;
	int there = store_exists("tasks", e);

	if (there == 0)
		return task_missing(task, e);
	if (there < 0 || store_open(s, "tasks", mode, e) < 0)
		return -1;
	there = task_get(&scan, s, task, &me, &row, e);
	task_end(&scan);
	return there;
}

static void
put_file(struct buf *b, const char *task, const struct file *f, bool json)
{
	if (json)
		file_write(b, task, f);
	else
		buf_fmt(b, "%10" PRId64 "  %-24s  %s\n", f->size, f->media,
		    f->path);
}

static void
put_artifact(struct buf *b, const struct artifact *a, bool json)
{
	if (json)
		artifact_write(b, a);
	else
		buf_fmt(b,
		    "%10" PRId64 "  %-24s  %s (artifact %s, version "
		    "%" PRId64 ")\n",
		    a->size, a->media, a->filename, a->id, a->version);
}

static int
list_files(struct buf *b, struct store *s, const char *task, bool json,
    struct err *e)
{
	struct file_scan scan = {0};
	struct file f;
	int row, n = 0;

	file_list(&scan, s, task);
	while ((row = file_next(&scan, &f, e)) > 0) {
		put_file(b, task, &f, json);
		n++;
	}
	file_end(&scan);
	return row < 0 ? -1 : n;
}

static int
list_artifacts(struct buf *b, struct store *s, const char *task, bool json,
    struct err *e)
{
	struct artifact_scan scan = {0};
	struct artifact a;
	int row, n = 0;

	artifact_list(&scan, s, task, 0, INT32_MAX);
	while ((row = artifact_next(&scan, &a, e)) > 0) {
		put_artifact(b, &a, json);
		n++;
	}
	artifact_end(&scan);
	return row < 0 ? -1 : n;
}

int
hand_list(struct buf *b, const char *task, bool json, struct err *e)
{
	struct store s = {0};
	int files = open_task(&s, task, STORE_READ, e), artifacts = 0;

	if (files == 0)
		files = list_files(b, &s, task, json, e);
	if (files >= 0)
		artifacts = list_artifacts(b, &s, task, json, e);
	store_close(&s);
	return files < 0 || artifacts < 0 ? -1 : files + artifacts;
}

int
hand_take(struct bundle *b, const char *task, struct err *e)
{
	const struct shelf_pick all = {0};
	struct store s = {0};
	int rc = open_task(&s, task, STORE_WRITE, e);

	if (rc == 0)
		rc = shelf_take(b, &s, task, 0, &all, e);
	store_close(&s);
	return rc;
}

int
hand_get(struct buf *b, const char *task, const char *which, int64_t version,
    bool *text, struct err *e)
{
	struct store s = {0};
	struct holding h = {0};
	int rc = open_task(&s, task, STORE_READ, e);

	if (rc == 0)
		rc = holding_find(&h, &s, task, which, version, e);
	if (rc == 0) {
		*text = strcmp(media_kind(h.media), "text") == 0;
		rc = content_get(&s, h.hash, b, e);
	}
	holding_release(&h);
	store_close(&s);
	return rc;
}

/* What a change of files holds, until end_change(). */
struct change {
	struct store store;
	struct lock lock;
	struct content_stage stage;
};

static int
begin_change(struct change *c, const char *task, struct err *e)
{
	int got;

	if (open_task(&c->store, task, STORE_WRITE, e) < 0)
		return -1;
	got = filelock_try(&c->lock, task, HAND_WAIT_MS, e);
	return got == 0  ? err_set(e, ERR_AGAIN,
			       "a call of task %s is at work on its files", task)
	       : got < 0 ? -1
			 : 0;
}

static int
end_change(struct change *c, int rc, struct err *e)
{
	CRASH_POINT("hand.commit");
	if (rc >= 0 && store_commit(&c->store, e) < 0)
		rc = -1;
	CRASH_POINT("hand.commit.done");
	store_rollback(&c->store);
	content_unstage(&c->stage);
	if (rc >= 0)
		content_tidy(&c->store);
	lock_drop(&c->lock);
	store_close(&c->store);
	return rc;
}

static int
put(struct buf *b, struct store *s, const char *task, const char *path,
    const char *bytes, size_t len, struct err *e)
{
	const struct file_origin by_hand = {.kind = FILE_PUT, .actor = "local"};
	struct file_scan scan = {0};
	struct file f;
	int row;

	if (file_put(s, task, path, media_type(bytes, len, path), bytes, len,
		&by_hand, e) < 0)
		return -1;
	row = file_find(&scan, s, task, path, &f, e);
	if (row > 0)
		file_write(b, task, &f);
	file_end(&scan);
	return row < 0 ? -1 : 0;
}

int
hand_put(struct buf *b, const char *task, const char *path, const char *bytes,
    size_t len, struct err *e)
{
	struct change c = {0};
	int rc = begin_change(&c, task, e);

	if (rc == 0 && len <= FILE_BYTES_MOST)
		rc = content_stage(&c.stage, bytes, len, e);
	if (rc == 0)
		rc = store_begin(&c.store, e);
	if (rc == 0)
		rc = put(b, &c.store, task, path, bytes, len, e);
	return end_change(&c, rc, e);
}

int
hand_remove(const char *task, char *const *paths, int count, struct err *e)
{
	struct change c = {0};
	int rc = begin_change(&c, task, e), n = 0;

	if (rc == 0)
		rc = store_begin(&c.store, e);
	for (int i = 0; rc >= 0 && i < count; i++) {
		rc = file_remove(&c.store, task, paths[i], e);
		if (rc == 0)
			log_warn("the task has no file '%s'", paths[i]);
		n += rc > 0;
	}
	return end_change(&c, rc, e) < 0 ? -1 : n;
}
