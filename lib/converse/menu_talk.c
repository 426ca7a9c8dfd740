#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "converse/converse.h"
#include "converse/menu.h"
#include "converse/visit.h"
#include "core/clock.h"
#include "core/crash.h"
#include "core/err.h"
#include "deliver/deliver.h"
#include "core/id.h"
#include "discord/parts.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "record/turn.h"
#include "store/address.h"
#include "store/collaborator.h"
#include "store/inbox.h"
#include "store/intake.h"
#include "store/receipt.h"
#include "store/stop.h"
#include "store/task.h"
#include "store/tell.h"

enum { TOKEN_MS = 15 * 60 * 1000 - 10000 }; /* and a little to be sure */

static const char go_on[] = "Go on.";

static void
claim_of(char out[40], const struct visit *v)
{
	snprintf(out, 40, "interaction:%s", v->x.id);
}

/* The file as in a message's `attachments`. */
static void
write_file(struct buf *b, const struct json *file)
{
	jsonw_array(b, NULL);
	if (file) {
		jsonw_object(b, NULL);
		jsonw_id(b, "id", parts_id(file, "id", NULL));
		jsonw_str(b, "name", parts_text(file, "filename", NULL));
		jsonw_str(b, "url", parts_text(file, "url", NULL));
		jsonw_int(b, "size", json_int(file, "size", 0));
		jsonw_opt(b, "type", parts_text(file, "content_type", NULL));
		jsonw_end_object(b);
	}
	jsonw_end_array(b);
}

/* Put a turn into the inbox, with where its outcome goes. */
static int
let_in(struct visit *v, struct turn *t, const struct address *to, struct err *e)
{
	struct converse *c = v->c;
	char claim[40];
	int64_t asked_ms = clock_now_ms();
	int rc = -1;

	claim_of(claim, v);
	id_new(v->turn);
	t->id = v->turn;
	if (store_begin(&c->tasks, e) == 0)
		rc = inbox_add(&c->tasks, claim, t, asked_ms, false, e);
	if (rc > 0)
		rc = address_add(&c->tasks, v->turn, to, e);
	CRASH_POINT("menu.turn");
	if (rc == 0)
		rc = store_commit(&c->tasks, e);
	store_rollback(&c->tasks);
	CRASH_POINT("menu.turn.done");
	c->jobs.stale = true;
	return rc;
}

/* The state of a task that is theirs to correct, or -1. */
static int
may_tell(struct store *s, const char *task, const struct context *who,
    struct err *e)
{
	struct task_scan scan = {0};
	struct task row;
	struct err other = {0};
	char id[ID_LEN + 1];
	bool found = false;
	int state = -1;

	if (task_get(&scan, s, task, who, &row, e) == 0)
		state = (int)row.state;
	task_end(&scan);
	if (state >= 0 || e->kind != ERR_INPUT)
		return state;
	snprintf(id, sizeof(id), "%s", task);
	state = collaborator_state(s, id, who, &found, &other);
	if (found || other.kind)
		*e = other;
	return state;
}

/* Correct a task that is one's own, or where one may: its state, or -1. */
static int
tell_task(struct visit *v, const char *task, const char *text, struct err *e)
{
	struct store *s = &v->c->tasks;
	const struct context who = menu_who(v);
	char claim[40];
	int64_t n;
	int state = -1, rc = -1;

	claim_of(claim, v);
	if (store_begin(s, e) == 0)
		state = may_tell(s, task, &who, e);
	rc = state < 0 ? -1 : 0;
	if (state == TASK_RUNNING || state == TASK_PAUSED) {
		rc = intake_claim(s, claim, task, clock_now_ms(), e);
		if (rc > 0)
			rc = tell(s, task, TOLD_STEER, &who, text, NULL, &n, e);
		CRASH_POINT("menu.steer");
		if (rc == 0)
			rc = store_commit(s, e);
	}
	store_rollback(s);
	CRASH_POINT("menu.steer.done");
	return rc < 0 ? -1 : state;
}

static int
say_told(struct visit *v, int state, struct err *e)
{
	if (state < 0)
		return menu_excuse(v, e);
	buf_str(&v->text, state == TASK_RUNNING ? "I take that into account."
			  : state == TASK_PAUSED
			      ? "The task is paused; I take that into "
				"account when you resume it."
			      : "That task has ended. To go on with it, "
				"use /talk with its task_id.");
	return 0;
}

/* The state of a task that is one's own, and whom it is for; or -1. */
static int
state_of(struct visit *v, const char *task, enum visibility *whom,
    struct err *e)
{
	const struct context who = menu_who(v);
	struct task_scan scan = {0};
	struct task row;
	int state = -1;

	if (task_get(&scan, &v->c->tasks, task, &who, &row, e) == 0) {
		state = (int)row.state;
		*whom = row.visibility;
	}
	task_end(&scan);
	return state;
}

/* Its token is of use from when it was made, however late it was heard. */
static int64_t
until_ms(const struct visit *v)
{
	int64_t made_ms = clock_now_ms();
	uint64_t id;

	if (snowflake_read(&id, v->x.id) == 0 && snowflake_ms(id) < made_ms)
		made_ms = snowflake_ms(id);
	return made_ms + TOKEN_MS;
}

/* The outcome becomes the answer to the interaction. */
static struct address
address_of(const struct visit *v)
{
	return (struct address){
	    .channel = v->x.channel,
	    .application = v->x.application,
	    .token = v->x.token,
	    .until_ms = until_ms(v),
	    .ephemeral = v->ephemeral,
	};
}

/*
 * What a turn may read is for whoever its task is for, even if this one answer
 * is for one person: a later turn builds on it, and may be said to all.
 */
static int
ask(struct visit *v, const char *text, const char *task, enum visibility whom,
    struct err *e)
{
	const struct interaction *x = &v->x;
	const struct context who = menu_who(v);
	const char *mode = interaction_option(x, "approval_mode");
	const struct address to = address_of(v);
	struct buf files = {0};
	struct turn turn = {
	    .actor = who.actor,
	    .location = who.location,
	    .visibility = whom,
	    .text = text,
	    .task = task,
	    .approval = mode && strcmp(mode, "auto") == 0 ? APPROVAL_AUTO
							  : APPROVAL_ASK,
	};
	int rc;

	write_file(&files, interaction_file(x, "attachment"));
	turn.attachments.text = buf_text(&files);
	rc = let_in(v, &turn, &to, e);
	buf_release(&files);
	return rc;
}

int
menu_talk(struct visit *v, struct err *e)
{
	const char *text = interaction_option(&v->x, "message");
	const char *task = interaction_option(&v->x, "task_id");
	const bool file = interaction_file(&v->x, "attachment") != NULL;
	enum visibility whom = v->ephemeral || !v->x.guild ? VISIBILITY_PRIVATE
							   : VISIBILITY_PUBLIC;
	int state = -1;

	if (interaction_flag(&v->x, "handoff", false)) {
		if (menu_take_over(v, task, e) < 0)
			return menu_excuse(v, e);
		if (!text && !file)
			return 0;
		buf_clear(&v->text);
	}
	if (task &&
	    (!id_valid(task) || (state = state_of(v, task, &whom, e)) < 0)) {
		if (!e->kind)
			task_missing(task, e);
		return menu_excuse(v, e);
	}
	if (!text && !file && !task) {
		buf_str(&v->text, "Say something, or attach a file.");
		return 0;
	}
	if (state == TASK_RUNNING)
		return say_told(v, tell_task(v, task, text ? text : go_on, e),
		    e);
	if (!text)
		text = task ? go_on : "(Only a file, without words.)";
	return ask(v, text, task, whom, e);
}

static int
none_here(struct visit *v)
{
	buf_str(&v->text, "No task of yours is at work here.");
	return 0;
}

int
menu_resume(struct visit *v, struct err *e)
{
	const struct context who = menu_who(v);
	const struct address to = v->update ? (struct address){
						.channel = v->x.channel,
						.request = v->x.message,
					    }
					  : address_of(v);
	char task[ID_LEN + 1];
	struct turn turn = {
	    .actor = who.actor,
	    .location = who.location,
	    .text = go_on,
	    .task = task,
	};
	int state;

	if (menu_task(v, task, e) < 0)
		return menu_excuse(v, e);
	if (!*task)
		return none_here(v);
	state = state_of(v, task, &turn.visibility, e);
	if (state < 0)
		return menu_excuse(v, e);
	if (state == TASK_RUNNING || jobs_find(&v->c->jobs, task)) {
		buf_str(&v->text, "It is at work already.");
		return 0;
	}
	if (state == TASK_COMPLETED) {
		buf_str(&v->text, "It is done. To go on with it, reply to its "
				  "answer.");
		return 0;
	}
	if (receipt_settled(&v->c->tasks, task, e) < 0)
		return menu_excuse(v, e); /* a turn would only say the same */
	return let_in(v, &turn, &to, e);
}

int
menu_steer(struct visit *v, struct err *e)
{
	const char *text = v->x.kind == INTERACTION_MODAL
			       ? interaction_field(&v->x, "text")
			       : interaction_option(&v->x, "text");
	const struct context who = menu_who(v);
	char task[ID_LEN + 1];
	bool found;

	if (menu_task(v, task, e) < 0)
		return menu_excuse(v, e);
	if (!*task &&
	    collaborator_state(&v->c->tasks, task, &who, &found, e) < 0 &&
	    e->kind)
		return -1;
	if (!*task)
		return none_here(v);
	if (!text || !*text) {
		buf_str(&v->text, "Say what should be done otherwise.");
		return 0;
	}
	return say_told(v, tell_task(v, task, text, e), e);
}

/* Call off what one has asked for here and was not begun: 1, 0 or -1. */
static int
call_off(struct visit *v, struct err *e)
{
	struct store *s = &v->c->tasks;
	const struct context who = menu_who(v);
	char turn[ID_LEN + 1] = "";
	int got = -1;

	if (store_begin(s, e) == 0)
		got = inbox_of(s, &who, turn, e);
	if (got > 0)
		got = inbox_cancel(s, turn, e);
	CRASH_POINT("menu.call_off");
	if (got > 0 && store_commit(s, e) < 0)
		got = -1;
	CRASH_POINT("menu.call_off.done");
	store_rollback(s);
	if (got > 0)
		jobs_cancel(&v->c->jobs, turn);
	return got;
}

int
menu_stop(struct visit *v, struct err *e)
{
	const struct context who = menu_who(v);
	char task[ID_LEN + 1];
	int done;

	if (menu_task(v, task, e) < 0)
		return menu_excuse(v, e);
	if (!*task) {
		done = call_off(v, e);
		if (done > 0)
			buf_str(&v->text, "What you asked for last was not "
					  "begun yet, and will not be.");
		if (done != 0)
			return done < 0 ? -1 : 0;
		if (menu_task(v, task, e) < 0) /* it may have begun just now */
			return -1;
	}
	if (!*task)
		return none_here(v);
	done = stop_task(&v->c->tasks, task, &who, e);
	if (done < 0)
		return menu_excuse(v, e);
	deliver_again(&v->c->deliver); /* whoever asked is told */
	buf_str(&v->text, done == STOP_TOLD
			      ? "I stop as soon as what is under way "
				"is settled."
			  : done == STOP_CANCELLED ? "It is stopped."
						   : "It had ended before.");
	return 0;
}
