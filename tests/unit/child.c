#define _GNU_SOURCE
#include "core/child.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "play.h"
#include "tap.h"

static void
check(const char *script, const char *want, const char *name)
{
	struct play p = {.child = {.what = {.capture_error = true}}};

	same(play(&p, script), want, name);
	ok(p.ends <= 1, "it ends once");
	play_release(&p);
}

static void
verdicts(void)
{
	check("echo a; echo; echo b", "[a][][b]<0>", "lines, then the verdict");
	check("exit 1", "<1>", "1 is an answer");
	check("exit 75", "<again: sh: exit code 75>",
	    "an exit code of ours is its kind");
	check("exit 7", "<internal: sh: exit code 7>", "another is not");
	check("echo one >&2; echo two >&2; exit 78",
	    "<config: sh: exit code 78: two>",
	    "the last line of its stderr says why");
	check("kill -SEGV $$", "<internal: sh: killed by signal 11>",
	    "a signal is told");
	check("printf 'a\\nhalf'; kill -KILL $$",
	    "[a](line 2: cut off before its newline)"
	    "<internal: sh: killed by signal 9>",
	    "dying in a line leaves a bad line");
	check("echo a; exec >&-; echo b >&2; exit 70",
	    "[a]<internal: sh: exit code 70: b>",
	    "closing its stdout doesn't end it");
	check(
	    "head -c 100000 /dev/zero | tr '\\0' x >&2; echo >&2; echo end >&2;"
	    "exit 69",
	    "<refused: sh: exit code 69: end>",
	    "of a long complaint the end is kept");
	check("printf 'a\\0b\\nc\\n'", "(line 1: a NUL byte in it)[c]<0>",
	    "a NUL byte spoils one line");
}

static void
cannot_start(void)
{
	static const char *const missing[] = {"/no/such", NULL};
	static const char *const nowhere[] = {"sophia-no-such", NULL};
	struct play p = {.child = {.what = {.argv = missing}}};

	same(play(&p, ""),
	    "<config: cannot run /no/such: "
	    "No such file or directory>",
	    "a missing program is named");
	ok(p.child.state == CHILD_NONE && p.ends == 0, "and there is no child");
	play_release(&p);
	p.child.what.argv = nowhere;
	same(play(&p, ""),
	    "<config: cannot run sophia-no-such: "
	    "No such file or directory>",
	    "also one that is sought in PATH");
	play_release(&p);
	p.child.what.cwd = "/no/such";
	same(play(&p, ":"),
	    "<config: cannot enter /no/such: "
	    "No such file or directory>",
	    "a missing folder is named");
	play_release(&p);
}

static void
surroundings(void)
{
	static const char *const env[] = {"env", NULL};
	static const char *const two[] = {"A=1", "B=two words", NULL};
	struct play p = {.child = {.what = {.argv = env, .envp = two}}};
	const struct sigaction ignore = {.sa_handler = SIG_IGN};
	struct sigaction before;
	sigset_t term, mask;
	int extra = dup(STDERR_FILENO);

	setenv("SECRET", "not for children", 1);
	same(play(&p, ""), "[A=1][B=two words]<0>",
	    "its environment is exactly what was given");
	play_release(&p);
	p.child.what.cwd = "/usr";
	same(play(&p, "pwd"), "[/usr]<0>", "it is where it was told to be");
	play_release(&p);

	ok(extra > STDERR_FILENO, "a descriptor without close-on-exec");
	same(play(&p, "for fd in $(seq 0 99); do"
		      "  test -e /proc/$$/fd/$fd && echo $fd; done; :"),
	    "[0][1][2]<0>", "it has descriptors 0 to 2 and no other");
	play_release(&p);
	close(extra);

	/* make's posix_spawn() ignores glibc's own 32 and 33: no matter. */
	sigemptyset(&term);
	sigaddset(&term, SIGTERM);
	sigprocmask(SIG_BLOCK, &term, &mask);
	sigaction(SIGPIPE, &ignore, &before);
	same(play(&p, "grep -E 'Sig(Blk|Ign)' /proc/self/status |"
		      " sed s/180000000/000000000/"),
	    "[SigBlk:\t0000000000000000][SigIgn:\t0000000000000000]<0>",
	    "its signals are the default, whatever ours are");
	play_release(&p);
	sigaction(SIGPIPE, &before, NULL);
	sigprocmask(SIG_SETMASK, &mask, NULL);
	same(play(&p, "set -- $(cat /proc/$$/stat); test $$ = $5 && echo own"),
	    "[own]<0>", "it leads its own process group");
	play_release(&p);
}

/* A line goes out, comes back, and the end of input ends cat. */
static int
echo(const char *want)
{
	static const char *const cat[] = {"cat", NULL};
	struct play p = {.child = {.what = {.argv = cat}}};
	struct err e = {0};
	int good = play_start(&p, "", &e) == 0 &&
		   child_send(&p.child, "hello", 5, &e) == 0;

	child_end(&p.child);
	good = good && child_send(&p.child, "late", 4, &e) < 0 &&
	       e.kind == ERR_REFUSED;
	good = good && play_on(&p) && child_verdict(&p.child, &e) == 0 &&
	       strcmp(buf_text(&p.said), want) == 0;
	play_release(&p);
	return good;
}

/* Each set of closed descriptors, in a process of its own. */
static void
closed_descriptors(void)
{
	int good = 0;

	for (int set = 0; set < 8; set++) {
		int status = 1;
		pid_t pid = fork();

		if (pid == 0) {
			for (int fd = 0; fd < 3; fd++)
				if (set >> fd & 1)
					close(fd);
			_exit(echo("[hello]") ? 0 : 1);
		}
		waitpid(pid, &status, 0);
		good += status == 0;
	}
	ok(good == 8, "any of our descriptors 0 to 2 may be closed");
}

/* Our death is its death: an orphan's child says its pid, we kill between. */
static void
death_of_the_parent(void)
{
	int pair[2] = {0};
	long pid = 0;
	pid_t between = -1;

	if (!ok(pipe(pair) == 0 && (between = fork()) >= 0, "a process"))
		return;
	if (between == 0) {
		struct play p = {0};
		struct err e = {0};

		if (play_start(&p, "exec sleep 100", &e) < 0)
			_exit(1);
		pid = p.child.pid;
		if (write(pair[1], &pid, sizeof(pid)) < 0)
			_exit(1);
		play_on(&p);
		_exit(1);
	}
	close(pair[1]);
	ok(read(pair[0], &pid, sizeof(pid)) == (ssize_t)sizeof(pid) && pid > 1,
	    "it has a child");
	kill(between, SIGKILL);
	waitpid(between, NULL, 0);
	ok(play_gone(pid), "a child dies with its parent");
	close(pair[0]);
}

static struct buf heard;

static void
hear(void *ctx, const char *text, size_t len)
{
	(void)ctx;
	buf_add(&heard, text, len);
}

static void
words(void)
{
	struct play p = {
	    .child = {.what = {.capture_error = true}, .said = hear}};

	same(play(&p, "echo one >&2; echo two; echo three >&2; exit 75"),
	    "[two]<again: sh: exit code 75: three>", "its last words are kept");
	same(buf_text(&heard), "one\nthree\n", "all of them are passed on");
	buf_release(&heard);
	play_release(&p);
}

/* Asked to end, one that needs half a second for it. */
static void
grace(void)
{
	static const char
	    script[] = "trap 'sleep 0.5; echo bye; exit 0' TERM; echo up;"
		       "while :; do sleep 0.01; done";
	struct play p = {.child = {.grace_ms = 60000}};
	struct err e = {0};

	p.on_line = NULL;
	if (play_start(&p, script, &e) < 0)
		return;
	while (!p.lines && poll_step(&p.poll, POLL_NEVER, &e) == 0)
		;
	child_cancel(&p.child);
	play_on(&p);
	same(buf_text(&p.said), "[up][bye]",
	    "it has the time that it is given");
	play_release(&p);
	p = (struct play){.child = {.grace_ms = 50}};
	if (play_start(&p, "trap '' TERM; echo up; while :; do :; done", &e) <
	    0)
		return;
	while (!p.lines && poll_step(&p.poll, POLL_NEVER, &e) == 0)
		;
	child_cancel(&p.child);
	play_on(&p);
	ok(p.child.state == CHILD_KILLED && p.child.code == SIGKILL,
	    "and no more");
	play_release(&p);
}

static void
restart(void)
{
	struct play p = {0};
	struct err e = {0};

	child_release(&p.child);
	child_cancel(&p.child);
	child_end(&p.child);
	ok(child_send(&p.child, "x", 1, &e) < 0 && e.kind == ERR_REFUSED,
	    "no child is sent nothing");
	ok(child_verdict(&p.child, &e) < 0 && e.kind == ERR_INTERNAL,
	    "and has no verdict");
	same(play(&p, "echo a"), "[a]<0>", "it becomes a child");
	same(play(&p, "echo b; exit 1"), "[a]<0>[b]<1>", "and another one");
	ok(play_start(&p, "exec sleep 100", &e) == 0, "and one that stays");
	child_release(&p.child);
	child_release(&p.child);
	ok(p.child.state == CHILD_NONE && !p.poll.fds && p.ends == 2,
	    "released, it is gone without a word");
	play_release(&p);
}

static void
on_bytes(void *ctx, const char *bytes, size_t len)
{
	struct play *p = ctx;

	p->bytes += len;
	buf_add(&p->said, bytes, len);
}

static void
plain_bytes(void)
{
	struct play p = {.child = {.bytes = on_bytes}};

	play(&p, "printf 'a\\0b\\n\\nc'; exit 1");
	ok(p.bytes == 6 && memcmp(p.said.data, "a\0b\n\nc", 6) == 0,
	    "its output comes as bytes where that is wanted");
	play_release(&p);
	p = (struct play){.child = {.bytes = on_bytes}};
	play(&p, "head -c 300000 /dev/zero; kill -KILL $$");
	ok(p.bytes == 300000 && p.ends == 1,
	    "all of it, though more than a pipe holds");
	play_release(&p);
}

int
main(void)
{
	int before;

	setvbuf(stdout, NULL, _IONBF, 0);
	if (!play_possible()) {
		tap_skip("this system has no pidfd_open(2)");
		return tap_done();
	}
	setenv("PATH", "/usr/bin:/bin", 1); /* folders that all may enter */
	before = play_descriptors();
	verdicts();
	cannot_start();
	surroundings();
	ok(echo("[hello]"), "what is sent comes back");
	closed_descriptors();
	death_of_the_parent();
	words();
	grace();
	restart();
	plain_bytes();
	ok(play_descriptors() == before, "no descriptor is left open");
	ok(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD,
	    "no corpse is left");
	return tap_done();
}
