#include "workspace/attic.h"

#include <stdlib.h>
#include <string.h>

#include "core/err.h"
#include "core/mem.h"
#include "core/path.h"
#include "ext/jsonw.h"
#include "store/artifact.h"
#include "workspace/bundle.h"
#include "workspace/handover.h"
#include "core/media.h"

void
attic_artifact(struct artifact *a, const struct attic_item *x)
{
	*a = (struct artifact){.version = x->version,
	    .filename = x->filename,
	    .media = x->type,
	    .kind = x->kind,
	    .size = (int64_t)x->bytes.len};
	memcpy(a->id, x->id, sizeof(x->id));
}

static void
describe(struct buf *b, const char *key, const struct attic_item *x)
{
	struct artifact a;

	attic_artifact(&a, x);
	artifact_describe(b, key, &a);
}

/* The latest that has this as its filename, or as its id. */
static const struct attic_item *
latest(const struct attic *a, const char *which, bool by_id)
{
	for (size_t i = a->count; i-- > 0;)
		if (strcmp(by_id ? a->items[i].id : a->items[i].filename,
			which) == 0)
			return &a->items[i];
	return NULL;
}

static const struct attic_item *
find(const struct attic *a, const char *which, int64_t version)
{
	const struct attic_item *last = latest(a, which, false);

	if (!last)
		last = latest(a, which, true);
	if (!last || !version)
		return last;
	if (version < 0)
		version += last->version + 1;
	for (size_t i = 0; i < a->count; i++)
		if (strcmp(a->items[i].id, last->id) == 0 &&
		    a->items[i].version == version)
			return &a->items[i];
	return NULL;
}

static const char *
fault(const struct attic *a, const struct handover_question *q, struct err *e)
{
	if (!q->name || strchr(q->name, '/'))
		return "a filename is needed, without a folder";
	if (path_check(q->name, strlen(q->name), e) < 0)
		return e->text;
	if (a->count == ATTIC_MOST)
		return "more than 100 attachments in one run";
	if (q->len > HANDOVER_BYTES_MOST || a->bytes + q->len > ATTIC_BYTES)
		return "more than 64 MiB of attachments in one run";
	return NULL;
}

static void
attach(struct attic *a, const struct handover_question *q, struct buf *b)
{
	struct err e = {0};
	const char *why = fault(a, q, &e);
	const struct attic_item *before;
	struct attic_item *x;

	if (why) {
		handover_refuse(b, why);
		return;
	}
	before = latest(a, q->name, false);
	x = &a->items[a->count];
	*x = (struct attic_item){.version = before ? before->version + 1 : 1,
	    .filename = mem_dup(q->name)};
	if (before)
		memcpy(x->id, before->id, sizeof(x->id));
	else
		id_new(x->id);
	buf_add(&x->bytes, q->bytes, q->len);
	x->type = media_type(q->bytes, q->len, q->name);
	x->kind = media_kind(x->type);
	a->count++;
	a->bytes += q->len;
	jsonw_object(b, NULL);
	describe(b, "attachment", x);
	jsonw_line(b);
}

static void
list(const struct attic *a, struct buf *b)
{
	jsonw_object(b, NULL);
	jsonw_array(b, "attachments");
	for (size_t i = 0; i < a->count; i++)
		describe(b, NULL, &a->items[i]);
	jsonw_end_array(b);
	jsonw_line(b);
}

static void
give(const struct attic *a, const struct handover_question *q, bool bytes,
    struct buf *b)
{
	const struct attic_item *x = q->which ? find(a, q->which, q->version)
					      : NULL;

	if (!x) {
		handover_refuse(b, "there is no such attachment");
		return;
	}
	jsonw_object(b, NULL);
	if (bytes)
		jsonw_int(b, "bytes", (int64_t)x->bytes.len);
	else
		describe(b, "attachment", x);
	jsonw_line(b);
	if (bytes)
		buf_add(b, x->bytes.data, x->bytes.len);
}

void
attic_answer(void *ctx, const struct handover_question *q, struct buf *b)
{
	struct attic *a = ctx;

	if (strcmp(q->what, "attach") == 0)
		attach(a, q, b);
	else if (strcmp(q->what, "list") == 0)
		list(a, b);
	else if (strcmp(q->what, "get") == 0)
		give(a, q, false, b);
	else if (strcmp(q->what, "read") == 0)
		give(a, q, true, b);
	else
		handover_refuse(b, "nobody knows how to do that");
}

bool
attic_is_last(const struct attic *a, size_t i)
{
	return latest(a, a->items[i].id, true) == &a->items[i];
}

void
attic_release(struct attic *a)
{
	for (size_t i = 0; i < a->count; i++) {
		free(a->items[i].filename);
		buf_release(&a->items[i].bytes);
	}
	a->count = 0;
	a->bytes = 0;
}
