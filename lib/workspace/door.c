#include "workspace/door.h"

#include <string.h>

#include "core/buf.h"
#include "core/err.h"
#include "ext/jsonw.h"
#include "store/artifact.h"
#include "workspace/handover.h"

static void
put_descriptor(struct buf *b, const struct artifact *a)
{
	jsonw_object(b, NULL);
	artifact_describe(b, "attachment", a);
	jsonw_line(b);
}

static int
attach(struct door *d, const struct handover_question *q, struct buf *b,
    struct err *e)
{
	struct artifact a = {0};

	if (!q->name)
		return err_set(e, ERR_INPUT, "a filename is needed");
	if (d->keeper->add(d->ctx, q->name, q->bytes, q->len, &a, e) < 0)
		return -1;
	put_descriptor(b, &a);
	return 0;
}

static int
list(struct door *d, struct buf *b, struct err *e)
{
	struct buf line = {0};
	int rc;

	jsonw_object(&line, NULL);
	jsonw_array(&line, "attachments");
	rc = d->keeper->list(d->ctx, &line, e);
	jsonw_end_array(&line);
	jsonw_line(&line);
	if (rc == 0)
		buf_add(b, line.data, line.len);
	buf_release(&line);
	return rc;
}

static int
find(struct door *d, const struct handover_question *q, struct artifact *a,
    struct err *e)
{
	int found = 0;

	if (q->which)
		found = d->keeper->find(d->ctx, q->which, q->version, a, e);
	if (found == 0)
		err_set(e, ERR_INPUT, "there is no such attachment");
	return found > 0 ? 0 : -1;
}

static int
get(struct door *d, const struct handover_question *q, struct buf *b,
    struct err *e)
{
	struct artifact a = {0};

	if (find(d, q, &a, e) < 0)
		return -1;
	put_descriptor(b, &a);
	return 0;
}

/* The bytes come after the line that counts them. */
static int
fetch(struct door *d, const struct handover_question *q, struct buf *b,
    struct err *e)
{
	struct buf bytes = {.limit = ARTIFACT_BYTES_MOST};
	struct artifact a = {0};
	int rc = find(d, q, &a, e);

	if (rc == 0)
		rc = d->keeper->bytes(d->ctx, &a, &bytes, e);
	if (rc == 0) {
		jsonw_object(b, NULL);
		jsonw_int(b, "bytes", (int64_t)bytes.len);
		jsonw_line(b);
		buf_add(b, bytes.data, bytes.len);
	}
	buf_release(&bytes);
	return rc;
}

void
door_answer(void *ctx, const struct handover_question *q, struct buf *b)
{
	struct door *d = ctx;
	struct err e = {0};
	int rc;

	if (strcmp(q->what, "attach") == 0)
		rc = attach(d, q, b, &e);
	else if (strcmp(q->what, "list") == 0)
		rc = list(d, b, &e);
	else if (strcmp(q->what, "get") == 0)
		rc = get(d, q, b, &e);
	else if (strcmp(q->what, "read") == 0)
		rc = fetch(d, q, b, &e);
	else
		rc = err_set(&e, ERR_INPUT, "nobody knows how to do that");
	if (d->keeper->done)
		d->keeper->done(d->ctx);
	if (rc < 0)
		handover_refuse(b, e.text);
}
