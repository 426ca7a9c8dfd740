#include "runtime/executor.h"

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
executor_admit(const struct manifest *tool, const char *name,
    const struct json *input, const char *text, struct err *e)
{
	if (!tool)
		return err_set(e, ERR_INPUT,
		    "there is no tool called %.64s; tool_search finds tools",
		    name);
	if (!input)
		return explain(text, e);
	if (schema_validate(tool->parameters, input, e) < 0)
		return -1;
	if (tool->tier >= TIER_WRITE)
		return err_set(e, ERR_APPROVAL,
		    "%s changes something and needs an approval, which this "
		    "version cannot ask for; nothing was done",
		    name);
	return 0;
}
