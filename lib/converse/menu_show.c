#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "access/operator.h"
#include "access/outcome.h"
#include "converse/converse.h"
#include "converse/menu.h"
#include "converse/visit.h"
#include "core/clock.h"
#include "core/err.h"
#include "core/id.h"
#include "core/utf8.h"
#include "discord/escape.h"
#include "record/index_status.h"
#include "record/message.h"
#include "store/nth.h"
#include "store/parcel.h"
#include "store/survey.h"
#include "store/task.h"
#include "store/transcript.h"

enum {
	LISTED = 10,     /* tasks, calls */
	BRIEF = 80,      /* bytes of an objective in a list */
	SAID = 16 << 10, /* bytes of an outcome that is shown */
};

static void
put_task(struct buf *b, const struct task *t)
{
	buf_fmt(b, "`%s` %s%s%s, <t:%" PRId64 ":R>: ", t->id,
	    task_state_word(t->state), t->reason ? ", " : "",
	    t->reason ? t->reason : "", t->changed_ms / 1000);
	escape_line(b, t->objective, BRIEF);
	buf_char(b, '\n');
}

static int
list_tasks(struct visit *v, struct err *e)
{
	const struct context who = menu_who(v);
	const struct task_filter filter = {
	    .state = interaction_option(&v->x, "state"),
	    .limit = LISTED,
	};
	struct task_scan scan = {0};
	struct task row;
	int got;

	task_list(&scan, &v->c->tasks, &filter, &who);
	while ((got = task_next(&scan, &row, e)) > 0)
		if (v->ephemeral || !v->x.guild ||
		    row.visibility == VISIBILITY_PUBLIC)
			put_task(&v->text, &row);
	task_end(&scan);
	if (!v->text.len)
		buf_str(&v->text, filter.state
				      ? "You have no such task here."
				      : "You have no tasks to show here.");
	return got;
}

/* What was said last, if whoever reads it here may still read it. */
static int
put_answer(struct visit *v, const char *task, const struct buf *answer,
    struct err *e)
{
	struct err why = {0};

	buf_char(&v->text, '\n');
	if (outcome_check(&v->c->tasks, task,
		v->ephemeral || !v->x.guild ? NULL : v->x.channel, &why) == 0) {
		buf_add(&v->text, answer->data,
		    utf8_cut(answer->data, answer->len, SAID));
		return 0;
	}
	if (why.kind != ERR_DENIED && why.kind != ERR_AGAIN) {
		*e = why;
		return -1;
	}
	buf_str(&v->text, "Its answer is kept back: ");
	escape_line(&v->text, why.text, 0);
	return 0;
}

/* The calls so far, of which the last are shown, and what was said last. */
static int
put_course(struct visit *v, const char *task, bool said, struct err *e)
{
	struct transcript t = {0};
	struct buf calls = {0}, answer = {0};
	struct entry x;
	int64_t n = 0;
	int got;

	transcript_start(&t, &v->c->tasks, task);
	while ((got = transcript_next(&t, &x, e)) > 0) {
		if (x.kind == ENTRY_CALL) {
			buf_fmt(&calls, "%" PRId64 ". %s: %s\n", ++n, x.name,
			    x.state);
		} else if (x.kind == ENTRY_ANSWER) {
			buf_clear(&answer);
			buf_str(&answer, x.text);
		}
	}
	transcript_end(&t);
	for (; n > LISTED; n--)
		buf_drop(&calls, strcspn(buf_text(&calls), "\n") + 1);
	buf_str(&v->text, buf_text(&calls));
	if (got == 0 && said && answer.len)
		got = put_answer(v, task, &answer, e);
	buf_release(&calls);
	buf_release(&answer);
	return got;
}

/* Where what came of it did not arrive, it can be read here; and why it is. */
static int
put_lost(struct visit *v, const char *task, struct err *e)
{
	struct stmt scan = {0};
	const char *why;
	int row = parcel_lost(&scan, &v->c->tasks, task, &why, e);

	if (row > 0) {
		buf_str(&v->text, "What came of it did not arrive: ");
		escape_line(&v->text, why, 0);
		buf_str(&v->text, ".\n");
	}
	stmt_end(&scan);
	return row;
}

static int
put_one(struct visit *v, const char *task, bool said, struct err *e)
{
	const struct context who = menu_who(v);
	struct task_scan scan = {0};
	struct task row;
	int rc = task_get(&scan, &v->c->tasks, task, &who, &row, e);

	if (rc == 0)
		put_task(&v->text, &row);
	task_end(&scan);
	if (rc == 0 && (put_lost(v, task, e) < 0 || menu_waits(v, task, e) < 0))
		return -1;
	if (rc == 0)
		return put_course(v, task, said, e);
	return menu_excuse(v, e);
}

static int
show_one(struct visit *v, bool said, struct err *e)
{
	char task[ID_LEN + 1];

	if (menu_task(v, task, e) < 0)
		return menu_excuse(v, e);
	return put_one(v, task, said, e);
}

int
menu_tasks(struct visit *v, struct err *e)
{
	const char *action = interaction_option(&v->x, "action");
	const char *file = interaction_option(&v->x, "file_path");

	if (action)
		return menu_act(v, action, e);
	if (file)
		return menu_file(v, file, e);
	return interaction_option(&v->x, "task_id") ? show_one(v, true, e)
						    : list_tasks(v, e);
}

int
menu_details(struct visit *v, struct err *e)
{
	return show_one(v, false, e);
}

int
menu_ping(struct visit *v, struct err *e)
{
	const int64_t age_ms = clock_now_ms() - v->ear->at_ms;
	int waiting = jobs_waiting(&v->c->jobs, e);

	if (waiting < 0)
		return -1;
	buf_fmt(&v->text,
	    "Here. From Discord's event to this answer: %" PRId64
	    " ms. Tasks at work: %d; waiting: %d.",
	    age_ms < 0 ? 0 : age_ms, v->c->jobs.count, waiting);
	return 0;
}

/* What the index says, or that there is none. */
static int
no_index(struct visit *v, struct err *e)
{
	if (e->kind != ERR_CONFIG)
		return -1;
	buf_str(&v->text, "There is no index of messages yet.");
	*e = (struct err){0};
	return 0;
}

int
menu_nth(struct visit *v, struct err *e)
{
	struct message m = {0};
	struct store index = {0};
	const char *given = interaction_option(&v->x, "number");
	int64_t n = given ? strtoll(given, NULL, 10) : 0, total;
	int got = -1;

	if (store_open_index(&index, STORE_READ, e) < 0)
		return no_index(v, e);
	if (snowflake_read(&m.channel.id, v->x.channel) == 0)
		got = nth_message(&index, m.channel.id, n, &m.id, &total, e);
	store_close(&index);
	if (got > 0) {
		if (v->x.guild)
			(void)snowflake_read(&m.guild.id, v->x.guild);
		message_link(&v->text, &m);
	} else if (got == 0) {
		buf_fmt(&v->text,
		    "There is none: I know %" PRId64
		    " messages of this channel.",
		    total);
	}
	message_release(&m);
	return got < 0 ? -1 : 0;
}

int
menu_index(struct visit *v, struct err *e)
{
	struct index_status s = {0};
	struct store index = {0};
	char path[PATH_MAX];
	int rc;

	if (!operator_is(v->x.user)) {
		buf_str(&v->text, "That is for operators.");
		return 0;
	}
	if (store_open_index(&index, STORE_READ, e) < 0)
		return no_index(v, e);
	rc = survey_all(&index, &s, path, e);
	if (rc == 0)
		buf_fmt(&v->text,
		    "%" PRId64 " messages of %" PRId64 " people in %" PRId64
		    " channels of %" PRId64 " guilds; %" PRId64 " MiB.%s",
		    s.messages, s.authors, s.channels, s.guilds, s.bytes >> 20,
		    s.stale ? " It is of an older text analysis: run sophia "
			      "index rebuild."
			    : "");
	store_close(&index);
	return rc;
}
