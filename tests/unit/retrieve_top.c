/* The heap of the best keeps what sorting everything would put first. */

#include <stdint.h>
#include <stdlib.h>

#include "retrieve/top.h"
#include "tap.h"

enum { MANY = 3000 };

static uint64_t state = 42;

static uint32_t
next_random(void)
{
	state = state * UINT64_C(6364136223846793005) + 1442695040888963407U;
	return (uint32_t)(state >> 33);
}

/* Scores repeat, so that ordinals decide often. */
static bool
agrees(size_t count, size_t room)
{
	static struct scored all[MANY];
	struct top t;
	bool good = true;

	top_open(&t, room);
	for (size_t i = 0; i < count; i++) {
		all[i].score = next_random() % 50;
		all[i].ord = (uint32_t)(i * 7919 % MANY);
		top_add(&t, all[i]);
	}
	qsort(all, count, sizeof(all[0]), top_order);
	top_sort(&t);
	good = t.count == (count < room ? count : room);
	for (size_t i = 0; good && i < t.count; i++)
		good = all[i].ord == t.at[i].ord &&
		       top_order(&all[i], &t.at[i]) == 0;
	top_release(&t);
	return good;
}

int
main(void)
{
	struct top t = {0};
	bool all = true;

	for (size_t room = 1; room < 300; room += 13)
		for (size_t count = 0; count < MANY; count += 211)
			all = agrees(count, room) && all;
	ok(all, "any number of scores: the best ones, in order");
	ok(agrees(MANY, MANY), "as many as there is room for");
	top_open(&t, 2);
	top_add(&t, (struct scored){1, 5});
	top_add(&t, (struct scored){1, 6});
	ok(!top_wants(&t, (struct scored){1, 4}), "an older equal is not kept");
	ok(top_wants(&t, (struct scored){1, 7}), "a newer equal is");
	top_release(&t);
	top_release(&t);
	return tap_done();
}
