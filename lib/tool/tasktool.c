#include "tool/tasktool.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "access/publication.h"
#include "core/buf.h"
#include "core/clock.h"
#include "core/crash.h"
#include "core/err.h"
#include "core/id.h"
#include "core/utf8.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "record/call.h"
#include "record/turn.h"
#include "store/address.h"
#include "store/approval.h"
#include "store/base.h"
#include "store/forget.h"
#include "store/inbox.h"
#include "store/receipt.h"
#include "store/stop.h"
#include "store/task.h"
#include "tool/meant.h"

enum { NAME = 100 /* bytes of an objective */ };

static const char *
argument(const struct call *c, const char *name)
{
	const char *text = json_string(c->arguments.tree, name);

	return text && *text ? text : NULL;
}

/* May what the model writes become known to those who see that task? */
static int
may_tell(struct store *s, const struct call *c, const struct meant *m,
    struct err *e)
{
	if (m->visibility == VISIBILITY_PRIVATE)
		return 0;
	return publication_check(s, NULL, &c->context, c->context.task,
	    c->context.location.channel, e);
}

static int
steer(struct store *s, const struct call *c, const struct meant *m,
    struct answer_parts *a, struct err *e)
{
	const char *text = argument(c, "text");
	int reads;

	if (!text)
		return err_set(e, ERR_INPUT,
		    "text: what is it to do otherwise?");
	if (!meant_fits(MEANT_STEER, m->state))
		return err_set(e, ERR_REFUSED,
		    "task %s is %s: it can be continued with a text", m->id,
		    task_state_word(m->state));
	if (may_tell(s, c, m, e) < 0)
		return -1;
	reads = steer_task(s, m->id, text, &c->context, e);
	if (reads < 0)
		return -1;
	buf_fmt(&a->summary,
	    reads ? "Task %s is told."
		  : "Task %s does not run; it is told when it is resumed.",
	    m->id);
	return 0;
}

static int
stop(struct store *s, const struct call *c, const struct meant *m,
    struct answer_parts *a, struct err *e)
{
	static const char *const words[] = {
	    [STOP_TOLD] = "will stop as soon as what it does is settled",
	    [STOP_CANCELLED] = "is cancelled",
	    [STOP_OVER] = "had ended before",
	};
	int done = stop_task(s, m->id, &c->context, e);

	if (done < 0)
		return -1;
	buf_fmt(&a->summary, "Task %s %s.", m->id, words[done]);
	return 0;
}

/* A turn that goes on with it waits in the inbox; once for each call. */
static int
put_turn(struct store *s, const struct call *c, const struct meant *m,
    struct err *e)
{
	const char *text = argument(c, "text");
	const struct address to = {.channel = c->context.location.channel};
	struct buf claim = {0};
	char id[ID_LEN + 1];
	const struct turn turn = {
	    .id = id,
	    .actor = c->context.actor,
	    .location = c->context.location,
	    .visibility = m->visibility,
	    .text = text ? text : "Go on.",
	    .task = m->id,
	    .approval = m->approval,
	};
	int rc;

	id_new(id);
	buf_fmt(&claim, "call:%s", c->id);
	rc = store_begin(s, e);
	if (rc == 0)
		rc = inbox_add(s, buf_text(&claim), &turn, clock_now_ms(),
		    false, e);
	if (rc > 0)
		rc = address_add(s, id, &to, e);
	CRASH_POINT("tasktool.continue");
	if (rc == 0)
		rc = store_commit(s, e);
	CRASH_POINT("tasktool.continue.done");
	store_rollback(s);
	buf_release(&claim);
	return rc;
}

static int
go_on(struct store *s, const struct call *c, const struct meant *m,
    struct answer_parts *a, struct err *e)
{
	char approval[ID_LEN + 1];
	int waits;

	if (!meant_fits(MEANT_CONTINUE, m->state))
		return err_set(e, ERR_REFUSED, "task %s is at work", m->id);
	if (receipt_settled(s, m->id, e) < 0 ||
	    (waits = approval_pending(s, m->id, approval, e)) < 0)
		return -1;
	if (waits)
		return err_set(e, ERR_REFUSED, "task %s waits for an approval",
		    m->id);
	if (c->context.location.kind == LOCATION_LOCAL)
		return err_set(e, ERR_REFUSED,
		    "on a terminal the person does that: sophia task resume %s",
		    m->id);
	if (argument(c, "text") && may_tell(s, c, m, e) < 0)
		return -1;
	if (put_turn(s, c, m, e) < 0)
		return -1;
	buf_fmt(&a->summary,
	    "Task %s goes on after this turn, and answers by itself.", m->id);
	return 0;
}

static int
read_action(const struct call *c, enum meant_for *action, struct err *e)
{
	static const char *const words[] = {
	    [MEANT_STEER] = "steer",
	    [MEANT_STOP] = "stop",
	    [MEANT_CONTINUE] = "continue",
	};
	const char *word = argument(c, "action");

	for (size_t i = 0; word && i < sizeof(words) / sizeof(words[0]); i++)
		if (strcmp(words[i], word) == 0) {
			*action = (enum meant_for)i;
			return 0;
		}
	return err_set(e, ERR_INPUT, "action: must be steer, stop or continue");
}

int
tasktool_control(void *ctx, const struct call *c, struct answer_parts *a,
    struct err *e)
{
	struct store *s = ctx;
	const char *id = argument(c, "task");
	struct meant m = {0};
	enum meant_for action = MEANT_STEER;
	int rc;

	if (read_action(c, &action, e) < 0 ||
	    task_may_keep(s, &c->context, e) < 0)
		return -1;
	rc = id ? meant_by_id(&m, s, c, id, e)
		: meant_by_words(&m, s, c, action, a, e);
	if (rc < 0)
		return -1;
	jsonw_object(&a->data, NULL);
	jsonw_str(&a->data, "task", m.id);
	jsonw_end_object(&a->data);
	switch (action) {
	case MEANT_STEER: return steer(s, c, &m, a, e);
	case MEANT_STOP: return stop(s, c, &m, a, e);
	case MEANT_CONTINUE: break;
	}
	return go_on(s, c, &m, a, e);
}

/* Can it be forgotten? Its objective is shown to whoever is asked. */
static int
propose(struct store *s, const struct call *c, const struct meant *m,
    struct proposal_parts *p, struct err *e)
{
	struct task_scan scan = {0};
	struct buf name = {0};
	struct task t;

	if (m->state == TASK_RUNNING)
		return err_set(e, ERR_REFUSED, "task %s is running", m->id);
	if (receipt_settled(s, m->id, e) < 0 ||
	    task_get(&scan, s, m->id, &c->context, &t, e) < 0)
		return -1;
	buf_add(&name, t.objective,
	    utf8_cut(t.objective, strlen(t.objective), NAME));
	buf_fmt(&p->text,
	    "forget the %s task %s (%s): all that is kept of it is deleted",
	    task_state_word(t.state), m->id, buf_text(&name));
	serve_target(p, &(struct proposal_target){.kind = PROPOSAL_TASK,
			    .id = m->id,
			    .name = buf_text(&name)});
	task_end(&scan);
	buf_release(&name);
	return 0;
}

static int
the_task(struct meant *m, struct store *s, const struct call *c, struct err *e)
{
	const char *id = argument(c, "task");

	if (!id)
		return err_set(e, ERR_INPUT, "task: is missing");
	return meant_by_id(m, s, c, id, e);
}

int
tasktool_forget_check(void *ctx, const struct call *c, struct proposal_parts *p,
    struct err *e)
{
	struct meant m = {0};

	if (the_task(&m, ctx, c, e) < 0)
		return -1;
	return propose(ctx, c, &m, p, e);
}

/* It is gone, though its bytes may have to wait for those who read. */
static bool
is_gone(struct store *s, const struct call *c, const char *id)
{
	struct task_scan scan = {0};
	struct err e = {0};
	struct task t;
	int rc = task_get(&scan, s, id, &c->context, &t, &e);

	task_end(&scan);
	return rc < 0 && e.kind == ERR_INPUT;
}

int
tasktool_forget_act(void *ctx, struct serve_act *w, struct answer_parts *a,
    struct err *e)
{
	struct err why = {0};
	struct meant m = {0};

	if (the_task(&m, ctx, w->call, e) < 0)
		return -1;
	if (forget_task(ctx, m.id, &w->call->context, &why) < 0 &&
	    (why.kind != ERR_AGAIN || !is_gone(ctx, w->call, m.id))) {
		*e = why;
		return -1;
	}
	buf_fmt(&a->summary, "Task %s is forgotten%s.", m.id,
	    why.kind ? "; its bytes are cleared when nobody reads them" : "");
	return 0;
}
