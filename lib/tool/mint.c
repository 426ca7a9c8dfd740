#include "tool/mint.h"

#include "core/crash.h"
#include "core/err.h"
#include "core/media.h"
#include "store/artifact.h"
#include "store/base.h"
#include "store/content.h"

int
mint_room(size_t count, size_t bytes, size_t len, struct err *e)
{
	if (count >= MINT_MOST)
		return err_set(e, ERR_REFUSED,
		    "more than %d attachments in one call", MINT_MOST);
	if (len > ARTIFACT_BYTES_MOST)
		return err_set(e, ERR_REFUSED,
		    "an attachment of more than %d MiB",
		    ARTIFACT_BYTES_MOST >> 20);
	if (bytes + len > MINT_BYTES)
		return err_set(e, ERR_REFUSED,
		    "more than %d MiB of attachments in one call",
		    MINT_BYTES >> 20);
	return 0;
}

static int
keep(struct mint *m, struct artifact *a, const void *bytes, size_t len,
    struct err *e)
{
	struct content_stage stage = {0};
	int rc = content_stage(&stage, bytes, len, e);

	if (rc == 0)
		rc = store_begin(m->store, e);
	if (rc == 0)
		rc = artifact_add(m->store, a, bytes, len, e);
	CRASH_POINT("mint.artifact");
	if (rc == 0)
		rc = store_commit(m->store, e);
	CRASH_POINT("mint.artifact.done");
	store_rollback(m->store);
	content_unstage(&stage);
	return rc;
}

int
mint_artifact(struct mint *m, const char *filename, const void *bytes,
    size_t len, struct artifact *a, struct err *e)
{
	*a = (struct artifact){.task = m->task,
	    .call = m->call,
	    .filename = filename};
	if (artifact_name(filename, e) < 0 ||
	    mint_room(m->count, m->bytes, len, e) < 0)
		return -1;
	a->media = media_type(bytes, len, filename);
	a->kind = media_kind(a->media);
	if (keep(m, a, bytes, len, e) < 0)
		return -1;
	m->count++;
	m->bytes += len;
	return 0;
}
