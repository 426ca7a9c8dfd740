/* /tasks: what of a task waits for its owner, and what they do about it. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "access/handoff.h"
#include "converse/converse.h"
#include "converse/menu.h"
#include "converse/visit.h"
#include "core/err.h"
#include "core/id.h"
#include "discord/escape.h"
#include "store/approval.h"
#include "store/attest.h"
#include "store/collaborator.h"
#include "store/forget.h"
#include "store/receipt.h"
#include "store/task.h"

enum { TOLD = 1500 }; /* bytes of what was to be changed */

/* Does nobody but its owner read this answer? */
static bool
is_alone(const struct visit *v)
{
	return v->ephemeral || !v->x.guild;
}

static int
put_unknown(struct visit *v, const char *task, struct err *e)
{
	struct receipt_scan scan = {0};
	struct receipt r;
	int row, n = 0;

	receipt_list(&scan, &v->c->tasks, task, true);
	while ((row = receipt_next(&scan, &r, e)) > 0) {
		buf_fmt(&v->text,
		    "**It is not known whether change %" PRId64 " happened",
		    r.call);
		if (is_alone(v)) {
			buf_str(&v->text, ":** ");
			escape_line(&v->text, r.text, TOLD);
			buf_char(&v->text, '\n');
		} else {
			buf_str(&v->text, ".**\n");
		}
		n++;
	}
	receipt_stop(&scan);
	if (n)
		buf_str(&v->text,
		    "Look whether it did, and say so by `/tasks` with this "
		    "task_id, an action and a text. Then it can be resumed.\n");
	return row;
}

static int
put_approval(struct visit *v, const char *task, struct err *e)
{
	const struct context who = menu_who(v);
	struct approval_row row = {0};
	char id[ID_LEN + 1];
	int there = approval_pending(&v->c->tasks, task, id, e);

	if (there <= 0)
		return there;
	buf_str(&v->text, "It waits until you decide, on its card");
	if (is_alone(v)) {
		there = approval_find(&row, &v->c->tasks, id, &who, e);
		if (there >= 0) {
			buf_str(&v->text, ": ");
			escape_line(&v->text, row.x.text, TOLD);
		}
		approval_drop(&row);
	}
	buf_str(&v->text, ".\n");
	return there;
}

static int
put_helpers(struct visit *v, const char *task, struct err *e)
{
	struct buf names = {0};
	int n = collaborator_mentions(&names, &v->c->tasks, task, e);

	if (n > 0)
		buf_fmt(&v->text, "May correct it, too: %s.\n",
		    buf_text(&names));
	buf_release(&names);
	return n < 0 ? -1 : 0;
}

int
menu_waits(struct visit *v, const char *task, struct err *e)
{
	if (put_unknown(v, task, e) < 0 || put_approval(v, task, e) < 0)
		return -1;
	return put_helpers(v, task, e);
}

/* The change meant: the one given, or the only one that must be settled. */
static int
which(struct visit *v, const char *task, int64_t *call, struct err *e)
{
	const char *given = interaction_option(&v->x, "change");
	struct receipt_scan scan = {0};
	struct receipt r;
	int row, n = 0;

	*call = given ? strtoll(given, NULL, 10) : 0;
	if (given)
		return 0;
	receipt_list(&scan, &v->c->tasks, task, true);
	while ((row = receipt_next(&scan, &r, e)) > 0) {
		*call = r.call;
		n++;
	}
	receipt_stop(&scan);
	if (row < 0 || n == 1)
		return row;
	return err_set(e, ERR_INPUT,
	    n ? "say which one, by its number: change"
	      : "of all its changes it is known what came of them");
}

static int
attest(struct visit *v, const char *task, bool happened, struct err *e)
{
	const struct context who = menu_who(v);
	const char *text = interaction_option(&v->x, "text");
	int64_t call;

	if (!text || !*text)
		return err_set(e, ERR_INPUT, "say what you saw, as text");
	if (which(v, task, &call, e) < 0 ||
	    attest_call(&v->c->tasks, task, call, &who, happened, text, e) < 0)
		return -1;
	buf_fmt(&v->text,
	    "It is on record that change %" PRId64 " %s. "
	    "Nothing was done again, and the task does not go on by itself.",
	    call, happened ? "happened" : "did not happen");
	return 0;
}

static int
do_happened(struct visit *v, const char *task, struct err *e)
{
	return attest(v, task, true, e);
}

static int
do_not(struct visit *v, const char *task, struct err *e)
{
	return attest(v, task, false, e);
}

/* It is said as it is, whatever it is: nothing of ours is broken by it. */
static void
on_looked(void *ctx)
{
	struct visit *v = ctx;

	if (v->look.error.kind) {
		buf_str(&v->text, "That could not be found out: ");
		escape_line(&v->text, v->look.error.text, TOLD);
	} else {
		buf_str(&v->text, buf_text(&v->look.text)); /* has links */
	}
	buf_char(&v->text, '.');
	visit_go_on(v);
}

static int
do_verify(struct visit *v, const char *task, struct err *e)
{
	const struct context who = menu_who(v);
	struct buf id = {0};
	int64_t call;
	int rc;

	if (!is_alone(v))
		return err_set(e, ERR_INPUT,
		    "what I find is for you alone: leave out ephemeral");
	if (which(v, task, &call, e) < 0)
		return -1;
	buf_fmt(&id, "%s.%" PRId64, task, call);
	v->look = (struct look){.over = on_looked, .ctx = v};
	rc = look_start(&v->look, &v->c->poll, buf_text(&id), &who, e);
	v->waits = rc == 0;
	buf_release(&id);
	return rc;
}

/* Its bytes may have to wait until nobody reads them any more. */
static int
do_forget(struct visit *v, const char *task, struct err *e)
{
	const struct context who = menu_who(v);
	struct err why = {0};

	if (!interaction_flag(&v->x, "confirm", false)) {
		buf_str(&v->text,
		    "That deletes all that is kept of it: what was said and "
		    "done, its notes and what it has read. It can't be undone. "
		    "To do it, say the same with confirm.");
		return 0;
	}
	if (forget_task(&v->c->tasks, task, &who, &why) == 0) {
		buf_str(&v->text, "It is forgotten.");
		return 0;
	}
	if (why.kind == ERR_AGAIN)
		return err_set(e, ERR_REFUSED, "%s", why.text);
	*e = why;
	return -1;
}

static int
do_invite(struct visit *v, const char *task, struct err *e)
{
	const struct context who = menu_who(v);
	const char *user = interaction_option(&v->x, "user");
	int done;

	if (!user)
		return err_set(e, ERR_INPUT, "say whom, as user");
	done = collaborator_add(&v->c->tasks, task, user, &who, e);
	if (done < 0)
		return -1;
	buf_fmt(&v->text,
	    "<@%s> may correct it here, by a reply or by /steer. After that "
	    "you are asked before each change.",
	    user);
	return 0;
}

static int
do_uninvite(struct visit *v, const char *task, struct err *e)
{
	const struct context who = menu_who(v);
	const char *user = interaction_option(&v->x, "user");
	int done;

	if (!user)
		return err_set(e, ERR_INPUT, "say whom, as user");
	done = collaborator_remove(&v->c->tasks, task, user, &who, e);
	if (done < 0)
		return -1;
	buf_fmt(&v->text, "<@%s> %s correct it.", user,
	    done ? "may no longer" : "could not");
	return 0;
}

static int
do_resume(struct visit *v, const char *task, struct err *e)
{
	(void)task;
	return menu_resume(v, e);
}

static int
do_stop(struct visit *v, const char *task, struct err *e)
{
	(void)task;
	return menu_stop(v, e);
}

static const struct action {
	const char *word;
	int (*work)(struct visit *v, const char *task, struct err *e);
} actions[] = {
    {"verify", do_verify},
    {"happened", do_happened},
    {"not", do_not},
    {"resume", do_resume},
    {"stop", do_stop},
    {"forget", do_forget},
    {"invite", do_invite},
    {"uninvite", do_uninvite},
};

int
menu_take_over(struct visit *v, const char *task, struct err *e)
{
	const struct context who = menu_who(v);
	struct err why = {0};

	if (!task)
		return err_set(e, ERR_INPUT, "say which task, by its task_id");
	if (!id_valid(task))
		return task_missing(task, e);
	if (handoff_task(&v->c->tasks, task, &who, true, &why) == 0) {
		buf_str(&v->text, "It is here now, for you alone.");
		return 0;
	}
	if (why.kind == ERR_AGAIN)
		return err_set(e, ERR_REFUSED, "%s", why.text);
	*e = why;
	return -1;
}

/* Is it a task of theirs here? Else why not, in *e. */
static int
is_theirs(struct visit *v, const char *task, struct err *e)
{
	const struct context who = menu_who(v);
	struct task_scan scan = {0};
	struct task row;
	int rc = task_get(&scan, &v->c->tasks, task, &who, &row, e);

	task_end(&scan);
	return rc;
}

int
menu_act(struct visit *v, const char *word, struct err *e)
{
	char task[ID_LEN + 1];
	size_t i = 0, n = sizeof(actions) / sizeof(actions[0]);

	while (i < n && strcmp(actions[i].word, word) != 0)
		i++;
	if (i == n || !interaction_option(&v->x, "task_id"))
		err_set(e, ERR_INPUT,
		    i == n ? "there is no such action"
			   : "say which task, by its task_id");
	else if (menu_task(v, task, e) == 0 && is_theirs(v, task, e) == 0 &&
		 actions[i].work(v, task, e) == 0)
		return 0;
	return menu_excuse(v, e);
}
