#include "runtime/prompt.h"

#include <stdio.h>
#include <string.h>

#include "core/buf.h"
#include "core/err.h"
#include "core/file.h"
#include "core/home.h"

enum { PROMPT_MAX = 256 << 10 };

static int
load(struct buf *out, const char *name, struct err *e)
{
	char path[PATH_MAX];

	if (home_share_path(path, name, e) < 0)
		return -1;
	return file_read(out, path, e);
}

/* The value of the parameter called by the len bytes at name, or NULL. */
static const char *
value_of(const struct prompt *p, const char *voice, const char *name,
    size_t len)
{
	const struct {
		const char *name, *value;
	} known[] = {
	    {"voice", voice},
	    {"language", p->language},
	    {"actor", p->actor},
	    {"location", p->location},
	    {"visibility", p->visibility},
	    {"task", p->task},
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strlen(known[i].name) == len &&
		    strncmp(known[i].name, name, len) == 0)
			return known[i].value;
	return NULL;
}

static int
replace(struct buf *out, const char *text, const struct prompt *p,
    const char *voice, struct err *e)
{
	const char *open, *close, *value;

	while ((open = strstr(text, "{{")) != NULL) {
		close = strstr(open, "}}");
		value = close ? value_of(p, voice, open + 2,
				    (size_t)(close - open) - 2)
			      : NULL;
		if (!close || !value)
			return err_set(e, ERR_CONFIG,
			    "prompts/system.md: no such parameter: %.40s",
			    open);
		buf_add(out, text, (size_t)(open - text));
		buf_str(out, value);
		text = close + 2;
	}
	buf_str(out, text);
	return 0;
}

int
prompt_write(struct buf *out, const struct prompt *p, struct err *e)
{
	struct buf text = {.limit = PROMPT_MAX}, voice = {.limit = PROMPT_MAX};
	char name[64];
	int result = -1;

	snprintf(name, sizeof(name), "prompts/voice-%s.md", p->voice);
	if (load(&text, "prompts/system.md", e) < 0 ||
	    load(&voice, name, e) < 0)
		goto out;
	result = replace(out, buf_text(&text), p, buf_text(&voice), e);
out:
	buf_release(&text);
	buf_release(&voice);
	return result;
}
