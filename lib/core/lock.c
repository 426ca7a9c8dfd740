#define _GNU_SOURCE /* flock */
#include "core/lock.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/mem.h"

enum { MODE_FOLDER = 0700, MODE_FILE = 0600 };

static int
open_file(const char *path)
{
	int fd;

	do {
		fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW,
		    MODE_FILE);
	} while (fd < 0 && errno == EINTR);
	return fd;
}

/* False, with errno, if there can't be one. */
static bool
make_folder_of(const char *path)
{
	char *folder = mem_dup(path);
	char *slash = strrchr(folder, '/');
	bool there = true;

	if (slash && slash != folder) {
		*slash = '\0';
		there = mkdir(folder, MODE_FOLDER) == 0 || errno == EEXIST;
	}
	free(folder); /* which keeps errno */
	return there;
}

/* 1 if taken, 0 if another has it, -1 with errno. */
static int
try(int fd, int how)
{
	int rc;

	do {
		rc = flock(fd, how | LOCK_NB);
	} while (rc < 0 && errno == EINTR);
	if (rc < 0)
		return errno == EWOULDBLOCK ? 0 : -1;
	return 1;
}

/* 1 or 2 ms: two that wait for each other's lock don't stay in step. */
static int
pause_ms(unsigned attempt)
{
	const unsigned mixed = ((unsigned)getpid() + attempt) * 2654435761u;

	return 1 + (int)(mixed >> 31);
}

static int
try_until(int fd, int how, int wait_ms)
{
	const int64_t until_ms = clock_boot_ms() + wait_ms;
	int got;

	for (unsigned i = 0; (got = try(fd, how)) == 0; i++) {
		const int left_ms = clock_left_ms(until_ms);
		const int next_ms = pause_ms(i);

		if (!left_ms)
			break;
		clock_sleep_ms(next_ms < left_ms ? next_ms : left_ms);
	}
	return got;
}

int
lock_take(struct lock *l, const char *path, enum lock_mode mode, int wait_ms,
    struct err *e)
{
	int how = mode == LOCK_SHARED ? LOCK_SH : LOCK_EX;
	int fd, got;

	assert(!l->fd);
	fd = open_file(path);
	if (fd < 0 && errno == ENOENT && make_folder_of(path))
		fd = open_file(path);
	if (fd < 0)
		return err_sys(e, err_kind_of_errno(ERR_CONFIG),
		    "cannot lock %s", path);
	got = try_until(fd, how, wait_ms);
	if (got > 0) {
		l->fd = fd;
		return 0;
	}
	if (got < 0)
		err_sys(e, ERR_CONFIG, "cannot lock %s", path);
	else
		err_set(e, ERR_AGAIN, "%s is locked by another process", path);
	close(fd);
	return -1;
}

void
lock_drop(struct lock *l)
{
	if (l->fd)
		close(l->fd);
	l->fd = 0;
}
