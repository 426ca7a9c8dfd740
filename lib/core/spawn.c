#define _GNU_SOURCE /* execvpe, pipe2, close_range */
#include "core/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* Each pipe: [0] to read, [1] to write; 0 for no descriptor. */
struct wiring {
	int in[2], out[2], error[2], status[2];
};

/* What the child tells us through status, unless its exec closes that. */
struct failure {
	int why; /* errno */
	bool in_cwd;
};

static void
shut(int *fd)
{
	if (*fd)
		close(*fd);
	*fd = 0;
}

static void
shut_pipe(int pair[2])
{
	shut(&pair[0]);
	shut(&pair[1]);
}

static void
shut_wiring(struct wiring *w)
{
	shut_pipe(w->in);
	shut_pipe(w->out);
	shut_pipe(w->error);
	shut_pipe(w->status);
}

/* If fd is one of 0 to 2, move it out of the way of dup2(). */
static int
clear_of_standard(int fd)
{
	int moved;

	if (fd < 0 || fd > STDERR_FILENO)
		return fd;
	moved = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	close(fd);
	return moved;
}

static int
open_pipe(int pair[2])
{
	int raw[2];

	if (pipe2(raw, O_CLOEXEC) < 0)
		return -1;
	for (int i = 0; i < 2; i++) {
		int fd = clear_of_standard(raw[i]);

		pair[i] = fd < 0 ? 0 : fd;
	}
	return pair[0] && pair[1] ? 0 : -1;
}

static int
open_wiring(struct wiring *w, bool capture_error)
{
	if (open_pipe(w->in) < 0 || open_pipe(w->out) < 0 ||
	    open_pipe(w->status) < 0)
		return -1;
	if (capture_error && open_pipe(w->error) < 0)
		return -1;
	if (fcntl(w->in[1], F_SETFL, O_WRONLY | O_NONBLOCK) < 0 ||
	    fcntl(w->out[0], F_SETFL, O_RDONLY | O_NONBLOCK) < 0)
		return -1;
	return capture_error
		   ? fcntl(w->error[0], F_SETFL, O_RDONLY | O_NONBLOCK)
		   : 0;
}

/* In the child: whatever our own parent had us ignore. */
static void
default_signals(void)
{
	const struct sigaction standard = {.sa_handler = SIG_DFL};
	sigset_t none;

	for (int i = 1; i <= SIGRTMAX; i++)
		sigaction(i, &standard, NULL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/* In the child: descriptors 0 to 2; all others close at exec. */
static int
wire(const struct wiring *w)
{
	if (dup2(w->in[0], STDIN_FILENO) < 0 ||
	    dup2(w->out[1], STDOUT_FILENO) < 0)
		return -1;
	if (w->error[1] && dup2(w->error[1], STDERR_FILENO) < 0)
		return -1;
	if (fcntl(STDERR_FILENO, F_GETFD) < 0 &&
	    open("/dev/null", O_WRONLY) != STDERR_FILENO)
		return -1;
	return close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
}

/* argv and envp as exec's prototype wants them; it changes neither. */
static char *const *
as_exec_wants(const char *const *list)
{
	union {
		const char *const *in;
		char *const *out;
	} u = {.in = list};

	return u.out;
}

/*
 * The child, until it is another program. If the parent died before prctl()
 * was reached, no signal will come of that: so look.
 */
_Noreturn static void
become(const struct spawn *what, const struct wiring *w, pid_t parent)
{
	struct failure f = {0};
	ssize_t told;

	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(ERR_AGAIN);
	default_signals();
	if (wire(w) < 0)
		goto fail;
	if (what->cwd && chdir(what->cwd) < 0) {
		f.in_cwd = true;
		goto fail;
	}
	execvpe(what->argv[0], as_exec_wants(what->argv),
	    as_exec_wants(what->envp));
fail:
	f.why = errno;
	told = write(w->status[1], &f, sizeof(f));
	_exit(told < 0 ? ERR_INTERNAL : ERR_CONFIG);
}

/* No handler of ours may run in the child, so none can before its exec. */
static pid_t
fork_to_exec(const struct spawn *what, const struct wiring *w)
{
	pid_t parent = getpid(), pid;
	sigset_t all, before;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	pid = fork();
	if (pid == 0)
		become(what, w, parent);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return pid;
}

static enum err_kind
kind_of(int why)
{
	switch (why) {
	case EAGAIN:
	case EMFILE:
	case ENFILE:
	case ENOMEM:
	case ETXTBSY: return ERR_AGAIN;
	default: return ERR_CONFIG;
	}
}

/* Wait for its exec: 0, or -1 and why there was none. */
static int
await_exec(struct wiring *w, const struct spawn *what, struct err *e)
{
	struct failure f = {0};
	ssize_t n;

	shut(&w->status[1]);
	do {
		n = read(w->status[0], &f, sizeof(f));
	} while (n < 0 && errno == EINTR);
	if (n != (ssize_t)sizeof(f))
		return 0;
	errno = f.why;
	return err_sys(e, kind_of(f.why), "cannot %s %s",
	    f.in_cwd ? "enter" : "run", f.in_cwd ? what->cwd : what->argv[0]);
}

static void
reap(pid_t pid)
{
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}

int
spawn(struct spawned *s, const struct spawn *what, struct err *e)
{
	struct wiring w = {0};
	int result = -1, died = -1;
	pid_t pid = -1;

	*s = (struct spawned){0};
	if (open_wiring(&w, what->capture_error) < 0 ||
	    (pid = fork_to_exec(what, &w)) < 0) {
		err_sys(e, ERR_AGAIN, "cannot start %s", what->argv[0]);
		goto out;
	}
	if (await_exec(&w, what, e) < 0)
		goto out;
	died = clear_of_standard(pidfd_open(pid, 0));
	if (died < 0) {
		err_sys(e, ERR_AGAIN, "cannot watch %s", what->argv[0]);
		kill(-pid, SIGKILL);
		goto out;
	}
	*s = (struct spawned){pid, died, w.in[1], w.out[0], w.error[0]};
	w.in[1] = w.out[0] = w.error[0] = 0;
	result = 0;
out:
	shut_wiring(&w);
	if (result < 0 && pid > 0)
		reap(pid);
	return result;
}
