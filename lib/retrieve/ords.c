#include <stdlib.h>

#include "core/mem.h"
#include "retrieve/scope.h"

void
ords_add(struct ords *o, uint32_t ord)
{
	if (o->count == o->room) {
		o->room = o->room ? o->room * 2 : 16;
		o->at = mem_resize(o->at, o->room, sizeof(*o->at));
	}
	o->at[o->count++] = ord;
}

static int
compare(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

void
ords_sort(struct ords *o)
{
	size_t kept = 0;

	if (!o->count)
		return;
	qsort(o->at, o->count, sizeof(*o->at), compare);
	for (size_t i = 0; i < o->count; i++)
		if (!kept || o->at[kept - 1] != o->at[i])
			o->at[kept++] = o->at[i];
	o->count = kept;
}

bool
ords_have(const struct ords *o, uint32_t ord)
{
	return o->count &&
	       bsearch(&ord, o->at, o->count, sizeof(*o->at), compare);
}

void
ords_release(struct ords *o)
{
	free(o->at);
	*o = (struct ords){0};
}
