#include "workspace/bundle.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/mem.h"
#include "core/utf8.h"

enum { PART_MOST = 255 };

/* CON, NUL, COM1 and such, whatever follows a dot. */
static bool
is_device(const char *part, size_t len)
{
	static const char *const names[] = {"con", "prn", "aux", "nul"};
	size_t stem = 0;

	while (stem < len && part[stem] != '.')
		stem++;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (stem == 3 && strncasecmp(part, names[i], 3) == 0)
			return true;
	return stem == 4 &&
	       (strncasecmp(part, "com", 3) == 0 ||
		   strncasecmp(part, "lpt", 3) == 0) &&
	       part[3] >= '1' && part[3] <= '9';
}

/* What is wrong with one part of a path, or NULL. */
static const char *
fault(const char *part, size_t len)
{
	if (!len)
		return "has an empty part";
	if (len > PART_MOST)
		return "has a part of more than 255 bytes";
	if ((len == 1 && *part == '.') ||
	    (len == 2 && memcmp(part, "..", 2) == 0))
		return "has a part that is . or ..";
	if (is_device(part, len))
		return "names a device";
	return NULL;
}

static const char *
fault_of_text(const char *path, size_t len)
{
	uint32_t cp;

	if (!len || len > BUNDLE_PATH_MOST)
		return "is empty or too long";
	for (size_t i = 0; i < len; i += utf8_next(path + i, len - i, &cp)) {
		utf8_next(path + i, len - i, &cp);
		if (cp == UTF8_BAD)
			return "is not UTF-8";
		if (cp < ' ' || (cp >= 0x7f && cp < 0xa0))
			return "has a control character";
	}
	return NULL;
}

int
bundle_path(const char *path, size_t len, struct err *e)
{
	const char *why = fault_of_text(path, len);
	char shown[64], *copy;
	size_t from = 0;
	int parts = 0;

	for (size_t i = 0; !why && i <= len; i++)
		if (i == len || path[i] == '/') {
			why = fault(path + from, i - from);
			if (++parts > BUNDLE_DEPTH_MOST)
				why = "has too many parts";
			from = i + 1;
		}
	if (!why)
		return 0;
	copy = mem_dupn(path, len);
	utf8_tame(shown, sizeof(shown), copy);
	free(copy);
	return err_set(e, ERR_INPUT, "the path '%s' %s", shown, why);
}

bool
bundle_clash(const char *a, size_t a_len, const char *b, size_t b_len)
{
	const size_t least = a_len < b_len ? a_len : b_len;

	if (memcmp(a, b, least) != 0)
		return false;
	return a_len == b_len || (a_len > b_len ? a[least] : b[least]) == '/';
}

struct bundle_file *
bundle_add(struct bundle *b, const char *path, size_t len, uint64_t size,
    struct err *e)
{
	struct bundle_file *f;

	if (bundle_path(path, len, e) < 0)
		return NULL;
	for (size_t i = 0; i < b->count; i++)
		if (bundle_clash(b->files[i].path, strlen(b->files[i].path),
			path, len)) {
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
