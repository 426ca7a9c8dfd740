#ifndef CORE_SPAWN_H
#define CORE_SPAWN_H
/*
 * spawn - start a program with pipes at both ends. See child for the rest of
 * its life; this is only the moment between fork and exec.
 *
 * The program gets descriptors 0 to 2 and no other, exactly the environment
 * given, a process group of its own, the default signal mask and dispositions,
 * and SIGTERM when its parent dies. The call returns when it runs, or with the
 * reason why it doesn't. The parent has one thread.
 *
 * Our ends are nonblocking, close-on-exec, and never 0 to 2, also if those
 * were closed.
 */

#include <stdbool.h>
#include <sys/types.h>

#include "core/err.h"

struct spawn {
	const char *const *argv; /* [0] from cwd; without a '/', in our PATH */
	const char *const *envp;
	const char *cwd;    /* NULL for ours */
	bool capture_error; /* its stderr is a pipe to us, else ours */
};

struct spawned {
	pid_t pid;
	int died;  /* a pidfd: readable when it is dead */
	int in;    /* write its stdin here */
	int out;   /* read its stdout here */
	int error; /* its stderr, if captured, else 0 */
};

/*
 * ERR_CONFIG "cannot run X: ..." if it can't be executed, ERR_AGAIN if the
 * system has no descriptors or processes left. The caller closes the four
 * descriptors and reaps the pid.
 */
int spawn(struct spawned *s, const struct spawn *what, struct err *e);

#endif
