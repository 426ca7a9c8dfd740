/*
 * torture - what a child can do to the pipes between us, and to our patience.
 */
#define _GNU_SOURCE
#include "core/child.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/wait.h>

#include "core/mem.h"
#include "play.h"
#include "tap.h"

enum { MIB = 1 << 20 };

static char clock_path[] = "/tmp/sophia-torture-XXXXXX";

static void
set_clock(int64_t offset_ms)
{
	FILE *out = fopen(clock_path, "we");

	fprintf(out, "%lld\n", (long long)offset_ms);
	fclose(out);
}

/* The most memory this process ever had, in KiB. */
static long
peak_kib(void)
{
	FILE *in = fopen("/proc/self/status", "re");
	char text[200];
	long kib = 0;

	while (in && fgets(text, sizeof(text), in))
		if (strncmp(text, "VmHWM:", 6) == 0)
			kib = strtol(text + 6, NULL, 10);
	if (in)
		fclose(in);
	return kib;
}

static void
floods(void)
{
	struct play p = {.silent = true};
	long before_kib = peak_kib();

	same(play(&p, "yes 0123456789012345678901234567890123456789012345678 |"
		      " head -c 100000000"),
	    "<0>", "a flood of lines is read to its end");
	ok(p.lines == 2000000 && p.bytes == 98000000, "every line of it");
	play_release(&p);
	same(play(&p, "head -c 100000000 /dev/zero | tr '\\0' x; echo;"
		      "echo good"),
	    "(line 1: longer than 1048576 bytes)[good]<0>",
	    "a flood without a newline is refused once");
	play_release(&p);
	p.child.what.capture_error = true;
	same(play(&p, "head -c 100000000 /dev/zero >&2"), "<0>",
	    "a flood of complaints is read to its end");
	play_release(&p);
	printf("# the floods took %ld KiB\n", peak_kib() - before_kib);
	ok(peak_kib() - before_kib < 8 * 1024, "floods take no memory");
}

static void
byte_by_byte(void)
{
	struct play p = {0};

	same(play(&p, "{ head -c 1048576 /dev/zero | tr '\\0' x; echo; } |"
		      " dd bs=1 2>/dev/null"),
	    "<0>", "1 MiB comes one byte at a time");
	ok(p.lines == 1 && p.bytes == MIB, "as one line");
	play_release(&p);
}

static void
cancel(void *ctx)
{
	struct play *p = ctx;

	child_cancel(&p->child);
}

static void
mark_done(struct play *p)
{
	p->done = true;
}

/* A child that stalls is given up at its deadline. */
static void
stalls(void)
{
	struct play p = {0};
	struct poll_timer limit = {.fire = cancel, .ctx = &p};

	poll_set_timer(&p.poll, &limit, clock_boot_ms() + 50);
	same(play(&p, "echo a; exec sleep 100"),
	    "[a]<internal: sh: killed by signal 15>",
	    "one that stalls is ended at its deadline");
	ok(p.child.cancelled, "and we know that it was us");
	play_release(&p);
}

static void
ignores_sigterm(void)
{
	struct play p = {.on_line = mark_done};
	struct err e = {0};
	int64_t begin_ms;
	int fd = mkstemp(clock_path);

	close(fd);
	setenv("SOPHIA_CLOCK", clock_path, 1);
	ok(play_start(&p,
	       "trap '' TERM; echo ready; while :; do sleep 100; done",
	       &e) == 0 &&
		play_on(&p),
	    "one that ignores SIGTERM");
	child_cancel(&p.child);
	child_cancel(&p.child);
	begin_ms = clock_boot_ms();
	set_clock(CHILD_GRACE_MS - 1000);
	p.done = false;
	ok(poll_run(&p.poll, &p.done, clock_boot_ms() + 50, &e) == 0,
	    "has its grace");
	set_clock(CHILD_GRACE_MS);
	ok(play_on(&p), "but ends");
	ok(p.child.state == CHILD_KILLED && p.child.code == SIGKILL,
	    "killed, since nothing else helps");
	ok(clock_boot_ms() - begin_ms < CHILD_GRACE_MS + 1000,
	    "as soon as its grace is over");
	unsetenv("SOPHIA_CLOCK");
	unlink(clock_path);
	play_release(&p);
}

/* Someone else holds its stdout when it is dead: no end comes. */
static void
grandchildren(void)
{
	struct play p = {0};
	int64_t begin_ms = clock_boot_ms();
	long pid;

	ok(strstr(play(&p, "setsid sleep 100 & echo $!; printf half; exit 3"),
	       "](line 2: cut off before its newline)"
	       "<internal: sh: exit code 3>"),
	    "a grandchild holds its stdout: the verdict comes");
	ok(clock_boot_ms() - begin_ms < 1000, "within a second");
	pid = strtol(buf_text(&p.said) + 1, NULL, 10);
	ok(pid > 1 && kill((pid_t)pid, SIGKILL) == 0,
	    "one in a session of its own is left alone");
	play_release(&p);

	play(&p, "sleep 100 & echo $!");
	pid = strtol(buf_text(&p.said) + 1, NULL, 10);
	ok(pid > 1 && play_gone(pid), "one in the group dies with it");
	play_release(&p);

	begin_ms = clock_boot_ms();
	play(&p, "setsid sh -c 'echo $$; exec yes y' & sleep 0.1; exit 1");
	ok(p.child.state == CHILD_EXITED && p.child.code == 1 &&
		clock_boot_ms() - begin_ms < 1000,
	    "one that floods it doesn't hold up the verdict");
	pid = strtol(strpbrk(buf_text(&p.said), "123456789"), NULL, 10);
	ok(pid > 1 && play_gone(pid), "nor does it outlive the pipe");
	play_release(&p);
}

/* Send a line of len bytes; the kind of error, if any. */
static enum err_kind
send(struct play *p, size_t len)
{
	struct err e = {0};
	char *text = mem_new(len + 1);

	memset(text, 'x', len);
	child_send(&p->child, text, len, &e);
	free(text);
	return e.kind;
}

static void
closes_stdin(void)
{
	struct play p = {.on_line = mark_done};
	struct err e = {0};
	int steps = 0;

	ok(play_start(&p, "exec <&-; echo closed; sleep 0.1; exit 1", &e) ==
		    0 &&
		play_on(&p),
	    "one that closes its stdin");
	ok(send(&p, MIB) == ERR_REFUSED, "refuses what we send it");
	p.done = false;
	while (!p.done && poll_step(&p.poll, POLL_NEVER, &e) == 0)
		steps++;
	ok(steps < 20, "and doesn't keep us busy");
	ok(p.child.state == CHILD_EXITED && p.child.code == 1,
	    "its verdict is its own");
	play_release(&p);

	ok(play_start(&p, "head -c 100000 >/dev/null; exit 1", &e) == 0 &&
		send(&p, MIB) == ERR_NONE,
	    "one that reads a part of 1 MiB");
	ok(play_on(&p) && p.child.code == 1, "ends as it likes");
	ok(send(&p, 1) == ERR_REFUSED, "and is sent no more");
	play_release(&p);

	ok(play_start(&p, "kill -KILL $$", &e) == 0, "one that dies at once");
	while (send(&p, MIB) == ERR_NONE)
		if (poll_step(&p.poll, POLL_NEVER, &e) < 0)
			break;
	ok((p.done || play_on(&p)) && p.child.code == SIGKILL,
	    "while we write takes nobody along");
	play_release(&p);
}

static void
never_reads(void)
{
	struct play p = {.child = {.queue_limit = MIB}};
	struct err e = {0};
	enum err_kind kind;
	int sent = 0;

	ok(play_start(&p, "exec sleep 100", &e) == 0, "one that never reads");
	ok(send(&p, MIB) == ERR_INPUT, "a line above the ceiling never fits");
	while ((kind = send(&p, 10000)) == ERR_NONE && sent < 1000)
		sent++;
	ok(kind == ERR_AGAIN, "what it doesn't read must wait");
	ok(sent > MIB / 10001 && sent < MIB / 10001 + 120,
	    "when queue and pipe are full");
	ok(send(&p, 10000) == ERR_AGAIN, "and still");
	play_release(&p);
}

/* Both directions at once, each more than a pipe holds. */
static void
both_ways(void)
{
	struct play p = {0};
	struct err e = {0};

	ok(play_start(&p, "head -c 1048575 /dev/zero | tr '\\0' y; echo; cat",
	       &e) == 0,
	    "one that writes 1 MiB before it reads, and then echoes");
	ok(send(&p, MIB) == ERR_NONE && send(&p, MIB) == ERR_NONE,
	    "is sent two of them");
	child_end(&p.child);
	ok(play_on(&p) && p.child.state == CHILD_EXITED && p.child.code == 0,
	    "nobody blocks");
	ok(p.lines == 3 && p.bytes == 3 * (size_t)MIB - 1 && !p.said.len,
	    "and nothing is lost");
	play_release(&p);
}

/* The largest record there is, which leaves and comes in small pieces. */
static void
large_record(void)
{
	enum { LARGE = 32 * MIB };

	struct play p = {.child = {.queue_limit = LARGE + MIB,
			     .line_limit = LINE_CEILING_EVENT}};
	struct err e = {0};

	ok(play_start(&p, "cat", &e) == 0 && send(&p, LARGE) == ERR_NONE,
	    "a record of 32 MiB");
	child_end(&p.child);
	ok(play_on(&p) && p.lines == 1 && p.bytes == LARGE, "comes back whole");
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
	before = play_descriptors();
	floods();
	byte_by_byte();
	stalls();
	ignores_sigterm();
	grandchildren();
	closes_stdin();
	never_reads();
	both_ways();
	large_record();
	ok(play_descriptors() == before, "no descriptor is left open");
	ok(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD,
	    "no corpse is left");
	return tap_done();
}
