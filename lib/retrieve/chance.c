#include "retrieve/chance.h"

#include <stdbool.h>

#include "core/err.h"
#include "core/id.h"
#include "retrieve/corpus.h"
#include "retrieve/score.h"
#include "retrieve/scope.h"

/* Whether message ord, in that channel, is in the scope. */
static int
inside(const struct score_filter *f, uint32_t ord, uint32_t channel,
    struct err *e)
{
	if (!channel || !score_channel(f, channel))
		return 0;
	return f->pass ? f->pass(f->ctx, ord, e) : 1;
}

/* Count the scope, and stop at its message number `stop` (from 1), if not 0. */
static int
walk(struct scope *s, int64_t stop, uint32_t *ord, int64_t *of, struct err *e)
{
	struct corpus *c = s->corpus;
	struct score_filter f;
	const struct slab *slab = NULL;

	scope_filter(s, &f);
	*of = 0;
	for (uint32_t at = 1; at && at <= c->high; at++) {
		int in;

		if (!slab || at % SLAB_SIZE == 0)
			slab = slabs_get(&c->slabs, at, e);
		if (!slab)
			return -1;
		in = inside(&f, at, slab->channels[at % SLAB_SIZE], e);
		if (in < 0)
			return -1;
		*of += in;
		if (in && *of == stop) {
			*ord = at;
			return 0;
		}
	}
	return 0;
}

int
chance_pick(struct scope *s, uint32_t *ord, int64_t *of, struct err *e)
{
	int64_t again;

	*ord = 0;
	if (walk(s, 0, ord, of, e) < 0)
		return -1;
	if (!*of)
		return 0;
	return walk(s, (int64_t)(id_random() % (uint64_t)*of) + 1, ord, &again,
	    e);
}
