#define _GNU_SOURCE
#include "guest/work.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/buf.h"
#include "core/clock.h"
#include "core/err.h"
#include "core/file.h"
#include "core/spawn.h"
#include "guest/guest.h"
#include "guest/say.h"

enum { PIECE = 32 << 10 };

extern char **environ;

static void
unwatch(struct poll_fd *w)
{
	poll_remove(w);
	if (w->fd)
		close(w->fd);
	w->fd = 0;
}

/* One piece of what was printed: false if there is none now, or ever again. */
static bool
pass_on(struct poll_fd *w, unsigned char kind)
{
	char piece[PIECE];
	ssize_t n = w->fd ? read(w->fd, piece, sizeof(piece)) : 0;

	if (n > 0)
		say(kind, NULL, piece, (size_t)n);
	else if (n == 0 || (errno != EAGAIN && errno != EINTR))
		unwatch(w);
	return n > 0;
}

static void
on_out(void *ctx, short revents)
{
	struct work *w = ctx;

	(void)revents;
	pass_on(&w->out, GUEST_OUT);
}

static void
on_err(void *ctx, short revents)
{
	struct work *w = ctx;

	(void)revents;
	pass_on(&w->err, GUEST_ERR);
}

/* Everything of it, and its children's children. */
static void
kill_all(const struct work *w)
{
	if (getpid() == 1)
		kill(-1, SIGKILL);
	else
		kill(-w->pid, SIGKILL);
}

static void
settle(struct work *w, int status)
{
	char how[2];

	if (w->late)
		memcpy(how, "t", 2);
	else if (WIFSIGNALED(status))
		how[0] = 's', how[1] = (char)WTERMSIG(status);
	else
		how[0] = 'e', how[1] = (char)WEXITSTATUS(status);
	kill_all(w);
	if (getpid() == 1)
		while (waitpid(-1, NULL, 0) > 0 || errno == EINTR)
			;
	while (pass_on(&w->out, GUEST_OUT))
		;
	while (pass_on(&w->err, GUEST_ERR))
		;
	work_stop(w);
	say(GUEST_EXIT, NULL, how, sizeof(how));
	w->over = true;
}

/* Reap whoever is dead; the code itself among them is the end. */
static void
on_child(void *ctx, short revents)
{
	struct work *w = ctx;
	struct signalfd_siginfo info;
	int status, last = 0;
	bool ended = false;
	pid_t pid;

	(void)revents;
	if (read(w->children.fd, &info, sizeof(info)) < 0 && errno != EAGAIN)
		return;
	while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
		if (pid == w->pid) {
			ended = true;
			last = status;
		}
	if (ended)
		settle(w, last);
}

static void
on_limit(void *ctx)
{
	struct work *w = ctx;

	w->late = true;
	kill_all(w);
}

static int
watch_children(struct work *w, struct err *e)
{
	sigset_t set;
	int fd;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, NULL);
	fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (fd < 0)
		return err_sys(e, ERR_IO, "a signalfd");
	w->children = (struct poll_fd){.fd = fd,
	    .events = POLLIN,
	    .ready = on_child,
	    .ctx = w};
	poll_add(w->poll, &w->children);
	return 0;
}

/* If memory runs out, the code is to go, not the guest. */
static void
offer_to_kernel(pid_t pid)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/%ld/oom_score_adj", (long)pid);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	if (write(fd, "1000", 4) < 0)
		errno = 0; /* then the kernel chooses by size */
	close(fd);
}

static int
run(struct work *w, const char *const *argv, struct err *e)
{
	const struct spawn what = {.argv = argv,
	    .envp = (const char *const *)environ,
	    .cwd = GUEST_WORKSPACE,
	    .capture_error = true};
	struct spawned s;

	if (watch_children(w, e) < 0 || spawn(&s, &what, e) < 0)
		return -1;
	w->pid = s.pid;
	offer_to_kernel(s.pid);
	close(s.in); /* there is nobody to type */
	close(s.died);
	w->out = (struct poll_fd){.fd = s.out,
	    .events = POLLIN,
	    .ready = on_out,
	    .ctx = w};
	w->err = (struct poll_fd){.fd = s.error,
	    .events = POLLIN,
	    .ready = on_err,
	    .ctx = w};
	poll_add(w->poll, &w->out);
	poll_add(w->poll, &w->err);
	return 0;
}

int
work_start(struct work *w, struct poll *p, enum work_language language,
    const char *code, size_t len, uint64_t limit_ms, struct err *e)
{
	static const char *const python[] = {"python3", "-u", "/tmp/code.py",
	    NULL};
	static const char *const node[] = {"node", "/tmp/code.js", NULL};
	static const char *const shell[] = {"bash", "/tmp/code.sh", NULL};
	const char *const *argv = language == WORK_PYTHON       ? python
				  : language == WORK_JAVASCRIPT ? node
								: shell;
	const struct rlimit none = {0, 0};

	*w = (struct work){.poll = p, .limit = {.fire = on_limit, .ctx = w}};
	setrlimit(RLIMIT_CORE, &none);
	if (file_publish(argv[1][0] == '-' ? argv[2] : argv[1], code, len, e) <
		0 ||
	    run(w, argv, e) < 0)
		return -1;
	poll_set_timer(p, &w->limit, clock_boot_ms() + (int64_t)limit_ms);
	return 0;
}

void
work_stop(struct work *w)
{
	poll_stop_timer(&w->limit);
	unwatch(&w->children);
	unwatch(&w->out);
	unwatch(&w->err);
}
