#include "workspace/bundle.h"

#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "core/path.h"
#include "core/utf8.h"

struct bundle_file *
bundle_add(struct bundle *b, const char *path, size_t len, uint64_t size,
    struct err *e)
{
	struct bundle_file *f;

	if (path_check(path, len, e) < 0)
		return NULL;
	for (size_t i = 0; i < b->count; i++)
		if (path_clash(b->files[i].path, strlen(b->files[i].path), path,
			len)) {
			err_set(e, ERR_INPUT,
			    "the path '%.*s' is there twice, or leads through "
			    "a file",
			    (int)utf8_cut(path, len, 200), path);
			return NULL;
		}
	if (b->count == BUNDLE_FILES_MOST) {
		err_set(e, ERR_REFUSED,
		    "more than %d files at once: split the work",
		    BUNDLE_FILES_MOST);
		return NULL;
	}
	if (size > BUNDLE_BYTES_MOST - b->bytes) {
		err_set(e, ERR_REFUSED,
		    "files of more than %d MiB at once: split the work",
		    BUNDLE_BYTES_MOST >> 20);
		return NULL;
	}
	f = &b->files[b->count++];
	*f = (struct bundle_file){.path = mem_dupn(path, len)};
	f->bytes.limit = size ? (size_t)size : 1;
	b->bytes += size;
	return f;
}

const struct bundle_file *
bundle_find(const struct bundle *b, const char *path, size_t len)
{
	for (size_t i = 0; i < b->count; i++)
		if (strlen(b->files[i].path) == len &&
		    memcmp(b->files[i].path, path, len) == 0)
			return &b->files[i];
	return NULL;
}

static int
by_path(const void *a, const void *b)
{
	const struct bundle_file *x = a, *y = b;

	return strcmp(x->path, y->path);
}

void
bundle_sort(struct bundle *b)
{
	if (b->count)
		qsort(b->files, b->count, sizeof(*b->files), by_path);
}

void
bundle_release(struct bundle *b)
{
	for (size_t i = 0; i < b->count; i++) {
		free(b->files[i].path);
		buf_release(&b->files[i].bytes);
	}
	b->count = 0;
	b->bytes = 0;
}
