/* What a container says is a picture: any bytes, with either mark. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/err.h"
#include "workspace/shape.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct shape s;
	struct err e = {0};

	if (shape_read(&s, (const char *)data, size, &e) == 0 &&
	    (!s.width || !s.height || !s.type || size < 30))
		abort();
	return 0;
}
