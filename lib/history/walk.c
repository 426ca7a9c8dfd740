#include "history/walk.h"

#include <dirent.h>
#include <stdint.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/buf.h"
#include "core/err.h"
#include "core/log.h"

enum { DEPTH = 32 };

static bool
ends_in(const char *name, const char *end)
{
	size_t len = strlen(name), n = strlen(end);

	return len > n && strcmp(name + len - n, end) == 0;
}

static int walk_folder(const char *path, int depth, walk_fn *each, void *ctx,
    struct err *e);

/*
 * One entry of a folder. A link is followed to a file, never to a folder, which
 * might be one we are in; a pipe or a device is no archive, and might never
 * end.
 */
static int /* NOLINTNEXTLINE(misc-no-recursion): bounded by DEPTH */
walk_entry(const char *path, int depth, walk_fn *each, void *ctx, struct err *e)
{
	struct stat st;

	if (lstat(path, &st) < 0)
		return 0; /* it went away meanwhile */
	if (S_ISDIR(st.st_mode))
		return depth < DEPTH
			   ? walk_folder(path, depth + 1, each, ctx, e)
			   : 0;
	if (!ends_in(path, ".json") && !ends_in(path, ".ndjson"))
		return 0;
	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		return 0;
	return each(ctx, path, e);
}

static int /* NOLINTNEXTLINE(misc-no-recursion): bounded by DEPTH */
walk_folder(const char *path, int depth, walk_fn *each, void *ctx,
    struct err *e)
{
	struct dirent **list = NULL;
	struct buf full = {0};
	int n = scandir(path, &list, NULL, alphasort), result = 0;

	if (n < 0) /* for each to say that it can't be opened, and go on */
		return each(ctx, path, e);
	for (int i = 0; i < n; i++) {
		const char *name = list[i]->d_name;

		if (result == 0 && name[0] != '.') {
			buf_clear(&full);
			buf_fmt(&full, "%s/%s", path, name);
			result = walk_entry(full.data, depth, each, ctx, e);
		}
		free(list[i]);
	}
	free(list);
	buf_release(&full);
	return result;
}

/* Counts on the way to whoever asked. */
struct counted {
	walk_fn *each;
	void *ctx;
	int64_t count;
};

static int
count(void *ctx, const char *path, struct err *e)
{
	struct counted *c = ctx;

	c->count++;
	return c->each(c->ctx, path, e);
}

int
walk(char *const paths[], int n, walk_fn *each, void *ctx, struct err *e)
{
	struct counted c = {.each = each, .ctx = ctx};
	struct stat st;
	int result = 0;

	for (int i = 0; i < n && result == 0; i++) {
		c.count = 0;
		result = strcmp(paths[i], "-") != 0 &&
				 stat(paths[i], &st) == 0 && S_ISDIR(st.st_mode)
			     ? walk_folder(paths[i], 0, count, &c, e)
			     : count(&c, paths[i], e);
		if (result == 0 && !c.count)
			log_warn("%s: no *.json or *.ndjson file is in it",
			    paths[i]);
	}
	return result;
}
