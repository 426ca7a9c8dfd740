#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <yajl/yajl_tree.h>

#include "core/err.h"
#include "ext/json_tree.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
claim(bool good)
{
	if (!good)
		abort();
}

static void
same(const struct json *v, yajl_val y)
{
	size_t i = 0;

	switch (json_kind(v)) {
	case JSON_NULL: claim(YAJL_IS_NULL(y)); break;
	case JSON_BOOL: claim(json_true(v) == !!YAJL_IS_TRUE(y)); break;
	case JSON_NUMBER:
		claim(y->type == yajl_t_number &&
		      strcmp(json_text(v), YAJL_GET_NUMBER(y)) == 0);
		break;
	case JSON_STRING:
		claim(strcmp(json_text(v), YAJL_GET_STRING(y)) == 0);
		break;
	case JSON_ARRAY:
		claim(json_count(v) == YAJL_GET_ARRAY(y)->len);
		for (v = json_first(v); v; v = json_next(v))
			same(v, YAJL_GET_ARRAY(y)->values[i++]);
		break;
	case JSON_OBJECT:
		claim(json_count(v) == YAJL_GET_OBJECT(y)->len);
		for (v = json_first(v); v; v = json_next(v), i++) {
			claim(strcmp(json_key(v),
				  YAJL_GET_OBJECT(y)->keys[i]) == 0);
			same(v, YAJL_GET_OBJECT(y)->values[i]);
		}
		break;
	case JSON_NONE: abort();
	}
}

/*
 * What the fast reader accepts, yajl reads as the same tree. Escapes of NUL and
 * of surrogates are left out: there, ext/json mends what yajl makes of them.
 */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct json_doc *d = calloc(1, sizeof(*d));
	char *text = calloc(1, size + 1);
	yajl_val y;

	if (!d || !text)
		abort();
	memcpy(text, data, size);
	if (json_fast(d, text, size) == 0 && !strstr(text, "\\u0000") &&
	    !strstr(text, "\\ud") && !strstr(text, "\\uD")) {
		y = yajl_tree_parse(text, NULL, 0);
		claim(y != NULL);
		same(&d->root, y);
		yajl_tree_free(y);
	}
	json_free(&d->root);
	free(text);
	return 0;
}
