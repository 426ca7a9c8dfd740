/*
 * fuzz_event - whatever the line, the head of an event is read or refused; what
 * was read is written so that it is read as the same.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/buf.h"
#include "core/err.h"
#include "record/event.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct event x, y;
	struct buf b = {0};
	struct err e = {0};
	char *line = malloc(size + 1); /* a line ends in NUL, and there only */

	memcpy(line, data, size);
	line[size] = '\0';
	if (strlen(line) == size && !strpbrk(line, "\r\n") &&
	    event_read(&x, line, size, &e) == 0) {
		event_write(&b, &x);
		if (event_read(&y, b.data, b.len - 1, &e) < 0 ||
		    x.number != y.number || x.shard != y.shard ||
		    x.sequence != y.sequence || strcmp(x.name, y.name) != 0 ||
		    x.data_len != y.data_len ||
		    memcmp(x.data, y.data, x.data_len) != 0)
			abort();
	}
	buf_release(&b);
	free(line);
	return 0;
}
