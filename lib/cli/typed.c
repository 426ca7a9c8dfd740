#include "cli/typed.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/err.h"
#include "core/file.h"
#include "core/home.h"
#include "core/mem.h"
#include "ext/edit.h"

struct typed {
	struct edit *edit;
};

int
typed_open(struct typed **out, const char *name, const char *prompt,
    struct err *e)
{
	struct typed *t = mem_new(sizeof(*t));
	struct err none = {0};
	const char *state = home_state(&none);
	char file[64], path[PATH_MAX];
	int kept;

	snprintf(file, sizeof(file), "history-%s", name);
	kept = state && file_mkdirs(state, &none) == 0 &&
	       home_path(path, file, &none) == 0;
	if (edit_open(&t->edit, name, prompt, kept ? path : NULL, e) < 0) {
		free(t);
		return -1;
	}
	*out = t;
	return 0;
}

void
typed_close(struct typed *t)
{
	if (t)
		edit_close(t->edit);
	free(t);
}

int
typed_line(struct typed *t, const char **line)
{
	return edit_line(t->edit, line);
}
