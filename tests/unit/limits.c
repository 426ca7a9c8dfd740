/* The rate limits that programs share: five of them at once, killed, halved. */
#define _GNU_SOURCE
#include "discord/limits.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "core/clock.h"
#include "core/hash.h"
#include "discord/quota.h"
#include "scratch.h"
#include "tap.h"

enum { PROGRAMS = 5, TURNS = 200, BUCKET = 40 };

static const struct limit_ask ask = {.route = 1, .major = 1, .exempt = true};

/* Take it, however long others have it. */
static bool
take(struct limits *l)
{
	struct err e = {0};
	int got;

	while ((got = limits_take(l, &e)) == 0)
		clock_sleep_ms(1);
	return got > 0;
}

static bool
give(struct limits *l)
{
	struct err e = {0};

	return limits_give(l, &e) == 0;
}

static struct limits *
opened(void)
{
	struct limits *l = calloc(1, sizeof(*l));
	struct err e = {0};

	if (!l || limits_open(l, &e) < 0)
		exit(1);
	return l;
}

/* Learn a bucket of that many requests in a minute. */
static void
teach(struct limits *l, int limit)
{
	uint64_t flight;
	int64_t again_ms;
	struct quota q;

	quota_start(&q);
	q.status = 200;
	q.bucket = 3;
	q.limit = limit;
	q.left = limit - 1;
	q.reset_ms = 60000;
	(void)take(l);
	(void)limit_reserve(&l->state, &ask, clock_boot_ms(), &flight,
	    &again_ms);
	limit_answer(&l->state, &ask, flight, &q, clock_boot_ms());
	(void)give(l);
}

/* Ask often; returns how often one might have sent. */
static int
ask_often(struct limits *l)
{
	int went = 0;

	for (int i = 0; i < TURNS; i++) {
		uint64_t flight;
		int64_t again_ms;

		if (!take(l))
			return -1;
		went += limit_reserve(&l->state, &ask, clock_boot_ms(), &flight,
			    &again_ms) == LIMIT_GO;
		if (!give(l))
			return -1;
	}
	return went;
}

static void
is_shared(void)
{
	struct limits *l = opened();
	int *went = mmap(NULL, PROGRAMS * sizeof(int), PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int64_t from_ms = clock_boot_ms();
	int sum = 0, status, bad = 0;

	teach(l, BUCKET);
	for (int i = 0; i < PROGRAMS; i++)
		if (fork() == 0) {
			went[i] = ask_often(l);
			_exit(went[i] < 0);
		}
	for (int i = 0; i < PROGRAMS; i++)
		bad += wait(&status) < 0 || status != 0;
	for (int i = 0; i < PROGRAMS; i++)
		sum += went[i];
	ok(bad == 0, "five programs ask at once");
	ok(sum == BUCKET - 1, "and send together what the bucket holds");
	printf("# %d turns of %d programs in %lld ms\n", TURNS * PROGRAMS,
	    PROGRAMS, (long long)(clock_boot_ms() - from_ms));
	munmap(went, PROGRAMS * sizeof(int));
	free(l);
}

/* Kill one that does nothing but write, again and again. */
static void
survives_a_kill(void)
{
	struct limits *l = opened();
	uint64_t before, after;
	int status;
	bool good = true;

	(void)take(l);
	l->state.next = 1000;
	(void)give(l);
	for (int i = 0; i < 30 && good; i++) {
		pid_t pid = fork();

		if (pid == 0)
			for (;;) {
				(void)take(l);
				l->state.next++;
				(void)give(l);
			}
		(void)take(l);
		before = l->state.next;
		(void)give(l);
		clock_sleep_ms(3);
		kill(pid, SIGKILL);
		waitpid(pid, &status, 0);
		good = take(l);
		after = l->state.next;
		good = good && after >= before && after >= 1000;
		(void)give(l);
	}
	ok(good, "a program that is killed leaves a whole state");
	free(l);
}

static void
damage(off_t at)
{
	int fd = open(in_scratch("home/run/limits"), O_WRONLY | O_CLOEXEC);

	(void)!pwrite(fd, "damaged", 7, at);
	close(fd);
}

static void
survives_damage(void)
{
	struct limits *l = opened();
	struct stat st = {0};
	uint64_t last, older;

	(void)take(l);
	older = l->state.next = 5000;
	(void)give(l);
	(void)take(l);
	last = ++l->state.next;
	(void)give(l);
	(void)stat(in_scratch("home/run/limits"), &st);
	ok(st.st_size > 0 && st.st_size < 300000 && (st.st_mode & 0777) == 0600,
	    "the file is small, and ours alone");
	damage((l->version & 1 ? st.st_size / 2 : 0) + 100);
	(void)take(l);
	ok(l->state.next == older, "a halved copy leaves the one before");
	(void)give(l);
	damage(100);
	damage(st.st_size / 2 + 100);
	(void)take(l);
	ok(l->state.next == 0 && last, "nothing whole is nothing known");
	(void)give(l);
	(void)!truncate(in_scratch("home/run/limits"), 10);
	ok(take(l) && l->state.next == 0 && give(l), "and so is a cut file");
	free(l);
}

/* The clock since boot goes back, the other one goes on. */
static void
survives_a_boot(void)
{
	struct limits *l = opened();
	uint64_t flight;
	int64_t again_ms = 0, wait_ms;

	put_clock(3600000);
	(void)take(l);
	l->state = (struct limit){0};
	(void)give(l);
	teach(l, 1);
	put_clock(0); /* both go back here, so no time has passed */
	(void)take(l);
	ok(limit_reserve(&l->state, &ask, clock_boot_ms(), &flight,
	       &again_ms) == LIMIT_BUCKET,
	    "what was known before a boot is known after it");
	wait_ms = again_ms - clock_boot_ms();
	ok(wait_ms > 50000 && wait_ms <= 60001, "for as long as it was to be");
	(void)give(l);
	free(l);
}

int
main(void)
{
	scratch_open();
	mkdir(in_scratch("home"), 0700);
	is_shared();
	survives_a_kill();
	survives_damage();
	survives_a_boot();
	scratch_close();
	return tap_done();
}
