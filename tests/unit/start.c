#define _GNU_SOURCE /* clearenv */
#include "core/start.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tap.h"

#ifdef __SANITIZE_ADDRESS__
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif

static void
spoil_signals(void)
{
	const struct sigaction ignore = {.sa_handler = SIG_IGN};
	sigset_t all;

	sigaction(SIGPIPE, &ignore, NULL);
	sigaction(SIGCHLD, &ignore, NULL);
	sigaction(SIGHUP, &ignore, NULL);
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
}

static bool
is(int sig, void (*handler)(int))
{
	struct sigaction now;

	return sigaction(sig, NULL, &now) == 0 && now.sa_handler == handler;
}

static bool
held_back(int sig)
{
	sigset_t now;

	sigprocmask(SIG_SETMASK, NULL, &now);
	return sigismember(&now, sig) == 1;
}

/* The first claim that does not hold of a program started so; 0 for none. */
static int
claims(void)
{
	char byte;

	for (int fd = 0; fd < 3; fd++)
		close(fd);
	umask(0);
	spoil_signals();
	start();
	for (int fd = 0; fd < 3; fd++)
		if (fcntl(fd, F_GETFD) != 0)
			return 2;
	if (read(0, &byte, 1) != 0)
		return 3;
	if (write(1, "x", 1) >= 0 || errno != EBADF)
		return 4;
	if (umask(0) != 077)
		return 5;
	if (!is(SIGPIPE, SIG_DFL) || !is(SIGCHLD, SIG_DFL))
		return 6;
	if (!is(SIGHUP, SIG_IGN))
		return 7;
	if (held_back(SIGTERM) || held_back(SIGPIPE))
		return 8;
	start_without_sigpipe();
	return is(SIGPIPE, SIG_IGN) ? 0 : 9;
}

/* Whether it can be dumped, started with that variable. */
static int
dumpable(void)
{
	start();
	return prctl(PR_GET_DUMPABLE);
}

static int
dumpable_with_key(void)
{
	setenv("SOME_PROVIDER_KEY", "sk-x", 1);
	return dumpable();
}

/* The exit code of a process that makes the claims. */
static int
in_child(int (*child)(void))
{
	int status = 0;
	pid_t pid = fork();

	if (pid == 0)
		_exit(child());
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int
main(void)
{
	int failed;

	setvbuf(stdout, NULL, _IONBF, 0);
	failed = in_child(claims);
	printf("# claim %d\n", failed);
	ok(failed == 0, "a program without descriptors gets sane ones");
	clearenv();
	ok(in_child(dumpable) == 1, "without a secret it can be dumped");
	if (SANITIZED)
		tap_skip("a key leaves no core file: the leak checker dumps");
	else
		ok(in_child(dumpable_with_key) == 0,
		    "a key in the environment gets into no core file");
	return tap_done();
}
