#include "core/home.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/err.h"

static bool
exists(const char *dir, const char *name)
{
	char path[PATH_MAX];
	int n = snprintf(path, sizeof(path), "%s/%s", dir, name);

	return n > 0 && (size_t)n < sizeof(path) && access(path, F_OK) == 0;
}

const char *
home_bin(void)
{
	static char dir[PATH_MAX];
	ssize_t n;
	char *slash;

	if (dir[0])
		return dir;
	n = readlink("/proc/self/exe", dir, sizeof(dir) - 1);
	dir[n > 0 ? n : 0] = '\0';
	slash = strrchr(dir, '/');
	if (slash)
		*slash = '\0';
	return dir;
}

/* The checkout this binary was built in (its bin/ is in it), or NULL. */
static const char *
checkout(void)
{
	static char dir[PATH_MAX];
	char *slash;

	snprintf(dir, sizeof(dir), "%s", home_bin());
	while ((slash = strrchr(dir, '/')) != NULL && slash != dir) {
		*slash = '\0';
		if (exists(dir, "lib/LAYERS") && exists(dir, "share/schema"))
			return dir;
	}
	return NULL;
}

static const char *
fill(char out[PATH_MAX], const char *dir, const char *name, struct err *e)
{
	int n = snprintf(out, PATH_MAX, "%s/%s", dir, name);

	if (n > 0 && n < PATH_MAX)
		return out;
	out[0] = '\0'; /* it is asked for again */
	err_set(e, ERR_CONFIG, "the path %.80s... is too long", dir);
	return NULL;
}

const char *
home_state(struct err *e)
{
	static char path[PATH_MAX];
	const char *set = getenv("SOPHIA_HOME"), *top;

	if (set && *set)
		return set;
	if (path[0])
		return path;
	if ((top = checkout()) != NULL)
		return fill(path, top, "storage", e);
	if ((set = getenv("XDG_STATE_HOME")) != NULL && *set == '/')
		return fill(path, set, "sophia", e);
	if ((set = getenv("HOME")) != NULL && *set == '/')
		return fill(path, set, ".local/state/sophia", e);
	err_set(e, ERR_CONFIG, "no state folder: set SOPHIA_HOME or HOME");
	return NULL;
}

const char *
home_share(struct err *e)
{
	static char path[PATH_MAX];
	const char *set = getenv("SOPHIA_SHARE"), *top;

	if (set && *set)
		return set;
	if (path[0])
		return path;
	if ((top = checkout()) != NULL)
		return fill(path, top, "share", e);
	return fill(path, home_bin(), "../share/sophia", e);
}

int
home_path(char out[PATH_MAX], const char *name, struct err *e)
{
	const char *dir = home_state(e);

	return dir && fill(out, dir, name, e) ? 0 : -1;
}

int
home_share_path(char out[PATH_MAX], const char *name, struct err *e)
{
	const char *dir = home_share(e);

	return dir && fill(out, dir, name, e) ? 0 : -1;
}

bool
home_in_path(char out[PATH_MAX], const char *name)
{
	const char *dir = getenv("PATH");

	while (dir && *dir) {
		size_t len = strcspn(dir, ":");
		int n = snprintf(out, PATH_MAX, "%.*s/%s", (int)len, dir, name);

		if (*dir == '/' && n > 0 && n < PATH_MAX &&
		    access(out, X_OK) == 0)
			return true;
		dir += len + (dir[len] == ':');
	}
	return false;
}
