#include "runtime/validate.h"

#include <string.h>

#include "core/err.h"
#include "ext/json.h"
#include "tool/manifest.h"
#include "tool/schema.h"

/* Say what is wrong with a text that is no JSON object. */
static int
explain(const char *text, struct err *e)
{
	struct json *none;

	if (json_object(&none, text, strlen(text), e) == 0) {
		json_free(none);
		return err_set(e, ERR_INTERNAL, "the arguments were not read");
	}
	return err_in(e, "the arguments are not a JSON object");
}

int
validate_call(const struct manifest *tool, const char *name,
    const struct json *input, const char *text, struct err *e)
{
	if (!tool)
		return err_set(e, ERR_INPUT,
		    "there is no tool called %.64s; tool_search finds tools",
		    name);
	if (!input)
		return explain(text, e);
	return schema_validate(tool->parameters, input, e);
}
