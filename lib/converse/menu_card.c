#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapter/client.h"
#include "adapter/consent.h"
#include "converse/card_show.h"
#include "converse/converse.h"
#include "converse/menu.h"
#include "converse/visit.h"
#include "core/err.h"
#include "core/mem.h"
#include "discord/ballot.h"
#include "store/approval.h"
#include "store/card.h"
#include "store/task.h"

enum { FORM_MAX = APPROVAL_REMARK_MAX / 4 }; /* letters, of 4 bytes at most */

static const char dead[] = "that can't be decided here any more";

/* An approval that somebody wants to decide by its card. */
struct pressed {
	struct context who;
	char place[PLACE_LEN], ids[PLACE_LEN];
	struct approval_row row;
};

/*
 * They are where the card is. For one in direct messages that is not the place
 * of its task, but as good as that: nobody but the person asked is there.
 */
static void
look_where(struct visit *v, struct pressed *p, const struct card *card)
{
	p->who = menu_who(v);
	if (!v->x.direct || strcmp(card->channel, v->x.channel) != 0 ||
	    strcmp(p->row.asked, v->x.user) != 0)
		return;
	snprintf(p->place, sizeof(p->place), "%s", p->row.place);
	place_read(&p->who.location, p->place, p->ids);
}

/* Is it the message that its card is? */
static bool
is_card(const struct visit *v, const struct card *card)
{
	return v->x.message && strcmp(card->message, v->x.message) == 0 &&
	       strcmp(card->channel, v->x.channel) == 0;
}

/* Fill in who and what; or ERR_INPUT, ERR_DENIED, ERR_REFUSED in words. */
static int
find(struct visit *v, struct pressed *p, struct err *e)
{
	struct store *s = &v->c->tasks;
	struct card card = {0};
	int got;

	if (approval_find(&p->row, s, v->card, NULL, e) < 0)
		return e->kind == ERR_INPUT ? err_set(e, ERR_INPUT, "%s", dead)
					    : -1;
	got = card_get(s, v->card, &card, e);
	look_where(v, p, &card);
	approval_drop(&p->row);
	if (got < 0)
		return -1;
	if (approval_find(&p->row, s, v->card, &p->who, e) < 0)
		return e->kind == ERR_INPUT ? err_set(e, ERR_INPUT, "%s", dead)
					    : -1;
	if (!p->row.decided && (!got || !is_card(v, &card)))
		return err_set(e, ERR_INPUT, "%s", dead);
	return 0;
}

/* What the card says from now on. */
static int
show(struct visit *v, size_t page, bool sure, struct err *e)
{
	struct approval_row row;

	if (approval_find(&row, &v->c->tasks, v->card, NULL, e) < 0)
		return -1;
	buf_clear(&v->edit);
	card_write(&v->edit,
	    &(struct card_view){.row = &row, .page = page, .sure = sure},
	    false);
	v->closes = row.decided;
	approval_drop(&row);
	return 0;
}

/* Their loop need not wait until it looks by itself. */
static void
hint(struct visit *v, const struct pressed *p)
{
	struct job *j = jobs_find(&v->c->jobs, p->row.x.task);

	if (j)
		client_hint(&j->client);
}

static int
decide(struct visit *v, struct pressed *p, enum decision_verdict verdict,
    const char *remark, struct err *e)
{
	int step = approval_decide(&v->c->tasks, v->card, &p->who, verdict,
	    remark, v->verb == BALLOT_SURE, e);

	hint(v, p);
	if (step < 0 && e->kind != ERR_REFUSED)
		return -1;
	if (step < 0 && menu_excuse(v, e) < 0)
		return -1;
	return show(v, 0, step == APPROVAL_CONFIRM, e);
}

/* Choose those that `chosen` marks, by their places. */
static int
choose(struct visit *v, struct pressed *p, const bool *chosen, struct err *e)
{
	int64_t *places = mem_array(p->row.x.count, sizeof(*places));
	struct approval_choice c = {.places = places};
	int rc = 0;

	for (size_t i = 0; i < p->row.x.count; i++)
		if (chosen[i])
			places[c.place_count++] = (int64_t)i + 1;
	if (c.place_count)
		rc = approval_choose(&v->c->tasks, v->card, &p->who, &c, e);
	else
		buf_str(&v->text, "Choose at least one. To have none of them "
				  "done, deny it.");
	free(places);
	return rc < 0 ? -1 : show(v, v->page, false, e);
}

static bool
is_picked(const struct visit *v, size_t number)
{
	const char *value;

	for (size_t i = 0; (value = interaction_value(&v->x, i)) != NULL; i++)
		if (strtoull(value, NULL, 10) == number)
			return true;
	return false;
}

/* The menu of a page says which of its items; the others stay as they are. */
static int
choose_items(struct visit *v, struct pressed *p, struct err *e)
{
	const size_t first = v->page * BALLOT_OPTIONS;

	for (size_t i = first; i < p->row.x.count && i < first + BALLOT_OPTIONS;
	     i++)
		p->row.chosen[i] = is_picked(v, i + 1);
	return choose(v, p, p->row.chosen, e);
}

static int
choose_kinds(struct visit *v, struct pressed *p, struct err *e)
{
	const size_t count = p->row.x.count;
	size_t *kinds = mem_array(count, sizeof(*kinds));
	int rc;

	consent_kinds(&p->row.x, kinds);
	for (size_t i = 0; i < count; i++)
		p->row.chosen[i] = is_picked(v, kinds[i]);
	rc = choose(v, p, p->row.chosen, e);
	free(kinds);
	return rc;
}

static int
act(struct visit *v, struct pressed *p, struct err *e)
{
	switch (v->verb) {
	case BALLOT_APPROVE:
	case BALLOT_SURE: return decide(v, p, VERDICT_APPROVE, NULL, e);
	case BALLOT_DENY: return decide(v, p, VERDICT_DENY, NULL, e);
	case BALLOT_STOP: return decide(v, p, VERDICT_STOP, NULL, e);
	case BALLOT_CORRECT:
		return decide(v, p, VERDICT_CORRECT,
		    interaction_field(&v->x, "text"), e);
	case BALLOT_ITEMS: return choose_items(v, p, e);
	case BALLOT_KINDS: return choose_kinds(v, p, e);
	case BALLOT_BACK: return choose(v, p, p->row.chosen, e);
	case BALLOT_PAGE: return show(v, v->page, false, e);
	case BALLOT_NONE: break;
	}
	return err_set(e, ERR_INPUT, "%s", dead);
}

int
menu_card(struct visit *v, struct err *e)
{
	struct pressed p = {0};
	int rc = find(v, &p, e);

	if (rc == 0 && p.row.decided) /* say how, and let its card say it */
		rc = decide(v, &p, VERDICT_DENY, NULL, e);
	else if (rc == 0)
		rc = act(v, &p, e);
	approval_drop(&p.row);
	v->c->cards.stale = true;
	return rc < 0 ? menu_excuse(v, e) : 0;
}

bool
menu_is_card(struct visit *v)
{
	v->verb = ballot_read(v->x.name, v->card, &v->page);
	return v->verb != BALLOT_NONE;
}

int
menu_card_form(struct visit *v, struct err *e)
{
	struct pressed p = {0};
	struct buf data = {0};
	int rc = find(v, &p, e);

	approval_drop(&p.row);
	if (rc < 0)
		return menu_excuse(v, e) < 0 ? -1 : 0;
	ballot_form(&data, v->card, FORM_MAX);
	rc = menu_open(v, buf_text(&data), e);
	buf_release(&data);
	return rc < 0 ? -1 : 1;
}
