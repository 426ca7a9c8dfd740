#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/err.h"
#include "ext/json.h"
#include "tool/fault.h"
#include "tool/schema.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A line with a schema, then arguments: both checked, whatever they are. */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data, *end;
	struct json *schema = NULL, *arguments = NULL;
	struct faults f = {0};
	struct err e = {0};

	end = size ? memchr(text, '\n', size) : NULL;
	if (!end || json_read(&schema, text, (size_t)(end - text), &e) < 0)
		return 0;
	schema_check(&f, &(struct fault_place){NULL, "s", 0}, schema);
	end++;
	if (!f.count &&
	    json_read(&arguments, end, size - (size_t)(end - text), &e) == 0) {
		e = (struct err){0};
		if (schema_validate(schema, arguments, &e) < 0 &&
		    (e.kind != ERR_INPUT ||
			strncmp(e.text, "arguments", 9) != 0))
			abort();
	}
	fault_release(&f);
	json_free(arguments);
	json_free(schema);
	return 0;
}
