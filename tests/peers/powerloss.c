/*
 * powerloss - preloaded into a program, a record of all that it does to files
 * below $POWERLOSS_ROOT, in order, in the file $POWERLOSS_LOG: what a disk that
 * loses its power may forget. tests/peers/powercut reads it.
 *
 *   POWERLOSS_EIO  the fdatasync of this number fails, and syncs nothing
 *   POWERLOSS_LIE  fdatasync says that it did, but syncs nothing
 *
 * An entry is a struct entry, then the two paths, then the bytes written.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "powerloss.h"

/* The function that ours stands before. */
static void
real(void *to, const char *name)
{
	void *f = dlsym(RTLD_NEXT, name);

	if (!f)
		abort();
	memcpy(to, &f, sizeof(f));
}

static int
open_log(void)
{
	const char *path = getenv("POWERLOSS_LOG");
	int (*go)(const char *, int, ...);

	real(&go, "open");
	return path ? go(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600)
		    : -1;
}

/* The path below the root, or NULL if it isn't. */
static const char *
below(const char *path)
{
	const char *root = getenv("POWERLOSS_ROOT");
	size_t len = root ? strlen(root) : 0;

	if (!len || strncmp(path, root, len) != 0 ||
	    (path[len] && path[len] != '/'))
		return NULL;
	return path[len] ? path + len + 1 : "";
}

/* One write, so that entries of several programs don't mix. */
static void
note(enum op op, uint64_t file, const char *a, const char *b, uint64_t at,
    const void *bytes, size_t len)
{
	struct entry x = {op, (uint32_t)strlen(a), (uint32_t)strlen(b), 0, file,
	    at, len};
	ssize_t (*go)(int, const void *, size_t);
	size_t size = sizeof(x) + x.a + x.b + len;
	char *whole = malloc(size);
	int was = errno, fd = open_log();

	real(&go, "write");
	if (!whole)
		abort();
	memcpy(whole, &x, sizeof(x));
	memcpy(whole + sizeof(x), a, x.a);
	memcpy(whole + sizeof(x) + x.a, b, x.b);
	if (len)
		memcpy(whole + sizeof(x) + x.a + x.b, bytes, len);
	if (fd >= 0 && go(fd, whole, size) != (ssize_t)size)
		abort();
	if (fd >= 0)
		close(fd);
	free(whole);
	errno = was;
}

/* The path of a descriptor, as it is now; NULL if it isn't ours. */
static const char *
path_of(int fd, struct stat *st)
{
	static char path[PATH_MAX];
	char link[64];
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = readlink(link, path, sizeof(path) - 1);
	if (n < 0 || fstat(fd, st) < 0)
		return NULL;
	path[n] = '\0';
	return below(path);
}

static void
opened(int fd, int flags, const char *path, int was_there)
{
	const char *short_path = below(path);
	struct stat st;

	if (fd < 0 || !short_path || fstat(fd, &st) < 0)
		return;
	if (!was_there)
		note(OP_CREATE, st.st_ino, short_path, "", 0, NULL, 0);
	else if (flags & O_TRUNC)
		note(OP_TRUNCATE, st.st_ino, short_path, "", 0, NULL, 0);
}

static int
open_by(const char *name, const char *path, int flags, int mode)
{
	int (*go)(const char *, int, ...), fd, was = access(path, F_OK) == 0;

	real(&go, name);
	fd = go(path, flags, mode);
	opened(fd, flags, path, was);
	return fd;
}

int
open(const char *path, int flags, ...)
{
	va_list ap;
	int mode;

	va_start(ap, flags);
	mode = flags & O_CREAT ? va_arg(ap, int) : 0;
	va_end(ap);
	return open_by("open", path, flags, mode);
}

/* What a program that was built for large files calls is the same here. */
int
open64(const char *path, int flags, ...)
{
	va_list ap;
	int mode;

	va_start(ap, flags);
	mode = flags & O_CREAT ? va_arg(ap, int) : 0;
	va_end(ap);
	return open_by("open64", path, flags, mode);
}

int
mkstemp(char *path)
{
	int (*go)(char *), fd;

	real(&go, "mkstemp");
	fd = go(path);
	opened(fd, O_CREAT, path, 0);
	return fd;
}

static void
wrote(int fd, int64_t at, const void *bytes, ssize_t n)
{
	struct stat st;
	const char *path = n > 0 ? path_of(fd, &st) : NULL;

	if (path) /* without a place: it went to the end, and that is now */
		note(OP_WRITE, st.st_ino, path, "",
		    (uint64_t)(at < 0 ? lseek(fd, 0, SEEK_CUR) - n : at), bytes,
		    (size_t)n);
}

ssize_t
write(int fd, const void *bytes, size_t len)
{
	ssize_t (*go)(int, const void *, size_t), n;

	real(&go, "write");
	n = go(fd, bytes, len);
	wrote(fd, -1, bytes, n);
	return n;
}

static ssize_t
pwrite_by(const char *name, int fd, const void *bytes, size_t len, off_t at)
{
	ssize_t (*go)(int, const void *, size_t, off_t), n;

	real(&go, name);
	n = go(fd, bytes, len, at);
	wrote(fd, at, bytes, n);
	return n;
}

ssize_t
pwrite(int fd, const void *bytes, size_t len, off_t at)
{
	return pwrite_by("pwrite", fd, bytes, len, at);
}

ssize_t
pwrite64(int fd, const void *bytes, size_t len, off_t at)
{
	return pwrite_by("pwrite64", fd, bytes, len, at);
}

ssize_t
writev(int fd, const struct iovec *pieces, int count)
{
	ssize_t (*go)(int, const struct iovec *, int), n;
	char *whole;
	size_t len = 0;

	real(&go, "writev");
	n = go(fd, pieces, count);
	if (n <= 0)
		return n;
	whole = malloc((size_t)n);
	for (int i = 0; whole && i < count && len < (size_t)n; i++) {
		size_t part = pieces[i].iov_len;

		part = part < (size_t)n - len ? part : (size_t)n - len;
		memcpy(whole + len, pieces[i].iov_base, part);
		len += part;
	}
	wrote(fd, -1, whole, n);
	free(whole);
	return n;
}

static int
truncate_by(const char *name, int fd, off_t len)
{
	int (*go)(int, off_t), rc;
	const char *path;
	struct stat st;

	real(&go, name);
	rc = go(fd, len);
	if (rc == 0 && (path = path_of(fd, &st)))
		note(OP_TRUNCATE, st.st_ino, path, "", (uint64_t)len, NULL, 0);
	return rc;
}

int
ftruncate(int fd, off_t len)
{
	return truncate_by("ftruncate", fd, len);
}

int
ftruncate64(int fd, off_t len)
{
	return truncate_by("ftruncate64", fd, len);
}

static int
synced(int fd, const char *name)
{
	int (*go)(int), rc;
	const char *path;
	struct stat st;

	real(&go, name);
	rc = go(fd);
	if (rc == 0 && (path = path_of(fd, &st)))
		note(S_ISDIR(st.st_mode) ? OP_SYNC_FOLDER : OP_SYNC, st.st_ino,
		    path, "", 0, NULL, 0);
	return rc;
}

int
fsync(int fd)
{
	return synced(fd, "fsync");
}

int
fdatasync(int fd)
{
	static long count;
	const char *failing = getenv("POWERLOSS_EIO");

	if (failing && ++count == strtol(failing, NULL, 10)) {
		errno = EIO;
		return -1;
	}
	return getenv("POWERLOSS_LIE") ? 0 : synced(fd, "fdatasync");
}

int
rename(const char *from, const char *to)
{
	int (*go)(const char *, const char *), rc;
	struct stat st;

	real(&go, "rename");
	if (stat(from, &st) < 0)
		return go(from, to);
	rc = go(from, to);
	if (rc == 0 && below(from) && below(to))
		note(OP_RENAME, st.st_ino, below(from), below(to), 0, NULL, 0);
	return rc;
}

int
unlink(const char *path)
{
	int (*go)(const char *), rc;

	real(&go, "unlink");
	rc = go(path);
	if (rc == 0 && below(path))
		note(OP_UNLINK, 0, below(path), "", 0, NULL, 0);
	return rc;
}

int
mkdir(const char *path, mode_t mode)
{
	int (*go)(const char *, mode_t), rc;

	real(&go, "mkdir");
	rc = go(path, mode);
	if (rc == 0 && below(path))
		note(OP_MKDIR, 0, below(path), "", 0, NULL, 0);
	return rc;
}
