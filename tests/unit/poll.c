#define _POSIX_C_SOURCE 200809L
#include "core/poll.h"

#include <stdlib.h>
#include <unistd.h>

#include "core/buf.h"
#include "core/clock.h"
#include "tap.h"

/* A pipe, a watch on its reading end, and what its callback shall do. */
struct end {
	struct poll *poll;
	struct poll_fd watch, *remove;
	struct poll_timer timer;
	struct buf *said;
	char name;
	int write;
	bool done, again;
};

static char clock_path[] = "/tmp/sophia-poll-XXXXXX";

/* Move the test clock: nothing here sleeps. */
static void
set_clock(int64_t offset_ms)
{
	FILE *out = fopen(clock_path, "w");

	fprintf(out, "%lld\n", (long long)offset_ms);
	fclose(out);
}

static void
ready(void *ctx, short revents)
{
	struct end *s = ctx;
	char byte;

	if (read(s->watch.fd, &byte, 1) == 1)
		buf_fmt(s->said, "%c%c ", s->name, byte);
	else
		buf_fmt(s->said, "%c:%s ", s->name,
		    revents & POLLHUP ? "end" : "?");
	if (s->remove)
		poll_remove(s->remove);
	s->done = true;
}

static void
fire(void *ctx)
{
	struct end *s = ctx;

	buf_fmt(s->said, "%c! ", s->name);
	s->done = true;
	if (s->again)
		poll_set_timer(s->poll, &s->timer, clock_boot_ms());
}

static void
open_end(struct end *s, struct poll *p, struct buf *said, char name)
{
	int pair[2] = {0};

	ok(pipe(pair) == 0, "a pipe opens");
	*s = (struct end){.poll = p, .said = said, .name = name};
	s->write = pair[1];
	s->watch = (struct poll_fd){.fd = pair[0],
	    .events = POLLIN,
	    .ready = ready,
	    .ctx = s};
	s->timer = (struct poll_timer){.fire = fire, .ctx = s};
	poll_add(p, &s->watch);
}

static void
close_end(struct end *s)
{
	poll_remove(&s->watch);
	poll_stop_timer(&s->timer);
	close(s->watch.fd);
	if (s->write)
		close(s->write);
}

static void
say(const struct end *s, const char *byte)
{
	ok(write(s->write, byte, 1) == 1, "a byte is written");
}

static void
descriptors(struct poll *p, struct end *a, struct end *b, struct buf *said)
{
	struct err e = {0};

	say(a, "1");
	ok(poll_run(p, &a->done, POLL_NEVER, &e) == 1, "done is noticed");
	same(buf_text(said), "a1 ", "the ready descriptor is served, alone");

	buf_clear(said);
	say(a, "2");
	say(b, "2");
	a->remove = &b->watch;
	b->remove = &a->watch;
	ok(poll_step(p, POLL_NEVER, &e) == 0, "a step is taken");
	ok(said->len == 3, "one that a callback removed is not served");
	a->remove = b->remove = NULL;
	poll_add(p, &a->watch);
	poll_add(p, &b->watch);
	ok(poll_step(p, POLL_NEVER, &e) == 0 && said->len == 6,
	    "added again, it is served: nothing is lost");

	buf_clear(said);
	a->remove = &a->watch;
	close(a->write);
	a->write = 0;
	ok(poll_step(p, POLL_NEVER, &e) == 0, "a step is taken");
	same(buf_text(said), "a:end ", "the end of a pipe is told");
}

static void
timers(struct poll *p, struct end *a, struct end *b, struct buf *said)
{
	int64_t now_ms = clock_boot_ms();
	struct err e = {0};

	buf_clear(said);
	a->done = b->done = false;
	poll_set_timer(p, &b->timer, now_ms + 3600000);
	poll_set_timer(p, &a->timer, now_ms + 7200000);
	ok(poll_run(p, &b->done, now_ms + 10, &e) == 0,
	    "a deadline ends the run, its condition not met");
	same(buf_text(said), "", "no timer has fired");
	set_clock(3600000);
	ok(poll_run(p, &b->done, POLL_NEVER, &e) == 1, "the clock moves");
	same(buf_text(said), "b! ", "the timer that is due fires, once");

	buf_clear(said);
	poll_set_timer(p, &b->timer, now_ms + 7000000);
	set_clock(7200000);
	say(b, "3");
	ok(poll_step(p, POLL_NEVER, &e) == 0, "a step is taken");
	same(buf_text(said), "b3 b! a! ",
	    "descriptors come before timers, timers in their order");

	buf_clear(said);
	a->again = true;
	poll_set_timer(p, &a->timer, 0);
	ok(poll_step(p, POLL_NEVER, &e) == 0, "a step is taken");
	same(buf_text(said), "a! ", "a timer that sets itself waits its turn");
}

/* As curl_multi_poll would: wait for what we want, and tell nothing. */
static void
foreign(struct poll *p, struct end *b, struct buf *said)
{
	const struct pollfd *want;
	struct pollfd theirs[4];
	struct err e = {0};
	size_t count = 0;
	int wait_ms = 0;

	buf_clear(said);
	want = poll_want(p, &count, &wait_ms);
	ok(count == 1 && want[0].fd == b->watch.fd && wait_ms == -1,
	    "a foreign poller learns the descriptors; no timer, no end");
	poll_set_timer(p, &b->timer, clock_boot_ms() + 5);
	poll_want(p, &count, &wait_ms);
	ok(wait_ms >= 0 && wait_ms <= 5, "and how long it may wait");
	poll_stop_timer(&b->timer);
	close(b->write);
	b->write = 0;
	b->remove = &b->watch;
	memcpy(theirs, poll_want(p, &count, &wait_ms), sizeof(theirs[0]));
	ok(poll(theirs, 1, wait_ms) == 1, "it wakes");
	ok(poll_dispatch(p, &e) == 0, "and hands back");
	same(buf_text(said), "b:end ",
	    "a hang-up is served, though the poller told nothing");
}

int
main(void)
{
	struct poll p = {0};
	struct end a, b;
	struct buf said = {0};
	struct err e = {0};
	int fd = mkstemp(clock_path);

	close(fd);
	setenv("SOPHIA_CLOCK", clock_path, 1);
	open_end(&a, &p, &said, 'a');
	open_end(&b, &p, &said, 'b');
	descriptors(&p, &a, &b, &said);
	timers(&p, &a, &b, &said);
	poll_stop_timer(&a.timer);
	foreign(&p, &b, &said);
	ok(poll_step(&p, POLL_NEVER, &e) < 0 && e.kind == ERR_INTERNAL,
	    "with nothing to wait for, a wait without end is an error");
	poll_add(&p, &a.watch);
	poll_release(&p);
	ok(!a.watch.at && !p.fds && !p.array, "released, it is empty");
	close_end(&a);
	close_end(&b);
	buf_release(&said);
	unlink(clock_path);
	return tap_done();
}
