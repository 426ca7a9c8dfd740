/*
 * slowsync - preloaded into a program, a disk that takes its time and a watch
 * on who waits for whose turn to write.
 *
 *   SLOWSYNC_MS   every fsync and fdatasync takes so much longer
 *   SLOWSYNC_LOG  gets a line for each: "sync" after one of those, and
 *                 "turn NAME MS" when the turn to write a store was got: the
 *                 time since the first try to take run/NAME.next until
 *                 run/NAME.write was held
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

static double
now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1000 + (double)t.tv_nsec / 1000000;
}

static void
note(const char *line)
{
	const char *path = getenv("SLOWSYNC_LOG");
	int fd = path ? open(path, O_WRONLY | O_APPEND | O_CLOEXEC) : -1;

	if (fd < 0)
		return;
	if (write(fd, line, strlen(line)) < 0)
		abort();
	close(fd);
}

/* The function that ours stands before. */
static void *
real(const char *name)
{
	void *f = dlsym(RTLD_NEXT, name);

	if (!f)
		abort();
	return f;
}

static int
slow(int fd, const char *name)
{
	const char *text = getenv("SLOWSYNC_MS");
	const long ms = text ? strtol(text, NULL, 10) : 0;
	const struct timespec t = {ms / 1000, ms % 1000 * 1000000};
	int (*sync)(int);
	void *f = real(name);

	memcpy(&sync, &f, sizeof(sync));
	nanosleep(&t, NULL);
	note("sync\n");
	return sync(fd);
}

int
fsync(int fd)
{
	return slow(fd, "fsync");
}

int
fdatasync(int fd)
{
	return slow(fd, "fdatasync");
}

/* Does the file of fd end so? Then *name gets the store that it is for. */
static int
is_lock(int fd, const char *ending, char name[NAME_MAX])
{
	char link[64], path[PATH_MAX];
	char *slash, *dot;
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = readlink(link, path, sizeof(path) - 1);
	if (n < 0)
		return 0;
	path[n] = '\0';
	slash = strrchr(path, '/');
	dot = strrchr(path, '.');
	if (!slash || !dot || dot < slash || strcmp(dot, ending) != 0)
		return 0;
	snprintf(name, NAME_MAX, "%.*s", (int)(dot - slash - 1), slash + 1);
	return 1;
}

int
flock(int fd, int how)
{
	static double since_ms;
	char name[NAME_MAX], line[NAME_MAX + 64];
	int (*lock)(int, int);
	void *f = real("flock");
	int rc;

	memcpy(&lock, &f, sizeof(lock));
	if (!since_ms && is_lock(fd, ".next", name))
		since_ms = now_ms();
	rc = lock(fd, how);
	if (rc == 0 && is_lock(fd, ".write", name)) {
		snprintf(line, sizeof(line), "turn %s %.0f\n", name,
		    now_ms() - since_ms);
		note(line);
		since_ms = 0;
	}
	return rc;
}
