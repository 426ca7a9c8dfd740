#include "workspace/delivery.h"

#include <string.h>

#include "core/err.h"
#include "workspace/attic.h"
#include "workspace/bundle.h"
#include "workspace/folder.h"
#include "workspace/run.h"

/* The attachments as files, but for those that lie there anyway. */
static int
gather(struct bundle *b, const struct run *r, const struct attic *attic,
    struct err *e)
{
	for (size_t i = 0; i < attic->count; i++) {
		const struct attic_item *a = &attic->items[i];
		const size_t len = strlen(a->filename);
		struct bundle_file *f;

		if (!attic_is_last(attic, i) ||
		    bundle_find(&r->harvest.changed, a->filename, len))
			continue;
		f = bundle_add(b, a->filename, len, a->bytes.len, e);
		if (!f)
			return -1;
		buf_add(&f->bytes, a->bytes.data, a->bytes.len);
	}
	return 0;
}

int
delivery_put(const char *folder, bool replaces, const struct run *r,
    const struct attic *a, struct err *e)
{
	struct folder_change files = {0}, others = {0};
	struct bundle attached = {0};
	int result = -1;

	if (gather(&attached, r, a, e) == 0 &&
	    folder_write(&files, folder, &r->harvest.changed, e) == 0 &&
	    folder_write(&others, folder, &attached, e) == 0 &&
	    folder_commit(&files, replaces ? &r->harvest : NULL, e) == 0)
		result = folder_commit(&others, NULL, e);
	folder_release(&files);
	folder_release(&others);
	bundle_release(&attached);
	return result;
}
