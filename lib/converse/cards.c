#include "converse/cards.h"

#include <stdio.h>
#include <string.h>

#include "converse/card_errand.h"
#include "converse/converse.h"
#include "converse/visit.h"
#include "core/crash.h"
#include "core/err.h"
#include "core/mem.h"
#include "store/card.h"

int
cards_closed(struct converse *c, const char *approval, struct err *e)
{
	struct store *s = &c->tasks;

	CRASH_POINT("card.closed");
	if (store_begin(s, e) == 0 && card_closed(s, approval, e) == 0 &&
	    store_commit(s, e) == 0) {
		CRASH_POINT("card.closed.done");
		return 0;
	}
	store_rollback(s);
	return -1;
}

/* Is it under way, or being changed by somebody who presses its buttons? */
static bool
is_taken(const struct converse *c, const char *approval)
{
	for (const struct card_errand *x = c->cards.first; x; x = x->next)
		if (strcmp(x->card.approval, approval) == 0)
			return true;
	return visit_holds(c, approval);
}

static void
drop_those_over(struct cards *cards)
{
	struct card_errand **at = &cards->first;

	while (*at) {
		struct card_errand *x = *at;

		if (!x->over) {
			at = &x->next;
			continue;
		}
		*at = x->next;
		cards->count--;
		card_errand_free(x);
	}
}

/* 1 and *x, or 0 if what it is about is gone. */
static int
begin(struct converse *c, const struct card *card, struct card_errand **x,
    struct err *e)
{
	*x = mem_new(sizeof(**x));
	(*x)->c = c;
	(*x)->card = *card;
	(*x)->next = c->cards.first;
	c->cards.first = *x;
	c->cards.count++;
	(*x)->over = true; /* unless it is begun */
	return card_errand_load(*x, e);
}

static int
post_wanted(struct converse *c, struct err *e)
{
	struct card_errand *x;
	struct card card = {0};
	int got = 0;

	while (c->cards.count < CARDS_AT_ONCE && !c->ending &&
	       (got = card_wanted(&c->tasks, card.approval, card.approval, e)) >
		   0) {
		if (is_taken(c, card.approval))
			continue;
		if ((got = begin(c, &card, &x, e)) < 0)
			break;
		x->over = !got;
		if (got)
			card_post(x);
	}
	return got < 0 ? -1 : 0;
}

static int
close_over(struct converse *c, struct err *e)
{
	struct card_errand *x;
	struct card card;
	char after[ID_LEN + 1] = "";
	int got = 0;

	while (c->cards.count < CARDS_AT_ONCE &&
	       (got = card_over(&c->tasks, after, &card, e)) > 0) {
		memcpy(after, card.approval, sizeof(after));
		if (is_taken(c, after))
			continue;
		if ((got = begin(c, &card, &x, e)) < 0)
			break;
		x->over = !got;
		if (got)
			card_close(x);
	}
	return got < 0 ? -1 : 0;
}

int
cards_tend(struct converse *c, struct err *e)
{
	if (!c->cards.stale)
		return 0;
	c->cards.stale = false;
	drop_those_over(&c->cards);
	return post_wanted(c, e) < 0 ? -1 : close_over(c, e);
}

void
cards_release(struct converse *c)
{
	for (struct card_errand *x = c->cards.first; x; x = x->next)
		x->over = true;
	drop_those_over(&c->cards);
	poll_stop_timer(&c->cards.again);
}
