#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "model/picture.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What has a size at all has the same one however much comes after it. */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct picture whole, part;
	char *copy = malloc(size + 1);

	memcpy(copy, data, size);
	if (picture_read(&whole, copy, size) == 0) {
		if (!whole.type || !whole.width || !whole.height)
			abort();
		copy[size] = 'x';
		if (picture_read(&part, copy, size + 1) < 0 ||
		    part.width != whole.width || part.height != whole.height)
			abort();
	}
	free(copy);
	return 0;
}
