#include "workspace/cabinet.h"

#include <string.h>

#include "core/buf.h"
#include "core/crash.h"
#include "core/err.h"
#include "ext/jsonw.h"
#include "store/artifact.h"
#include "store/base.h"
#include "workspace/attic.h"
#include "workspace/handover.h"
#include "core/media.h"

static int
check(const struct cabinet *c, size_t len, struct err *e)
{
	if (c->count == ATTIC_MOST)
		return err_set(e, ERR_REFUSED,
		    "more than %d attachments in one run", ATTIC_MOST);
	if (c->bytes + len > ATTIC_BYTES)
		return err_set(e, ERR_REFUSED,
		    "more than %d MiB of attachments in one run",
		    ATTIC_BYTES >> 20);
	return 0;
}

static int
keep(struct cabinet *c, struct artifact *a, const struct handover_question *q,
    struct err *e)
{
	struct content_stage stage = {0};
	int rc = content_stage(&stage, q->bytes, q->len, e);

	if (rc == 0)
		rc = store_begin(c->store, e);
	if (rc == 0)
		rc = artifact_add(c->store, a, q->bytes, q->len, e);
	CRASH_POINT("cabinet.keep");
	if (rc == 0)
		rc = store_commit(c->store, e);
	CRASH_POINT("cabinet.keep.done");
	store_rollback(c->store);
	content_unstage(&stage);
	return rc;
}

static void
attach(struct cabinet *c, const struct handover_question *q, struct buf *b)
{
	struct artifact a = {.task = c->task,
	    .call = c->call,
	    .filename = q->name,
	    .media = media_type(q->bytes, q->len, q->name ? q->name : "")};
	struct err e = {0};

	a.kind = media_kind(a.media);
	if (artifact_name(q->name, &e) < 0 || check(c, q->len, &e) < 0 ||
	    keep(c, &a, q, &e) < 0) {
		handover_refuse(b, e.text);
		return;
	}
	c->count++;
	c->bytes += q->len;
	jsonw_object(b, NULL);
	artifact_describe(b, "attachment", &a);
	jsonw_line(b);
}

static void
list(struct cabinet *c, struct buf *b)
{
	struct artifact_scan scan = {0};
	struct buf line = {0};
	struct artifact a;
	struct err e = {0};
	int row;

	jsonw_object(&line, NULL);
	jsonw_array(&line, "attachments");
	artifact_list(&scan, c->store, c->task, 0, CABINET_LIST);
	while ((row = artifact_next(&scan, &a, &e)) > 0)
		artifact_describe(&line, NULL, &a);
	artifact_end(&scan);
	jsonw_end_array(&line);
	jsonw_line(&line);
	if (row < 0)
		handover_refuse(b, e.text);
	else
		buf_add(b, line.data, line.len);
	buf_release(&line);
}

/* The bytes come after the line that counts them. */
static int
put_bytes(struct cabinet *c, const struct artifact *a, struct buf *b,
    struct err *e)
{
	struct buf bytes = {.limit = ARTIFACT_BYTES_MOST};
	int rc = content_get(c->store, a->hash, &bytes, e);

	if (rc == 0) {
		jsonw_object(b, NULL);
		jsonw_int(b, "bytes", (int64_t)bytes.len);
		jsonw_line(b);
		buf_add(b, bytes.data, bytes.len);
	}
	buf_release(&bytes);
	return rc;
}

static void
give(struct cabinet *c, const struct handover_question *q, bool bytes,
    struct buf *b)
{
	struct artifact_scan scan = {0};
	struct artifact a;
	struct err e = {0};
	int row = 0;

	if (q->which)
		row = artifact_find(&scan, c->store, c->task, q->which,
		    q->version, &a, &e);
	if (row == 0)
		err_set(&e, ERR_INPUT, "there is no such attachment");
	if (row <= 0 || (bytes && put_bytes(c, &a, b, &e) < 0)) {
		handover_refuse(b, e.text);
	} else if (!bytes) {
		jsonw_object(b, NULL);
		artifact_describe(b, "attachment", &a);
		jsonw_line(b);
	}
	artifact_end(&scan);
}

void
cabinet_answer(void *ctx, const struct handover_question *q, struct buf *b)
{
	struct cabinet *c = ctx;

	if (strcmp(q->what, "attach") == 0)
		attach(c, q, b);
	else if (strcmp(q->what, "list") == 0)
		list(c, b);
	else if (strcmp(q->what, "get") == 0)
		give(c, q, false, b);
	else if (strcmp(q->what, "read") == 0)
		give(c, q, true, b);
	else
		handover_refuse(b, "nobody knows how to do that");
}
