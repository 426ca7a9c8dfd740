#include "workspace/cabinet.h"

#include "core/buf.h"
#include "core/err.h"
#include "store/content.h"
#include "workspace/door.h"

static int
add(void *ctx, const char *filename, const char *bytes, size_t len,
    struct artifact *a, struct err *e)
{
	struct cabinet *c = ctx;

	return mint_artifact(&c->mint, filename, bytes, len, a, e);
}

static int
find(void *ctx, const char *which, int64_t version, struct artifact *a,
    struct err *e)
{
	struct cabinet *c = ctx;

	return artifact_find(&c->found, c->mint.store, c->mint.task, which,
	    version, a, e);
}

static int
bytes_of(void *ctx, const struct artifact *a, struct buf *b, struct err *e)
{
	const struct cabinet *c = ctx;

	return content_get(c->mint.store, a->hash, b, e);
}

static int
list(void *ctx, struct buf *b, struct err *e)
{
	const struct cabinet *c = ctx;
	struct artifact_scan scan = {0};
	struct artifact a;
	int row;

	artifact_list(&scan, c->mint.store, c->mint.task, 0, CABINET_LIST);
	while ((row = artifact_next(&scan, &a, e)) > 0)
		artifact_describe(b, NULL, &a);
	artifact_end(&scan);
	return row;
}

static void
done(void *ctx)
{
	struct cabinet *c = ctx;

	artifact_end(&c->found);
}

const struct door_keeper cabinet_keeper = {add, find, bytes_of, list, done};
