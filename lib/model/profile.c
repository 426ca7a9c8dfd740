#include "model/profile.h"

#include <ctype.h>
#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/buf.h"
#include "core/err.h"
#include "core/file.h"
#include "core/home.h"
#include "core/mem.h"

enum { FILE_MAX = 64 << 10, NAMES_MAX = 512 };

static bool
good_name(const char *name)
{
	size_t len = strlen(name);

	if (!len || len > PROFILE_NAME_MAX || *name == '.')
		return false;
	for (; *name; name++)
		if (!isalnum((unsigned char)*name) && !strchr("._-", *name))
			return false;
	return true;
}

/* The path of the profile's file: ours if there is one, else the shared one. */
static int
find_file(char path[PATH_MAX], const char *name, struct err *e)
{
	char tail[PROFILE_NAME_MAX + sizeof("models/.json")];

	if (!good_name(name))
		return err_set(e, ERR_CONFIG, "'%s' is no name of a profile",
		    name);
	snprintf(tail, sizeof(tail), "models/%s.json", name);
	if (home_path(path, tail, e) < 0)
		return -1;
	if (access(path, F_OK) == 0)
		return 0;
	if (home_share_path(path, tail, e) < 0)
		return -1;
	if (access(path, F_OK) == 0)
		return 0;
	return err_set(e, ERR_CONFIG,
	    "there is no profile '%s'; sophia-model --list names them", name);
}

int
profile_load(struct profile *p, const char *name, struct err *e)
{
	char path[PATH_MAX];
	struct buf text = {.limit = FILE_MAX};
	int result = -1;

	*p = (struct profile){0};
	if (find_file(path, name, e) < 0 || file_read(&text, path, e) < 0)
		goto out;
	result = profile_read(p, name, buf_text(&text), text.len, e);
	if (result < 0)
		err_in(e, "%s", path);
out:
	buf_release(&text);
	return result;
}

struct name_list {
	char *names[NAMES_MAX];
	size_t count;
};

/* The name in "NAME.json", or NULL: yours to free. */
static char *
name_in(const char *file)
{
	size_t len = strlen(file), end = strlen(".json");
	char *name;

	if (len <= end || strcmp(file + len - end, ".json") != 0)
		return NULL;
	name = mem_dupn(file, len - end);
	if (good_name(name))
		return name;
	free(name);
	return NULL;
}

static void
add_name(struct name_list *l, char *name)
{
	for (size_t i = 0; i < l->count; i++)
		if (strcmp(l->names[i], name) == 0) {
			free(name);
			return;
		}
	if (l->count < NAMES_MAX)
		l->names[l->count++] = name;
	else
		free(name);
}

/* A folder that isn't there has no profiles. */
static void
list_folder(struct name_list *l, const char *path)
{
	DIR *d = opendir(path);
	const struct dirent *entry;
	char *name;

	while (d && (entry = readdir(d)) != NULL)
		if ((name = name_in(entry->d_name)) != NULL)
			add_name(l, name);
	if (d)
		closedir(d);
}

static int
by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

int
profile_names(struct buf *names, struct err *e)
{
	char state[PATH_MAX], share[PATH_MAX];
	struct name_list l = {.count = 0};

	if (home_path(state, "models", e) < 0 ||
	    home_share_path(share, "models", e) < 0)
		return -1;
	list_folder(&l, state);
	list_folder(&l, share);
	qsort(l.names, l.count, sizeof(*l.names), by_name);
	for (size_t i = 0; i < l.count; i++) {
		buf_fmt(names, "%s\n", l.names[i]);
		free(l.names[i]);
	}
	return (int)l.count;
}
