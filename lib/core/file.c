#include "core/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/buf.h"
#include "core/crash.h"
#include "core/err.h"

enum { PIECE = 65536 };

int
file_mkdirs(const char *path, struct err *e)
{
	char part[PATH_MAX];
	size_t len = strlen(path);

	if (len >= sizeof(part))
		return err_set(e, ERR_CONFIG, "the path %.80s... is too long",
		    path);
	for (size_t i = 1; i <= len; i++) {
		if (path[i] != '/' && path[i])
			continue;
		memcpy(part, path, i);
		part[i] = '\0';
		if (mkdir(part, 0700) < 0 && errno != EEXIST)
			return err_sys(e, err_kind_of_errno(ERR_CONFIG),
			    "making the folder %s", part);
	}
	return 0;
}

/* Read a piece into b: bytes read, 0 at the end, -1 for errno, or -2: full. */
static ssize_t
read_piece(struct buf *b, int fd)
{
	size_t left = b->limit ? b->limit - b->len : PIECE;
	char *to, more;
	ssize_t n;

	if (!left)
		return read(fd, &more, 1) == 0 ? 0 : -2;
	to = buf_room(b, left < PIECE ? left : PIECE);
	n = to ? read(fd, to, left < PIECE ? left : PIECE) : -2;
	if (n > 0)
		buf_wrote(b, (size_t)n);
	return n;
}

/* Open a file; not a pipe, which might keep us waiting for ever. */
static int
open_regular(const char *path, struct err *e)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	struct stat st;

	if (fd < 0)
		return err_sys(e, err_kind_of_errno(ERR_CONFIG), "%s", path);
	if (fstat(fd, &st) == 0 && (S_ISREG(st.st_mode) || S_ISDIR(st.st_mode)))
		return fd; /* to read a folder says what it is */
	close(fd);
	return err_set(e, ERR_CONFIG, "%s: is no file", path);
}

int
file_read_fd(struct buf *b, int fd, const char *what, enum err_kind kind,
    struct err *e)
{
	ssize_t n;

	do
		n = read_piece(b, fd);
	while (n > 0 || (n == -1 && errno == EINTR));
	if (n == -1)
		return err_sys(e, err_kind_of_errno(kind), "%s", what);
	return n == -2;
}

int
file_read(struct buf *b, const char *path, struct err *e)
{
	int fd = open_regular(path, e);
	int result;

	if (fd < 0)
		return -1;
	result = file_read_fd(b, fd, path, ERR_CONFIG, e);
	close(fd);
	if (result > 0)
		return err_set(e, ERR_CONFIG, "%s: larger than %zu bytes", path,
		    b->limit);
	return result;
}

static int
write_all(int fd, const char *bytes, size_t len)
{
	while (len) {
		ssize_t n = write(fd, bytes, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		bytes += n;
		len -= (size_t)n;
	}
	return 0;
}

int
file_sync_folder(const char *path, struct err *e)
{
	char dir[PATH_MAX];
	char *slash;
	int fd, rc;

	snprintf(dir, sizeof(dir), "%s", path);
	slash = strrchr(dir, '/');
	if (slash)
		slash[slash == dir ? 1 : 0] = '\0';
	fd = open(slash ? dir : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	rc = fd < 0 ? -1 : fsync(fd);
	if (rc < 0)
		err_sys(e, err_kind_of_errno(ERR_CONFIG),
		    "syncing the folder of %s", path);
	if (fd >= 0)
		close(fd);
	return rc;
}

/* Beside the file, then over it. */
static int
put_in_place(const char *path, const void *bytes, size_t len, bool sync,
    struct err *e)
{
	char temp[PATH_MAX];
	int n = snprintf(temp, sizeof(temp), "%s.XXXXXX", path);
	int fd, rc;

	if (n < 0 || (size_t)n >= sizeof(temp))
		return err_set(e, ERR_CONFIG, "the path %.80s... is too long",
		    path);
	fd = mkstemp(temp); /* 0600; nobody inherits it: closed before a fork */
	if (fd < 0)
		return err_sys(e, err_kind_of_errno(ERR_CONFIG), "writing %s",
		    path);
	rc = write_all(fd, bytes, len);
	if (rc == 0 && sync)
		rc = fsync(fd);
	if (close(fd) < 0)
		rc = -1;
	CRASH_POINT("file.rename");
	if (rc == 0)
		rc = rename(temp, path);
	CRASH_POINT("file.rename.done");
	if (rc < 0) {
		err_sys(e, err_kind_of_errno(ERR_CONFIG), "writing %s", path);
		unlink(temp);
	}
	return rc;
}

int
file_replace(const char *path, const void *bytes, size_t len, struct err *e)
{
	if (put_in_place(path, bytes, len, true, e) < 0)
		return -1;
	return file_sync_folder(path, e);
}

int
file_publish(const char *path, const void *bytes, size_t len, struct err *e)
{
	return put_in_place(path, bytes, len, false, e);
}
