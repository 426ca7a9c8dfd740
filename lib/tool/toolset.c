#include "tool/toolset.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/err.h"
#include "core/home.h"
#include "core/mem.h"
#include "tool/fault.h"

static int
by_name(const void *a, const void *b)
{
	const struct manifest *x = a, *y = b;

	return strcmp(x->name, y->name);
}

/* Take m in, in place of one of the same name if there is one. */
static void
take(struct toolset *t, struct manifest *m)
{
	for (size_t i = 0; i < t->count; i++)
		if (strcmp(t->tools[i].name, m->name) == 0) {
			manifest_release(&t->tools[i]);
			t->tools[i] = *m;
			return;
		}
	t->tools = mem_resize(t->tools, t->count + 1, sizeof(*t->tools));
	t->tools[t->count++] = *m;
}

static int
is_json(const struct dirent *d)
{
	size_t len = strlen(d->d_name);

	return d->d_name[0] != '.' && len > 5 &&
	       strcmp(d->d_name + len - 5, ".json") == 0;
}

static void
load_file(struct toolset *t, const char *dir, const char *name,
    struct faults *f)
{
	char path[PATH_MAX];
	struct manifest m;
	int n = snprintf(path, sizeof(path), "%s/%s", dir, name);

	if (n < 0 || (size_t)n >= sizeof(path))
		fault_add(f, NULL, "%.80s...: this path is too long", dir);
	else if (t->count == TOOLSET_MAX)
		fault_add(f, NULL, "%s: one tool more than %d", path,
		    TOOLSET_MAX);
	else if (manifest_examine(&m, path, f) == 0)
		take(t, &m);
	else
		manifest_release(&m);
}

/* A folder that isn't there holds no tools. */
static int
load_folder(struct toolset *t, const char *dir, struct faults *f, struct err *e)
{
	struct dirent **names = NULL;
	int count = scandir(dir, &names, is_json, alphasort);

	if (count < 0)
		return errno == ENOENT
			   ? 0
			   : err_sys(e, ERR_CONFIG, "reading %s", dir);
	for (int i = 0; i < count; i++) {
		load_file(t, dir, names[i]->d_name, f);
		free(names[i]);
	}
	free(names);
	return 0;
}

static int
examine(struct toolset *t, struct faults *f, struct err *e)
{
	char dir[PATH_MAX];

	*t = (struct toolset){0};
	if (home_share_path(dir, "tools", e) < 0 ||
	    load_folder(t, dir, f, e) < 0 || home_path(dir, "tools", e) < 0 ||
	    load_folder(t, dir, f, e) < 0) {
		toolset_release(t);
		return -1;
	}
	if (t->count)
		qsort(t->tools, t->count, sizeof(*t->tools), by_name);
	return 0;
}

int
toolset_load(struct toolset *t, struct err *e)
{
	struct faults f = {0};
	int result = examine(t, &f, e);

	if (result == 0 && f.count) {
		result = fault_end(&f, ERR_CONFIG, e);
		toolset_release(t);
	}
	fault_release(&f);
	return result;
}

const struct manifest *
toolset_find(const struct toolset *t, const char *name)
{
	for (size_t i = 0; i < t->count; i++)
		if (strcmp(t->tools[i].name, name) == 0)
			return &t->tools[i];
	return NULL;
}

void
toolset_release(struct toolset *t)
{
	for (size_t i = 0; i < t->count; i++)
		manifest_release(&t->tools[i]);
	free(t->tools);
	*t = (struct toolset){0};
}

static int
check_program(struct faults *f, const struct manifest *m)
{
	char program[PATH_MAX];
	struct err e = {0};

	if (manifest_program(m, program, &e) == 0)
		return 1;
	fault_add(f, NULL, "%s", e.text);
	return 0;
}

static int
check_file(struct faults *f, const char *path)
{
	struct manifest m;
	int good = 0;

	if (manifest_examine(&m, path, f) == 0)
		good = check_program(f, &m);
	manifest_release(&m);
	return good;
}

int
toolset_check(struct faults *f, const char *const *files, int count,
    struct err *e)
{
	struct toolset t;
	int good = 0;

	for (int i = 0; i < count; i++)
		good += check_file(f, files[i]);
	if (count)
		return good;
	if (examine(&t, f, e) < 0)
		return -1;
	for (size_t i = 0; i < t.count; i++)
		good += check_program(f, &t.tools[i]);
	toolset_release(&t);
	return good;
}
