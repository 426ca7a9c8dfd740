/* A ward that ends is started again, later each time: with a clock that moves. */
#define _GNU_SOURCE /* nftw */
#include "up/ward.h"

#include <inttypes.h>
#include <stdlib.h>

#include "core/clock.h"
#include "scratch.h"
#include "tap.h"

static int changes;
static int64_t moved_ms;

static void
on_change(void *ctx, struct ward *w)
{
	(void)ctx;
	(void)w;
	changes++;
}

static void
on_words(void *ctx, const char *text, size_t len)
{
	(void)ctx;
	(void)text;
	(void)len;
}

static struct ward
make(const char *program)
{
	return (struct ward){.name = "test",
	    .args = {program},
	    .changed = on_change,
	    .said = on_words};
}

static void
move(int64_t ms)
{
	moved_ms += ms;
	put_clock((long)moved_ms);
}

/* Until it has come to this state: false if it never does. */
static bool
comes_to(struct ward *w, struct poll *p, enum ward_state state)
{
	struct err e = {0};

	for (int i = 0; i < 3000 && w->state != state; i++)
		if (poll_step(p, clock_boot_ms() + 10, &e) < 0)
			return false;
	return w->state == state;
}

static void
test_delays(void)
{
	struct ward w = make("true");
	struct poll p = {0};
	int64_t most = WARD_FIRST_MS, sum = 0;
	bool good = true;

	ward_start(&w, &p);
	for (int i = 0; i < 12 && good; i++) {
		int64_t ms;

		good = comes_to(&w, &p, WARD_WAITING);
		ms = w.next_ms - w.since_ms;
		good = good && ms >= most / 2 - 50 && ms <= most + 50;
		if (!good)
			printf("# %" PRId64 " of %" PRId64 "\n", ms, most);
		sum += most - ms;
		most = most * 2 < WARD_LONGEST_MS ? most * 2 : WARD_LONGEST_MS;
		move(w.next_ms - clock_now_ms() + 1);
		good = good && comes_to(&w, &p, WARD_UP);
	}
	ok(good, "it waits twice as long each time, up to five minutes");
	ok(sum > 0, "less something by chance");
	ok(w.restarts == 12, "and is started again each time");
	move(WARD_GOOD_MS + 1);
	good = comes_to(&w, &p, WARD_WAITING);
	ok(good && w.next_ms - w.since_ms <= WARD_FIRST_MS + 50,
	    "after a good life it is soon");
	ok(w.fault.kind == ERR_INTERNAL, "that it ended is a fault");
	ward_stop(&w);
	ok(w.state == WARD_ENDED, "one that waits is stopped at once");
	ward_release(&w);
	ward_release(&w);
	poll_release(&p);
}

static void
test_once(void)
{
	struct ward w = make("true");
	struct poll p = {0};

	w.once = true;
	ward_start(&w, &p);
	ok(comes_to(&w, &p, WARD_ENDED) && !w.fault.kind,
	    "one that is to run once has ended");
	ward_release(&w);
	w = make("no-such-program");
	ward_start(&w, &p);
	ok(w.state == WARD_FAILED && w.fault.kind == ERR_CONFIG,
	    "one that isn't there has failed");
	ward_release(&w);
	poll_release(&p);
}

int
main(void)
{
	scratch_open();
	setenv("SOPHIA_SHARE", "share", 1);
	test_delays();
	test_once();
	ok(changes > 24, "each change is told");
	scratch_close();
	return tap_done();
}
