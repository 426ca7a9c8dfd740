#include "workspace/harvest.h"

#include <stdlib.h>
#include <string.h>

#include "core/frame.h"
#include "core/mem.h"
#include "core/path.h"
#include "core/utf8.h"
#include "guest/guest.h"

static int
spoil(struct harvest *h, const char *why)
{
	return err_set(&h->spoilt, ERR_REFUSED, "%s", why);
}

/* What came instead of a file, by its letter. */
static const char *
other(uint64_t what)
{
	switch (what) {
	case 'l': return "a link";
	case 'd':
		return "a folder or file that can't be read, or lies too deep";
	case 'x': return "a device, pipe or socket";
	default: return "a thing of no kind";
	}
}

static int
take_kept(struct harvest *h, const struct frame *x)
{
	const struct bundle_file *f = bundle_find(h->before, x->data, x->len);
	const size_t i = f ? (size_t)(f - h->before->files) : 0;

	if (!f)
		return spoil(h, "a file is as it was that never was there");
	if (h->kept[i])
		return spoil(h, "a file is there twice");
	for (size_t k = 0; k < h->changed.count; k++) {
		const char *path = h->changed.files[k].path;

		if (path_clash(path, strlen(path), x->data, x->len))
			return spoil(h, "a file is there twice");
	}
	h->kept[i] = true;
	return 0;
}

/* Is it, or does it lead through, one that is as it was? */
static bool
meets_kept(const struct harvest *h, const char *path, size_t len)
{
	for (size_t i = 0; i < h->before->count; i++) {
		const char *kept = h->before->files[i].path;

		if (h->kept[i] && path_clash(kept, strlen(kept), path, len))
			return true;
	}
	return false;
}

static int
refuse(struct harvest *h, uint64_t what, const struct frame *x)
{
	char *path = mem_dupn(x->data, x->len), shown[128];

	utf8_tame(shown, sizeof(shown), path);
	free(path);
	return err_set(&h->spoilt, ERR_REFUSED, "the workspace holds %s: '%s'",
	    other(what), shown);
}

static int
take_file(struct harvest *h, struct frame x)
{
	uint64_t size, what;

	if (frame_take_number(&x, 8, &size) < 0 ||
	    frame_take_number(&x, 1, &what) < 0)
		return spoil(h, "a file without size and path");
	if (what != 'f')
		return refuse(h, what, &x);
	if (meets_kept(h, x.data, x.len))
		return spoil(h, "a file is there twice");
	if (!bundle_add(&h->changed, x.data, x.len, size, &h->spoilt)) {
		h->spoilt.kind = ERR_REFUSED;
		return -1;
	}
	h->left = size;
	return 0;
}

static int
take_data(struct harvest *h, const struct frame *x)
{
	if (!x->len || x->len > h->left)
		return spoil(h, "a file has more bytes than was said");
	buf_add(&h->changed.files[h->changed.count - 1].bytes, x->data, x->len);
	h->left -= x->len;
	return 0;
}

static int
take(struct harvest *h, const struct frame *x)
{
	if (x->kind == GUEST_DATA)
		return take_data(h, x);
	if (h->left)
		return spoil(h, "a file ends before its time");
	switch (x->kind) {
	case GUEST_KEPT: return take_kept(h, x);
	case GUEST_FILE: return take_file(h, *x);
	case GUEST_OVER:
		return err_set(&h->spoilt, ERR_REFUSED,
		    "more than %d files or %d MiB were changed: split the work",
		    BUNDLE_FILES_MOST, BUNDLE_BYTES_MOST >> 20);
	default: return spoil(h, "a frame of no kind among the files");
	}
}

static int
verdict(const struct harvest *h, struct err *e)
{
	if (!h->spoilt.kind)
		return 0;
	*e = h->spoilt;
	return -1;
}

int
harvest_take(struct harvest *h, const struct frame *x, struct err *e)
{
	if (!h->spoilt.kind)
		take(h, x);
	return verdict(h, e);
}

int
harvest_end(struct harvest *h, struct err *e)
{
	if (!h->spoilt.kind && h->left)
		spoil(h, "the last file is not whole");
	return verdict(h, e);
}

bool
harvest_gone(const struct harvest *h, size_t i)
{
	const char *path = h->before->files[i].path;

	return !h->kept[i] && !bundle_find(&h->changed, path, strlen(path));
}

void
harvest_release(struct harvest *h)
{
	bundle_release(&h->changed);
}
