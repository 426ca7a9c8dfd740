#define _GNU_SOURCE /* O_PATH */
#include "guest/tree.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/buf.h"
#include "core/mem.h"

int
tree_open(struct tree *t, const char *folder, struct err *e)
{
	t->root = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (t->root < 0) {
		t->root = 0;
		return err_sys(e, ERR_IO, "%s", folder);
	}
	return 0;
}

/* One folder of a path, made if it isn't there; the parent is closed. */
static int
enter(int parent, const char *name, struct err *e)
{
	int fd;

	if (mkdirat(parent, name, 0700) < 0 && errno != EEXIST)
		fd = -1;
	else
		fd = openat(parent, name,
		    O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		err_sys(e, ERR_IO, "making the folder %.255s", name);
	close(parent);
	return fd;
}

static bool
is_name(const char *name)
{
	return *name && strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
}

/* The file of that path, new. The path is cut in pieces. */
static int
create(struct tree *t, char *path, struct err *e)
{
	int folder = fcntl(t->root, F_DUPFD_CLOEXEC, 3), fd;
	char *name = path;

	for (char *cut; folder >= 0 && (cut = strchr(name, '/'));
	     name = cut + 1) {
		*cut = '\0';
		if (!is_name(name)) {
			close(folder);
			return err_set(e, ERR_INPUT, "a path that won't do");
		}
		folder = enter(folder, name, e);
	}
	if (folder < 0)
		return -1;
	fd = is_name(name)
		 ? openat(folder, name,
		       O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
		       0600)
		 : -1;
	close(folder);
	return fd < 0 ? err_sys(e, ERR_IO, "making the file %.255s", name) : fd;
}

static int
finish(struct tree *t, struct err *e)
{
	const int fd = t->open;

	t->open = 0;
	return close(fd) < 0 ? err_sys(e, ERR_IO, "writing a file") : 0;
}

int
tree_begin(struct tree *t, const char *path, uint64_t size, struct err *e)
{
	char *copy = mem_dup(path);
	int fd = t->left || t->open
		     ? err_set(e, ERR_INPUT, "a file begins within another")
		     : create(t, copy, e);

	free(copy);
	if (fd < 0)
		return -1;
	if (t->count == t->room) {
		t->room = t->room ? 2 * t->room : 32;
		t->files = mem_resize(t->files, t->room, sizeof(*t->files));
	}
	t->files[t->count++] = (struct tree_file){.path = mem_dup(path)};
	t->open = fd;
	t->left = size;
	return size ? 0 : finish(t, e);
}

int
tree_write(struct tree *t, const char *bytes, size_t len, struct err *e)
{
	if (!t->open || len > t->left)
		return err_set(e, ERR_INPUT, "bytes that belong to no file");
	t->left -= len;
	while (len) {
		ssize_t n = write(t->open, bytes, len);

		if (n < 0 && errno != EINTR)
			return err_sys(e, ERR_IO, "writing a file");
		if (n > 0) {
			bytes += n;
			len -= (size_t)n;
		}
	}
	return t->left ? 0 : finish(t, e);
}

static int
by_path(const void *a, const void *b)
{
	const struct tree_file *x = a, *y = b;

	return strcmp(x->path, y->path);
}

int
tree_ready(struct tree *t, struct err *e)
{
	if (t->open)
		return err_set(e, ERR_INPUT, "a file is not whole");
	for (size_t i = 0; i < t->count; i++) {
		struct tree_file *f = &t->files[i];
		struct stat st;

		if (fstatat(t->root, f->path, &st, AT_SYMLINK_NOFOLLOW) < 0)
			return err_sys(e, ERR_IO, "%.255s", f->path);
		f->inode = st.st_ino;
		f->changed = st.st_ctim;
	}
	if (t->count)
		qsort(t->files, t->count, sizeof(*t->files), by_path);
	return 0;
}

void
tree_release(struct tree *t)
{
	for (size_t i = 0; i < t->count; i++)
		free(t->files[i].path);
	free(t->files);
	if (t->open)
		close(t->open);
	if (t->root)
		close(t->root);
	*t = (struct tree){0};
}
