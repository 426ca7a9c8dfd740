#include "record/any.h"

#include <string.h>

#include "core/err.h"
#include "ext/json.h"

int
any_read(struct any *a, const char *line, size_t len, struct err *e)
{
	*a = (struct any){0};
	if (json_object(&a->root, line, len, e) < 0)
		return -1;
	a->type = json_string(a->root, "type");
	if (a->type)
		return 0;
	any_release(a);
	return err_set(e, ERR_INPUT, "a record without a type");
}

bool
any_is(const struct any *a, const char *type)
{
	return a->type && strcmp(a->type, type) == 0;
}

void
any_release(struct any *a)
{
	json_free(a->root);
	*a = (struct any){0};
}
