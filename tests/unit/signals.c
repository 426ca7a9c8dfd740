#define _GNU_SOURCE
#include "core/signals.h"

#include <errno.h>
#include <sys/wait.h>

#include "play.h"
#include "tap.h"

static int heard;

static void
got(void *ctx, int sig)
{
	(void)ctx;
	heard = heard * 100 + sig;
}

static void
asked_to_stop(void)
{
	const struct sigaction ignore = {.sa_handler = SIG_IGN};
	struct sigaction before;
	struct poll p = {0};
	struct signals s = {.got = got};
	struct err e = {0};
	bool never = false;

	sigaction(SIGHUP, &ignore, &before);
	ok(signals_start(&s, &p, &e) == 0, "a program listens");
	raise(SIGHUP);
	raise(SIGTERM);
	ok(heard == 0, "nothing is interrupted");
	ok(poll_run(&p, &never, clock_boot_ms() + 1, &e) == 0 &&
		heard == SIGTERM,
	    "the loop hears of SIGTERM, and not of an ignored SIGHUP");
	raise(SIGINT);
	ok(poll_step(&p, POLL_NEVER, &e) == 0 &&
		heard == SIGTERM * 100 + SIGINT,
	    "then of SIGINT");
	signals_stop(&s);
	signals_stop(&s);
	ok(!p.fds, "it stops listening");
	sigaction(SIGHUP, &before, NULL);
	poll_release(&p);
}

/* A second Ctrl-C, after the first made us stop listening, is the end. */
static void
ends_by_default(void)
{
	int status = 0;
	pid_t pid = fork();

	if (pid == 0) {
		struct poll p = {0};
		struct signals s = {.got = got};
		struct err e = {0};

		if (signals_start(&s, &p, &e) < 0)
			_exit(1);
		signals_stop(&s);
		raise(SIGINT);
		_exit(2);
	}
	waitpid(pid, &status, 0);
	ok(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT,
	    "not listening, it is ended by a signal");
}

static void
children(void)
{
	struct signals s = {.got = got};
	struct play p = {0};
	struct err e = {0};

	if (!play_possible()) {
		tap_skip("this system has no pidfd_open(2)");
		return;
	}
	ok(signals_start(&s, &p.poll, &e) == 0, "a parent listens");
	play(&p, "kill -TERM $$");
	ok(p.child.state == CHILD_KILLED && p.child.code == SIGTERM,
	    "its child gets the default");
	signals_stop(&s);
	play_release(&p);
}

int
main(void)
{
	int before;

	/* Whatever started us may have ignored them, as `&` does. */
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	setvbuf(stdout, NULL, _IONBF, 0);
	before = play_descriptors();
	asked_to_stop();
	ends_by_default();
	children();
	ok(play_descriptors() == before, "no descriptor is left open");
	return tap_done();
}
