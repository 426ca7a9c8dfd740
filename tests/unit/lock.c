#define _POSIX_C_SOURCE 200809L
#include "core/lock.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/clock.h"
#include "tap.h"

static char path[80];

static void
in_one_process(void)
{
	struct lock a = {0}, b = {0}, c = {0};
	struct err e = {0};
	struct stat st = {0};
	int64_t begin_ms;

	ok(lock_take(&a, path, LOCK_EXCLUSIVE, 0, &e) == 0,
	    "taking it makes file and folder");
	ok(stat(path, &st) == 0 && (st.st_mode & 0777) == 0600,
	    "the file is ours alone");
	ok(fcntl(a.fd, F_GETFD) & FD_CLOEXEC, "it closes at exec");
	ok(lock_take(&b, path, LOCK_SHARED, 0, &e) < 0 && e.kind == ERR_AGAIN,
	    "another may not even share it");
	begin_ms = clock_boot_ms();
	ok(lock_take(&b, path, LOCK_EXCLUSIVE, 30, &e) < 0 &&
		e.kind == ERR_AGAIN,
	    "waiting ends");
	ok(clock_boot_ms() - begin_ms >= 30, "not before its time");
	lock_drop(&a);
	lock_drop(&a);
	ok(lock_take(&a, path, LOCK_SHARED, 0, &e) == 0 &&
		lock_take(&b, path, LOCK_SHARED, 0, &e) == 0,
	    "two share it");
	ok(lock_take(&c, path, LOCK_EXCLUSIVE, 0, &e) < 0,
	    "which keeps a third from having it alone");
	lock_drop(&a);
	lock_drop(&b);
}

/* In a child process: take it, say so, and hold it until killed. */
static pid_t
holder(int told)
{
	struct lock l = {0};
	struct err e = {0};
	pid_t pid = fork();

	if (pid != 0)
		return pid;
	alarm(60);
	if (lock_take(&l, path, LOCK_EXCLUSIVE, 0, &e) < 0)
		_exit(1);
	if (write(told, "x", 1) != 1)
		_exit(1);
	for (;;)
		pause();
}

static void
released_by_death(void)
{
	struct lock l = {0};
	struct err e = {0};
	int pair[2] = {0};
	pid_t pid = -1;
	char byte;

	if (!ok(pipe(pair) == 0 && (pid = holder(pair[1])) > 0, "a process"))
		return;
	close(pair[1]);
	ok(read(pair[0], &byte, 1) == 1, "it has the lock");
	ok(lock_take(&l, path, LOCK_EXCLUSIVE, 0, &e) < 0, "we have not");
	kill(pid, SIGKILL);
	ok(lock_take(&l, path, LOCK_EXCLUSIVE, 5000, &e) == 0,
	    "its death gives it to who waits");
	waitpid(pid, NULL, 0);
	lock_drop(&l);
	close(pair[0]);
}

/* Five processes add to a number in a file, which takes a read and a write. */
static int
add_some(const char *number)
{
	struct lock l = {0};
	struct err e = {0};
	int bad = 0;

	for (int i = 0; i < 20; i++) {
		int fd, n = 0;

		if (lock_take(&l, path, LOCK_EXCLUSIVE, 20000, &e) < 0)
			return 1;
		fd = open(number, O_RDWR);
		bad |= pread(fd, &n, sizeof(n), 0) != (ssize_t)sizeof(n);
		n++;
		bad |= pwrite(fd, &n, sizeof(n), 0) != (ssize_t)sizeof(n);
		close(fd);
		lock_drop(&l);
	}
	return bad;
}

static void
excludes(const char *number)
{
	int fd = open(number, O_RDWR | O_CREAT, 0600), n = 0, good = 0;

	ok(write(fd, &n, sizeof(n)) == (ssize_t)sizeof(n), "a number");
	for (int i = 0; i < 5; i++)
		if (fork() == 0)
			_exit(add_some(number));
	for (int i = 0; i < 5; i++) {
		int status = 1;

		wait(&status);
		good += status == 0;
	}
	ok(good == 5, "five processes got the lock each time");
	ok(pread(fd, &n, sizeof(n), 0) == (ssize_t)sizeof(n) && n == 100,
	    "and no one was in between");
	close(fd);
}

int
main(void)
{
	char folder[] = "/tmp/sophia-lock-XXXXXX", run[60], number[80];
	struct lock l = {0};
	struct err e = {0};
	struct stat st = {0};

	setvbuf(stdout, NULL, _IONBF, 0);
	ok(mkdtemp(folder) != NULL, "a folder");
	snprintf(run, sizeof(run), "%s/run", folder);
	snprintf(path, sizeof(path), "%s/use", run);
	snprintf(number, sizeof(number), "%s/number", run);
	in_one_process();
	ok(stat(run, &st) == 0 && (st.st_mode & 0777) == 0700,
	    "the folder is ours alone");
	released_by_death();
	excludes(number);
	unlink(number);
	unlink(path);
	ok(symlink(number, path) == 0 &&
		lock_take(&l, path, LOCK_SHARED, 0, &e) < 0 &&
		e.kind == ERR_CONFIG,
	    "a symbolic link is not followed");
	ok(access(number, F_OK) < 0, "nor is a file made through it");
	unlink(path);
	if (access("/sys/kernel", F_OK) < 0) {
		tap_skip("no sysfs is mounted, in which no folder can be made");
	} else {
		ok(lock_take(&l, "/sys/sophia/use", LOCK_SHARED, 0, &e) < 0 &&
			!strstr(e.text, "No such file"),
		    "where no folder can be made, that is the reason");
	}
	rmdir(run);
	rmdir(folder);
	return tap_done();
}
