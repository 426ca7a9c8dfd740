#include "retrieve/top.h"

#include <stdlib.h>

#include "core/mem.h"

void
top_open(struct top *t, size_t room)
{
	*t = (struct top){.at = mem_array(room, sizeof(*t->at)), .room = room};
}

void
top_release(struct top *t)
{
	free(t->at);
	*t = (struct top){0};
}

static bool
before(struct scored a, struct scored b)
{
	return a.score > b.score || (a.score == b.score && a.ord > b.ord);
}

int
top_order(const void *a, const void *b)
{
	const struct scored *x = a, *y = b;

	if (before(*x, *y))
		return -1;
	return before(*y, *x);
}

bool
top_wants(const struct top *t, struct scored s)
{
	return t->count < t->room || before(s, t->at[0]);
}

/* Put s where the hole at i is, letting better ones stay below it. */
static void
sink(struct top *t, size_t i, struct scored s)
{
	size_t child;

	while ((child = 2 * i + 1) < t->count) {
		if (child + 1 < t->count &&
		    before(t->at[child], t->at[child + 1]))
			child++;
		if (!before(s, t->at[child]))
			break;
		t->at[i] = t->at[child];
		i = child;
	}
	t->at[i] = s;
}

void
top_add(struct top *t, struct scored s)
{
	size_t i, up;

	if (!top_wants(t, s))
		return;
	if (t->count == t->room) {
		sink(t, 0, s);
		return;
	}
	for (i = t->count++; i > 0 && before(t->at[up = (i - 1) / 2], s);
	     i = up)
		t->at[i] = t->at[up];
	t->at[i] = s;
}

void
top_sort(struct top *t)
{
	if (t->count)
		qsort(t->at, t->count, sizeof(*t->at), top_order);
}
