#include "core/signals.h"

#include <sys/signalfd.h>
#include <unistd.h>

/* A blocked signal would be kept though it is ignored, so leave those out. */
static void
add_unless_ignored(sigset_t *set, int sig)
{
	struct sigaction now;

	if (sigaction(sig, NULL, &now) == 0 && now.sa_handler != SIG_IGN)
		sigaddset(set, sig);
}

static void
ready(void *ctx, short revents)
{
	struct signals *s = ctx;
	struct signalfd_siginfo info;

	(void)revents;
	if (read(s->watch.fd, &info, sizeof(info)) == (ssize_t)sizeof(info))
		s->got(s->ctx, (int)info.ssi_signo);
}

int
signals_start(struct signals *s, struct poll *p, struct err *e)
{
	sigset_t set;
	int fd;

	sigemptyset(&set);
	add_unless_ignored(&set, SIGINT);
	add_unless_ignored(&set, SIGTERM);
	add_unless_ignored(&set, SIGHUP);
	fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (fd < 0)
		return err_sys(e, ERR_AGAIN, "cannot listen to signals");
	sigprocmask(SIG_BLOCK, &set, &s->before);
	s->watch = (struct poll_fd){.fd = fd,
	    .events = POLLIN,
	    .ready = ready,
	    .ctx = s};
	poll_add(p, &s->watch);
	return 0;
}

void
signals_stop(struct signals *s)
{
	if (!s->watch.fd)
		return;
	poll_remove(&s->watch);
	close(s->watch.fd);
	s->watch.fd = 0;
	sigprocmask(SIG_SETMASK, &s->before, NULL);
}
