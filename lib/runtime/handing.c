#include "runtime/handing.h"

#include <stdlib.h>
#include <string.h>

#include "core/base64.h"
#include "core/crash.h"
#include "core/err.h"
#include "ext/jsonw.h"
#include "record/attach.h"
#include "record/error.h"
#include "runtime/batch.h"
#include "store/artifact.h"
#include "store/base.h"
#include "store/content.h"
#include "store/file.h"
#include "tool/manifest.h"

/* That the call read it is noted, as for any call. */
static int
note_read(const struct mint *m, const char *path, struct err *e)
{
	int rc = store_begin(m->store, e);

	if (rc == 0)
		rc = file_read_by(m->store, m->task, m->call, path, e);
	CRASH_POINT("handing.read");
	if (rc == 0)
		rc = store_commit(m->store, e);
	CRASH_POINT("handing.read.done");
	store_rollback(m->store);
	return rc;
}

static int
fetch(const struct mint *m, const char *path, struct buf *b, struct err *e)
{
	struct file_scan scan = {0};
	struct file f;
	int row;

	if (note_read(m, path, e) < 0)
		return -1;
	row = file_find(&scan, m->store, m->task, path, &f, e);
	if (row > 0)
		row = content_get(m->store, f.hash, b, e);
	else if (row == 0)
		row = err_set(e, ERR_INPUT, "the file is gone");
	file_end(&scan);
	return row;
}

static int
read_bytes(const struct mint *m, const struct attach *x, struct buf *b,
    struct err *e)
{
	if (x->path)
		return fetch(m, x->path, b, e);
	if (x->text)
		buf_str(b, x->text);
	else if (base64_read(b, x->base64, strlen(x->base64)) < 0)
		return err_set(e, ERR_INPUT, "base64: that is none");
	return 0;
}

static int
mint(struct batch_call *c, const struct attach *x, struct buf *line,
    struct err *e)
{
	struct handing *h = &c->handing;
	const char *dot = strrchr(c->id, '.');
	struct buf bytes = {.limit = ARTIFACT_BYTES_MOST};
	struct artifact a;
	int rc;

	if (!c->tool->attach)
		return err_set(e, ERR_REFUSED,
		    "the manifest of %s does not say that it attaches",
		    c->name);
	h->mint.store = c->batch->store;
	h->mint.task = c->batch->context.task;
	h->mint.call = dot ? strtoll(dot + 1, NULL, 10) : 0;
	rc = read_bytes(&h->mint, x, &bytes, e);
	if (rc == 0)
		rc = mint_artifact(&h->mint, x->filename, buf_text(&bytes),
		    bytes.len, &a, e);
	if (rc == 0) {
		if (!h->artifacts.len)
			jsonw_array(&h->artifacts, NULL);
		artifact_describe(&h->artifacts, NULL, &a);
		artifact_write(line, &a);
	}
	buf_release(&bytes);
	return rc;
}

void
handing_take(struct batch_call *c, const struct json *record)
{
	struct buf line = {0};
	struct attach x;
	struct err e = {0};

	if (attach_read(&x, record, &e) < 0 || mint(c, &x, &line, &e) < 0)
		error_write_err(&line, c->id, &e);
	e = (struct err){0}; /* whoever doesn't read it hears of it later */
	crew_say(&c->job, line.data, line.len - 1, &e);
	buf_release(&line);
}

void
handing_release(struct handing *h)
{
	buf_release(&h->artifacts);
}
