#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/buf.h"
#include "core/err.h"
#include "ext/json.h"
#include "ext/jsonw.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What is read can be written, and then reads and writes the same again. */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct json *root = NULL;
	struct buf first = {0}, second = {0};
	struct err e = {0};

	if (json_read(&root, (const char *)data, size, &e) < 0) {
		if (e.kind != ERR_INPUT)
			abort();
		return 0;
	}
	jsonw_value(&first, NULL, root);
	json_free(root);
	if (json_read(&root, first.data, first.len, &e) < 0)
		abort();
	jsonw_value(&second, NULL, root);
	json_free(root);
	if (strcmp(first.data, second.data) != 0)
		abort();
	buf_release(&first);
	buf_release(&second);
	return 0;
}
