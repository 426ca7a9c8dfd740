#include "converse/entry.h"

#include <stdio.h>
#include <string.h>

#include "access/admission.h"
#include "converse/hail.h"
#include "core/buf.h"
#include "core/clock.h"
#include "core/err.h"
#include "ext/jsonw.h"
#include "record/turn.h"
#include "store/address.h"
#include "store/base.h"
#include "store/collaborator.h"
#include "store/inbox.h"
#include "store/intake.h"
#include "store/settings.h"
#include "store/task.h"
#include "store/tell.h"
#include "store/tombstone.h"
#include "store/trail.h"

enum { HOUR_MS = 3600 * 1000 };

static bool
is_welcome(const struct entry *n, const struct hail *h)
{
	const struct applicant who = {
	    .user = h->author,
	    .guild = h->direct ? NULL : h->guild,
	    .bot = !h->human,
	    .roles = h->roles,
	};

	return admission_allows(n->settings, &who);
}

/* Was it written too long ago to be answered still? */
static bool
is_stale(const struct entry *n, const struct hail *h)
{
	const int64_t hours = settings_int(n->settings,
	    "discord.recover_hours");

	return snowflake_ms(h->message.id) < clock_now_ms() - hours * HOUR_MS;
}

/* The state of a task as its owner sees it, in its place; -1 for none. */
static int
state_of(const struct entry *n, const char *task, const struct turn *t,
    struct err *e)
{
	const struct context who = {.actor = t->actor, .location = t->location};
	struct task_scan scan = {0};
	struct task row;
	struct err none = {0};
	int state = -1;

	if (task_get(&scan, n->tasks, task, &who, &row, &none) == 0)
		state = (int)row.state;
	else if (none.kind != ERR_INPUT)
		*e = none;
	task_end(&scan);
	return state;
}

/*
 * The task at work is told what the message says, and which one that is: if it
 * is deleted, its words go.
 */
static int
steer(const struct entry *n, const char *task, const struct turn *t,
    const struct hail *h, const char *claim, struct err *e)
{
	const struct context who = {.actor = t->actor, .location = t->location};
	struct buf data = {0};
	int64_t row;
	int got = intake_claim(n->tasks, claim, t->id, clock_now_ms(), e);

	if (got <= 0)
		return got < 0 ? -1 : ENTERED_NOT;
	jsonw_object(&data, NULL);
	jsonw_str(&data, "message", h->id);
	jsonw_str(&data, "channel", h->channel);
	jsonw_end_object(&data);
	got = tell(n->tasks, task, TOLD_STEER, &who, t->text, buf_text(&data),
	    &row, e);
	buf_release(&data);
	return got < 0 ? -1 : ENTERED_STEER;
}

static int
let_in(const struct entry *n, const struct hail *h, const struct turn *t,
    const char *claim, bool late, struct err *e)
{
	const struct address to = {.channel = h->channel, .request = h->id};
	const int64_t asked_ms = snowflake_ms(h->message.id);
	int got = inbox_add(n->tasks, claim, t, asked_ms, late, e);

	if (got <= 0)
		return got < 0 ? -1 : ENTERED_NOT;
	if (address_add(n->tasks, t->id, &to, e) < 0)
		return -1;
	return ENTERED_INBOX;
}

/* The same for somebody whom the owner of the task has named. */
static int
helped_state(const struct entry *n, char task[ID_LEN + 1], const struct turn *t,
    struct err *e)
{
	const struct context who = {.actor = t->actor, .location = t->location};
	bool found;

	return collaborator_state(n->tasks, task, &who, &found, e);
}

/*
 * Which way it takes: a task at work that it answers is steered, one that gave
 * its answer is gone on with, and all else that addresses Sophia is new.
 */
static int
decide(const struct entry *n, const struct hail *h, struct turn *t,
    char task[ID_LEN + 1], bool late, struct err *e)
{
	const bool called = h->direct || h->mentions || h->replies;
	char claim[40];
	enum trail_kind kind;
	int state = -1, helped = -1, found = 0;

	snprintf(claim, sizeof(claim), "message:%s", h->id);
	if (*h->answers)
		found = trail_find(n->tasks, h->answers, &kind, task, e);
	if (found > 0)
		state = state_of(n, task, t, e);
	if (found < 0 || e->kind)
		return -1;
	if (found > 0 && state < 0)
		helped = helped_state(n, task, t, e);
	if (e->kind)
		return -1;
	if (state == TASK_RUNNING || helped == TASK_RUNNING)
		return steer(n, task, t, h, claim, e);
	if (!called)
		return ENTERED_NOT;
	if (state >= 0 && kind != TRAIL_REQUEST)
		t->task = task;
	return let_in(n, h, t, claim, late, e);
}

/* Is a message deleted by now? It may be heard after that. */
static int
is_gone(const struct message *m, struct err *e)
{
	struct tombstones t = {0};
	struct buf link = {0};
	int gone;

	message_link(&link, m);
	gone = tombstones_link(&t, buf_text(&link), e);
	tombstones_close(&t);
	buf_release(&link);
	return gone;
}

int
entry_message(const struct entry *n, struct hail *h, bool late, struct err *e)
{
	char id[ID_LEN + 1], task[ID_LEN + 1];
	struct turn turn;
	int gone;

	if (!h->direct && !h->mentions && !h->replies && !*h->answers)
		return ENTERED_NOT;
	if (!is_welcome(n, h) || is_stale(n, h))
		return ENTERED_NOT;
	if ((gone = is_gone(&h->message, e)) != 0)
		return gone < 0 ? -1 : ENTERED_NOT;
	if (h->answered.id && (gone = is_gone(&h->answered, e)) != 0) {
		if (gone < 0)
			return -1;
		message_clear(&h->answered);
	}
	hail_turn(h, n->us, &turn);
	id_new(id);
	turn.id = id;
	return decide(n, h, &turn, task, late, e);
}
