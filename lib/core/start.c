#include "core/start.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/err.h"
#include "core/secret.h"

static void
set_signal(int sig, void (*to)(int))
{
	const struct sigaction action = {.sa_handler = to};

	sigaction(sig, &action, NULL);
}

/* The lowest free descriptor is the one that was found closed. */
static void
open_standard(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDONLY) != fd)
			exit(ERR_INTERNAL);
}

void
start(void)
{
	sigset_t none;

	open_standard();
	umask(S_IRWXG | S_IRWXO);
	secret_hide();
	set_signal(SIGPIPE, SIG_DFL);
	set_signal(SIGCHLD, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

void
start_without_sigpipe(void)
{
	set_signal(SIGPIPE, SIG_IGN);
}
