#include "runtime/guard.h"

#include <stdlib.h>

#include "core/mem.h"

struct guard_seen {
	uint64_t call, answer; /* digests */
	int same;              /* times that answer came in a row */
	bool corrected;
};

/* FNV-1a: no secret depends on it, a collision costs one needless hint. */
static uint64_t
digest(uint64_t h, const char *text)
{
	for (; *text; text++)
		h = (h ^ (unsigned char)*text) * 1099511628211U;
	return (h ^ 0xff) * 1099511628211U;
}

static struct guard_seen *
find(struct guard *g, const char *capability, const char *arguments)
{
	uint64_t call = digest(digest(14695981039346656037U, capability),
	    arguments);

	for (size_t i = 0; i < g->count; i++)
		if (g->seen[i].call == call)
			return &g->seen[i];
	g->seen = mem_resize(g->seen, g->count + 1, sizeof(*g->seen));
	g->seen[g->count] = (struct guard_seen){.call = call};
	return &g->seen[g->count++];
}

enum guard_says
guard_call(struct guard *g, const char *capability, const char *arguments)
{
	struct guard_seen *s = find(g, capability, arguments);

	if (s->same < 2)
		return GUARD_GO;
	if (s->corrected)
		return GUARD_PAUSE;
	s->corrected = true;
	return GUARD_CORRECT;
}

enum guard_says
guard_result(struct guard *g, const char *capability, const char *arguments,
    const char *answer, bool ok)
{
	struct guard_seen *s = find(g, capability, arguments);
	uint64_t seen = digest(14695981039346656037U, answer);

	s->same = s->same && s->answer == seen ? s->same + 1 : 1;
	s->answer = seen;
	g->failures = ok ? 0 : g->failures + 1;
	if (g->failures >= 2 * GUARD_FAILURES)
		return GUARD_PAUSE;
	return g->failures == GUARD_FAILURES ? GUARD_CORRECT : GUARD_GO;
}

void
guard_release(struct guard *g)
{
	free(g->seen);
	*g = (struct guard){0};
}
