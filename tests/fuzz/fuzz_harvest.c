/*
 * What a container gives back: any frames. What is taken in the end has paths
 * and sizes that will do, whatever came.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/err.h"
#include "core/frame.h"
#include "core/path.h"
#include "workspace/harvest.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct bundle before;
static struct harvest h;

static void
check(void)
{
	uint64_t sum = 0;
	struct err e = {0};

	for (size_t i = 0; i < h.changed.count; i++) {
		const struct bundle_file *f = &h.changed.files[i];

		sum += f->bytes.len;
		if (path_check(f->path, strlen(f->path), &e) < 0)
			abort();
		for (size_t k = 0; k < i; k++)
			if (path_clash(f->path, strlen(f->path),
				h.changed.files[k].path,
				strlen(h.changed.files[k].path)))
				abort();
	}
	if (sum != h.changed.bytes || sum > BUNDLE_BYTES_MOST)
		abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const size_t cut = size ? data[0] % size : 0;
	struct frames f = {0};
	struct frame x;
	struct err e = {0};
	int row = 0;

	if (!before.count) {
		bundle_add(&before, "a", 1, 0, &e);
		bundle_add(&before, "d/b", 3, 0, &e);
	}
	h = (struct harvest){.before = &before};
	for (int half = 0; half < 2 && row >= 0; half++) {
		frames_feed(&f, (const char *)data + (half ? cut : 0),
		    half ? size - cut : cut);
		while ((row = frames_next(&f, &x, &e)) > 0 &&
		       harvest_take(&h, &x, &e) == 0)
			;
	}
	if (harvest_end(&h, &e) == 0)
		check();
	harvest_release(&h);
	frames_release(&f);
	return 0;
}
