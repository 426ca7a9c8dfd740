#include "tool/environ.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/buf.h"
#include "core/err.h"
#include "core/file.h"
#include "core/home.h"
#include "core/mem.h"
#include "core/secret.h"
#include "ext/json.h"
#include "tool/manifest.h"

extern char **environ;

enum { PROFILE_MAX = 256 << 10 };

/* The names of the variables that hold the providers' keys. */
struct names {
	char **list;
	size_t count;
};

static void
names_release(struct names *n)
{
	for (size_t i = 0; i < n->count; i++)
		free(n->list[i]);
	free(n->list);
}

static void
add_name(struct names *n, const char *name)
{
	n->list = mem_resize(n->list, n->count + 1, sizeof(*n->list));
	n->list[n->count++] = mem_dup(name);
}

/* A profile that can't be read is for sophia-model to complain of. */
static void
read_profile(struct names *n, const char *path)
{
	struct buf text = {.limit = PROFILE_MAX};
	struct json *root = NULL;
	struct err e = {0};

	if (file_read(&text, path, &e) == 0 &&
	    json_object(&root, buf_text(&text), text.len, &e) == 0 &&
	    json_string(root, "key_env"))
		add_name(n, json_string(root, "key_env"));
	json_free(root);
	buf_release(&text);
}

static void
read_profiles(struct names *n, const char *dir)
{
	DIR *d = opendir(dir);
	struct dirent *entry;
	char path[PATH_MAX];

	while (d && (entry = readdir(d)) != NULL) {
		int len = snprintf(path, sizeof(path), "%s/%s", dir,
		    entry->d_name);

		if (entry->d_name[0] != '.' && len > 0 &&
		    (size_t)len < sizeof(path))
			read_profile(n, path);
	}
	if (d)
		closedir(d);
}

static int
names_read(struct names *n, struct err *e)
{
	char dir[PATH_MAX];

	if (home_share_path(dir, "models", e) < 0)
		return -1;
	read_profiles(n, dir);
	if (home_path(dir, "models", e) < 0)
		return -1;
	read_profiles(n, dir);
	return 0;
}

/* Whether the variable "NAME=..." is called so. */
static bool
is_called(const char *variable, const char *name)
{
	size_t len = strlen(name);

	return strncmp(variable, name, len) == 0 && variable[len] == '=';
}

/* Which needs, any one of which suffices, let a child have it; 0: everybody. */
static unsigned
needed_by(const char *variable, const struct names *keys)
{
	enum { ANY_SECRET = NEED_DISCORD | NEED_MODEL | NEED_SEARCH };
	unsigned needs = 0;

	if (is_called(variable, "DISCORD_TOKEN"))
		return NEED_DISCORD;
	if (is_called(variable, "SOPHIA_SEARCH_KEY"))
		return NEED_SEARCH;
	if (is_called(variable, "SOPHIA_SECRETS"))
		return ANY_SECRET;
	for (size_t i = 0; i < keys->count; i++)
		if (is_called(variable, keys->list[i]))
			needs = NEED_MODEL;
	return needs;
}

static bool
may_have(const char *variable, unsigned needs, const struct names *keys)
{
	unsigned by = needed_by(variable, keys);

	return by ? (by & needs) != 0 : !secret_named(variable);
}

static void
add(struct environ *v, size_t *count, const char *name, const char *value)
{
	struct buf b = {0};

	buf_fmt(&b, "%s=%s", name, value);
	v->list[(*count)++] = buf_take(&b);
}

int
environ_make(struct environ *v, unsigned needs, struct err *e)
{
	const char *home = home_state(e), *share = home_share(e);
	struct names keys = {0};
	size_t count = 0;
	int result = -1;

	*v = (struct environ){0};
	if (!home || !share || names_read(&keys, e) < 0)
		goto out;
	while (environ[count])
		count++;
	v->list = mem_array(count + 3, sizeof(*v->list));
	count = 0;
	for (char **from = environ; *from; from++)
		if (!is_called(*from, "SOPHIA_HOME") &&
		    !is_called(*from, "SOPHIA_SHARE") &&
		    may_have(*from, needs, &keys))
			v->list[count++] = mem_dup(*from);
	add(v, &count, "SOPHIA_HOME", home);
	add(v, &count, "SOPHIA_SHARE", share);
	result = 0;
out:
	names_release(&keys);
	return result;
}

void
environ_release(struct environ *v)
{
	for (char **p = v->list; p && *p; p++)
		free(*p);
	free(v->list);
	*v = (struct environ){0};
}
