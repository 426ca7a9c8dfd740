#include "access/reading.h"

#include "core/err.h"

static uint64_t
needed(const struct realm_channel *c, bool history)
{
	bool voice = c->kind == CHANNEL_VOICE || c->kind == CHANNEL_STAGE;

	return PERMIT_VIEW | (history ? PERMIT_HISTORY : 0) |
	       (history && voice ? PERMIT_CONNECT : 0);
}

/* 1 if the user has all of need there, 0 if not, or not known. */
static int
has(struct realm *r, uint64_t user, const struct realm_channel *c,
    uint64_t need, struct err *e)
{
	uint64_t bits = 0;
	int got = realm_bits(r, user, c, &bits, e);

	return got <= 0 ? got : (bits & need) == need;
}

int
reading_place(struct reading *w, struct realm *r, uint64_t channel,
    struct err *e)
{
	int got = 0;

	w->here = realm_channel(r, channel);
	if (w->here)
		got = w->actor ? has(r, w->actor, w->here, PERMIT_VIEW, e) : 1;
	if (got == 0)
		return err_set(e, ERR_DENIED,
		    "it isn't known who can read this channel");
	return got < 0 ? -1 : 0;
}

int
reading_may(const struct reading *w, struct realm *r,
    const struct realm_channel *c, bool history, struct err *e)
{
	uint64_t need = needed(c, history);
	int got;

	if (w->here == c) /* whoever reads the answer is there */
		need = PERMIT_VIEW;
	if (w->actor && (got = has(r, w->actor, c, need, e)) <= 0)
		return got;
	if ((got = has(r, w->bot, c, need, e)) <= 0)
		return got;
	if (!w->here || w->here == c)
		return 1;
	if (c->kind == CHANNEL_PRIVATE_THREAD)
		return 0;
	got = crowd_covers(&r->crowd, &w->here->rules, &c->rules, need);
	if (!r->failed.kind)
		return got;
	*e = r->failed;
	return -1;
}
