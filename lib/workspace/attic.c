#include "workspace/attic.h"

#include <stdlib.h>
#include <string.h>

#include "core/err.h"
#include "core/media.h"
#include "core/mem.h"
#include "store/artifact.h"
#include "workspace/door.h"

void
attic_artifact(struct artifact *a, const struct attic_item *x)
{
	*a = (struct artifact){.version = x->version,
	    .filename = x->filename,
	    .media = x->media,
	    .kind = x->kind,
	    .size = (int64_t)x->bytes.len};
	memcpy(a->id, x->id, sizeof(x->id));
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
seek(const struct attic *a, const char *which, int64_t version)
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

static int
find(void *ctx, const char *which, int64_t version, struct artifact *a,
    struct err *e)
{
	const struct attic_item *x = seek(ctx, which, version);

	(void)e;
	if (x)
		attic_artifact(a, x);
	return x != NULL;
}

static int
add(void *ctx, const char *filename, const char *bytes, size_t len,
    struct artifact *out, struct err *e)
{
	struct attic *a = ctx;
	const struct attic_item *before;
	struct attic_item *x;

	if (artifact_name(filename, e) < 0 ||
	    mint_room(a->count, a->bytes, len, e) < 0)
		return -1;
	before = latest(a, filename, false);
	x = &a->items[a->count];
	*x = (struct attic_item){.version = before ? before->version + 1 : 1,
	    .filename = mem_dup(filename)};
	if (before)
		memcpy(x->id, before->id, sizeof(x->id));
	else
		id_new(x->id);
	buf_add(&x->bytes, bytes, len);
	x->media = media_type(bytes, len, filename);
	x->kind = media_kind(x->media);
	a->count++;
	a->bytes += len;
	attic_artifact(out, x);
	return 0;
}

static int
bytes_of(void *ctx, const struct artifact *a, struct buf *b, struct err *e)
{
	const struct attic *attic = ctx;

	for (size_t i = 0; i < attic->count; i++) {
		const struct attic_item *x = &attic->items[i];

		if (strcmp(x->id, a->id) != 0 || x->version != a->version)
			continue;
		buf_add(b, x->bytes.data, x->bytes.len);
		return 0;
	}
	return err_set(e, ERR_INPUT, "it is gone");
}

static int
list(void *ctx, struct buf *b, struct err *e)
{
	const struct attic *attic = ctx;

	(void)e;
	for (size_t i = 0; i < attic->count; i++) {
		struct artifact a;

		attic_artifact(&a, &attic->items[i]);
		artifact_describe(b, NULL, &a);
	}
	return 0;
}

const struct door_keeper attic_keeper = {add, find, bytes_of, list, NULL};

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
