#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/buf.h"
#include "core/err.h"
#include "tool/math.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/*
 * A value reads as itself, unless it had to be rounded or is too long to read.
 */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct buf first = {0}, second = {0};
	struct err e = {0};
	bool exact = false;

	if (math_evaluate(&first, &exact, (const char *)data, size, &e) < 0) {
		if (e.kind != ERR_INPUT || first.len)
			abort();
		return 0;
	}
	if (exact &&
	    math_evaluate(&second, &exact, first.data, first.len, &e) == 0 &&
	    (!exact || strcmp(first.data, second.data) != 0))
		abort();
	buf_release(&first);
	buf_release(&second);
	return 0;
}
