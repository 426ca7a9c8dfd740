#include "adapter/handed.h"

#include <stdbool.h>
#include <string.h>

#include "core/buf.h"
#include "core/err.h"
#include "core/utf8.h"
#include "ext/json.h"
#include "record/any.h"
#include "record/result.h"

enum { NAME_MAX_SHOWN = 256 };

static bool
is_noted(const struct buf *names, const char *name)
{
	size_t len = strlen(name);
	const char *at = buf_text(names), *end;

	for (; (end = strchr(at, '\n')); at = end + 1)
		if ((size_t)(end - at) == len && memcmp(at, name, len) == 0)
			return true;
	return false;
}

static void
note(struct buf *names, const struct json *artifact)
{
	const char *filename = json_string(artifact, "filename");
	char name[NAME_MAX_SHOWN];

	if (!filename)
		return;
	utf8_tame(name, sizeof(name), filename);
	if (*name && !is_noted(names, name))
		buf_fmt(names, "%s\n", name);
}

void
handed_note(struct buf *names, const char *line, size_t len)
{
	struct any any = {0};
	struct result r;
	struct err e = {0};

	if (any_read(&any, line, len, &e) == 0 && any_is(&any, "result") &&
	    result_read(&r, any.root, &e) == 0 && r.artifacts.tree)
		for (const struct json *a = json_first(r.artifacts.tree); a;
		     a = json_next(a))
			note(names, a);
	any_release(&any);
}
