#include "discord/limits.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/file.h"
#include "core/hash.h"
#include "core/home.h"
#include "core/id.h"

/* What a copy begins with; the sum is over the rest, and the state. */
struct head {
	uint64_t sum, magic, version;
	int64_t wall_ms, boot_ms; /* when it was written */
};

enum { COPY = sizeof(struct head) + sizeof(struct limit) };

/* Changes with the layout. */
#define MAGIC (UINT64_C(0x534f50484c494d31) ^ sizeof(struct limit))

struct copy {
	struct head head;
	struct limit state;
};

_Static_assert(sizeof(struct copy) == COPY, "a copy has no holes");

int
limits_open(struct limits *l, struct err *e)
{
	*l = (struct limits){0};
	if (home_path(l->path, "run", e) < 0 || file_mkdirs(l->path, e) < 0)
		return -1;
	return home_path(l->path, "run/limits", e);
}

static uint64_t
sum_of(const struct copy *c)
{
	return hash_bytes(HASH_START, &c->head.magic,
	    sizeof(*c) - offsetof(struct copy, head.magic));
}

static int
read_copy(int fd, int which, struct copy *c, struct err *e)
{
	ssize_t n;

	do
		n = pread(fd, c, sizeof(*c), (off_t)which * COPY);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return err_sys(e, ERR_IO, "reading the rate limits");
	return n == COPY && c->head.magic == MAGIC && c->head.sum == sum_of(c);
}

/* The clock since boot began anew: go by the other one. */
static void
carry_over(struct limit *state, const struct head *h)
{
	int64_t boot_ms = clock_boot_ms();
	int64_t passed_ms = clock_now_ms() - h->wall_ms;

	if (boot_ms >= h->boot_ms)
		return;
	if (passed_ms < 0)
		passed_ms = 0;
	limit_shift(state, boot_ms - h->boot_ms - passed_ms);
}

static int
load(struct limits *l, struct err *e)
{
	static struct copy c; /* too large for the stack */
	struct head newest = {0};

	for (int i = 0; i < 2; i++) {
		int good = read_copy(l->lock.fd, i, &c, e);

		if (good < 0)
			return -1;
		if (!good || c.head.version <= newest.version)
			continue;
		newest = c.head;
		l->state = c.state;
	}
	if (!newest.version)
		l->state = (struct limit){.random = id_random()};
	else
		carry_over(&l->state, &newest);
	l->version = newest.version;
	return 0;
}

int
limits_take(struct limits *l, struct err *e)
{
	struct err why = {0};

	if (lock_take(&l->lock, l->path, LOCK_EXCLUSIVE, 0, &why) < 0) {
		if (why.kind == ERR_AGAIN)
			return 0;
		*e = why;
		return -1;
	}
	if (load(l, e) == 0)
		return 1;
	lock_drop(&l->lock);
	return -1;
}

static int
write_copy(int fd, int which, const struct copy *c)
{
	const char *at = (const char *)c;
	off_t to = (off_t)which * COPY;
	size_t left = sizeof(*c);

	while (left) {
		ssize_t n = pwrite(fd, at, left, to);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		at += n;
		to += n;
		left -= (size_t)n;
	}
	return 0;
}

int
limits_give(struct limits *l, struct err *e)
{
	static struct copy c;
	int result = 0;

	l->version++;
	c.head = (struct head){
	    .magic = MAGIC,
	    .version = l->version,
	    .wall_ms = clock_now_ms(),
	    .boot_ms = clock_boot_ms(),
	};
	c.state = l->state;
	c.head.sum = sum_of(&c);
	if (write_copy(l->lock.fd, (int)(l->version & 1), &c) < 0)
		result = err_sys(e, err_kind_of_errno(ERR_CONFIG), "writing %s",
		    l->path);
	lock_drop(&l->lock);
	return result;
}
