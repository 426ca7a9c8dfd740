/* Any text: a cursor that is read can be written, and reads the same again. */

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/buf.h"
#include "core/err.h"
#include "core/mem.h"
#include "retrieve/cursor.h"
#include "core/hash.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What could be read must hold no more than it says, and be itself again. */
static void
check(const char *text)
{
	struct cursor c;
	struct buf again = {0};
	struct err e = {0};

	if (cursor_read(&c, text, &e) < 0) {
		if (e.kind != ERR_INPUT)
			abort();
		return;
	}
	if (c.frozen.words > SCORE_WORDS || !isfinite(c.score))
		abort();
	cursor_write(&again, &c);
	if (strcmp(again.data, text) != 0)
		abort();
	buf_release(&again);
}

/*
 * The same bytes as a cursor's fields: the checksum does not stop the fuzzer.
 */
static void
check_fields(const uint8_t *data, size_t size)
{
	struct cursor c = {0};
	struct buf text = {0};

	memcpy(&c, data, size < sizeof(c) ? size : sizeof(c));
	c.frozen.words %= SCORE_WORDS + 1;
	cursor_write(&text, &c);
	check(text.data);
	buf_release(&text);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = mem_dupn((const char *)data, size);

	check(text);
	check_fields(data, size);
	free(text);
	return 0;
}
