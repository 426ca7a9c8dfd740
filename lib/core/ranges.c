#define _GNU_SOURCE /* F_OFD_SETLK */
#include "core/ranges.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

static int
set(struct ranges *r, uint64_t number, short type)
{
	struct flock l = {.l_type = type,
	    .l_whence = SEEK_SET,
	    .l_start = (off_t)(number & INT64_MAX),
	    .l_len = 1};

	return fcntl(r->fd, F_OFD_SETLK, &l);
}

int
ranges_open(struct ranges *r, const char *path, struct err *e)
{
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);

	if (fd < 0)
		return err_sys(e, err_kind_of_errno(ERR_CONFIG), "%s", path);
	r->fd = fd;
	return 0;
}

void
ranges_close(struct ranges *r)
{
	if (r->fd)
		close(r->fd);
	r->fd = 0;
}

int
ranges_take(struct ranges *r, uint64_t number, struct err *e)
{
	if (set(r, number, F_WRLCK) == 0)
		return 1;
	if (errno == EAGAIN || errno == EACCES)
		return 0;
	return err_sys(e, ERR_IO, "locking");
}

void
ranges_drop(struct ranges *r, uint64_t number)
{
	set(r, number, F_UNLCK);
}
