#define _GNU_SOURCE /* O_PATH */
#include "workspace/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/buf.h"
#include "core/file.h"
#include "core/path.h"
#include "workspace/harvest.h"

enum { TEMPORARY_LEN = 64 };

static int
read_file(struct bundle *b, int folder, const char *name, const char *path,
    struct err *e)
{
	struct bundle_file *f;
	struct stat st;
	int fd = openat(folder, name,
	    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	int result = -1;

	if (fd < 0 && errno == ELOOP)
		return err_set(e, ERR_INPUT, "%.200s is a link", path);
	if (fd < 0)
		return err_sys(e, ERR_CONFIG, "%.200s", path);
	if (fstat(fd, &st) < 0)
		err_sys(e, ERR_IO, "%.200s", path);
	else if (!S_ISREG(st.st_mode))
		err_set(e, ERR_INPUT, "%.200s is no file", path);
	else if ((f = bundle_add(b, path, strlen(path), (uint64_t)st.st_size,
		      e)) != NULL)
		result = file_read_fd(&f->bytes, fd, path, ERR_CONFIG, e);
	close(fd);
	return result > 0 ? err_set(e, ERR_AGAIN, "%.200s grows", path)
			  : result;
}

/* All below it; fd is closed. */
static int /* NOLINTNEXTLINE(misc-no-recursion): PATH_PARTS_MOST */
read_folder(struct bundle *b, int fd, struct buf *path, int depth,
    struct err *e)
{
	const size_t len = path->len;
	DIR *dir = fdopendir(fd);
	struct dirent *d;
	int result = 0, inner;

	if (!dir) {
		close(fd);
		return err_sys(e, ERR_CONFIG, "a folder");
	}
	while (result == 0 && (d = readdir(dir))) {
		if (strcmp(d->d_name, ".") == 0 || strcmp(d->d_name, "..") == 0)
			continue;
		buf_fmt(path, "%s%s", len ? "/" : "", d->d_name);
		inner = depth < PATH_PARTS_MOST
			    ? openat(fd, d->d_name,
				  O_RDONLY | O_DIRECTORY | O_NOFOLLOW |
				      O_CLOEXEC)
			    : -1;
		if (inner >= 0)
			result = read_folder(b, inner, path, depth + 1, e);
		else
			result = read_file(b, fd, d->d_name, buf_text(path), e);
		path->len = len;
		if (path->data)
			path->data[len] = '\0';
	}
	closedir(dir);
	return result;
}

int
folder_read(struct bundle *b, const char *path, struct err *e)
{
	struct buf at = {.limit = PATH_BYTES_MOST};
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), result;

	if (fd < 0)
		return err_sys(e, ERR_CONFIG, "%.200s", path);
	result = read_folder(b, fd, &at, 1, e);
	buf_release(&at);
	if (result < 0)
		return err_in(e, "%.200s", path);
	bundle_sort(b);
	return 0;
}

static void
temporary(char out[TEMPORARY_LEN], const struct folder_change *f, size_t i)
{
	snprintf(out, TEMPORARY_LEN, ".sophia-%s-%zu", f->id, i);
}

/* Make the folders that a path leads through, without following a link. */
static int
make_folders(int root, const char *path, struct err *e)
{
	int at = fcntl(root, F_DUPFD_CLOEXEC, 3), next;
	const char *cut;

	for (; at >= 0 && (cut = strchr(path, '/')); path = cut + 1) {
		char name[256];

		snprintf(name, sizeof(name), "%.*s", (int)(cut - path), path);
		next = mkdirat(at, name, 0777) < 0 && errno != EEXIST
			   ? -1
			   : openat(at, name,
				 O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (next < 0)
			err_sys(e, ERR_CONFIG, "the folder %s", name);
		close(at);
		at = next;
	}
	if (at < 0)
		return -1;
	close(at);
	return 0;
}

static int
write_file(int folder, const char *name, const struct buf *bytes, struct err *e)
{
	int fd = openat(folder, name,
	    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
	size_t at = 0;

	if (fd < 0)
		return err_sys(e, ERR_CONFIG, "%s", name);
	while (at < bytes->len) {
		ssize_t n = write(fd, bytes->data + at, bytes->len - at);

		if (n < 0 && errno != EINTR) {
			err_sys(e, ERR_IO, "%s", name);
			close(fd);
			return -1;
		}
		at += n > 0 ? (size_t)n : 0;
	}
	if (fsync(fd) < 0 || close(fd) < 0)
		return err_sys(e, ERR_IO, "%s", name);
	return 0;
}

int
folder_write(struct folder_change *f, const char *path,
    const struct bundle *files, struct err *e)
{
	char name[TEMPORARY_LEN];

	*f = (struct folder_change){.files = files};
	id_new(f->id);
	if (file_mkdirs(path, e) < 0)
		return -1;
	f->fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (f->fd < 0) {
		f->fd = 0;
		return err_sys(e, ERR_CONFIG, "%.200s", path);
	}
	for (size_t i = 0; i < files->count; i++) {
		temporary(name, f, i);
		f->written = i + 1;
		if (make_folders(f->fd, files->files[i].path, e) < 0 ||
		    write_file(f->fd, name, &files->files[i].bytes, e) < 0)
			return err_in(e, "%.200s", path);
	}
	return 0;
}

int
folder_commit(struct folder_change *f, const struct harvest *gone,
    struct err *e)
{
	char name[TEMPORARY_LEN];

	for (size_t i = 0; i < f->written; i++) {
		temporary(name, f, i);
		if (renameat(f->fd, name, f->fd, f->files->files[i].path) < 0)
			return err_sys(e, ERR_CONFIG, "%.200s",
			    f->files->files[i].path);
	}
	f->written = 0;
	for (size_t i = 0; gone && i < gone->before->count; i++)
		if (harvest_gone(gone, i))
			unlinkat(f->fd, gone->before->files[i].path, 0);
	return fsync(f->fd) < 0 ? err_sys(e, ERR_IO, "the folder") : 0;
}

void
folder_release(struct folder_change *f)
{
	char name[TEMPORARY_LEN];

	for (size_t i = 0; i < f->written; i++) {
		temporary(name, f, i);
		unlinkat(f->fd, name, 0);
	}
	if (f->fd)
		close(f->fd);
	*f = (struct folder_change){0};
}

bool
folder_same(const char *a, const char *b)
{
	struct stat x, y;

	return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev &&
	       x.st_ino == y.st_ino;
}
