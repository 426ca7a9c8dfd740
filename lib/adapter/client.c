#include "adapter/client.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "core/crash.h"
#include "core/home.h"
#include "core/poll.h"
#include "ext/json.h"
#include "record/control.h"
#include "record/error.h"
#include "record/paused.h"
#include "record/turn.h"
#include "store/base.h"
#include "store/tell.h"

enum { CLIENT_LINE_MAX = 4 << 20 }; /* an answer, escaped, and its sources */

/* Why the turn failed; an error with an id is only a call's. */
static void
note_error(struct client *c, const struct json *record)
{
	struct error x;
	struct err e = {0};

	if (error_read(&x, record, &e) == 0 && !x.id)
		err_set(&c->error, x.kind, "%s", x.text);
}

static void
note_done(struct client *c, const struct json *record)
{
	struct done d;
	struct err e = {0};

	if (done_read(&d, record, &e) < 0)
		return;
	c->done = true;
	c->verdict = d.verdict;
	snprintf(c->reason, sizeof(c->reason), "%s", d.reason ? d.reason : "");
}

static void
note_paused(struct client *c, const struct json *record)
{
	struct paused p;
	struct err e = {0};

	if (paused_read(&p, record, &e) < 0)
		return;
	err_set(&c->error,
	    p.reason == PAUSED_APPROVAL  ? ERR_APPROVAL
	    : p.reason == PAUSED_UNKNOWN ? ERR_UNKNOWN
					 : ERR_AGAIN,
	    "paused: %s", p.text);
}

/* The record as an event: its kind, and the field that says what. */
static struct client_event
event_of(const struct json *record, const char *line, size_t len)
{
	static const struct {
		const char *type, *field;
		enum client_kind kind;
	} known[] = {
	    {"task", "id", CLIENT_TASK},
	    {"progress", "text", CLIENT_PROGRESS},
	    {"call", "capability", CLIENT_CALL},
	    {"delta", "text", CLIENT_DELTA},
	    {"answer", "text", CLIENT_ANSWER},
	    {"approval", "id", CLIENT_APPROVAL},
	    {"decision", "approval", CLIENT_DECISION},
	};
	struct client_event x = {.text = "", .line = line, .len = len};
	const char *type = json_string(record, "type"), *text;

	for (size_t i = 0; type && i < sizeof(known) / sizeof(known[0]); i++) {
		if (strcmp(known[i].type, type) != 0)
			continue;
		text = json_string(record, known[i].field);
		x.kind = known[i].kind;
		x.text = text ? text : "";
	}
	return x;
}

static void
on_line(void *ctx, const char *text, size_t len, const struct err *bad)
{
	struct client *c = ctx;
	struct json *record = NULL;
	struct client_event x;
	struct err e = {0};
	const char *type;

	if (bad)
		e = *bad;
	if (bad || json_object(&record, text, len, &e) < 0) {
		err_in(&e, "sophia-loop");
		e.kind = ERR_INTERNAL;
		c->error = e;
		child_cancel(&c->child);
		return;
	}
	type = json_string(record, "type");
	if (type && strcmp(type, "error") == 0)
		note_error(c, record);
	else if (type && strcmp(type, "done") == 0)
		note_done(c, record);
	else if (type && strcmp(type, "paused") == 0)
		note_paused(c, record);
	else if (type && strcmp(type, "answer") == 0)
		c->none = !json_bool(record, "found", true);
	x = event_of(record, text, len);
	if (x.kind == CLIENT_TASK)
		snprintf(c->task, sizeof(c->task), "%s", x.text);
	c->heard(c->ctx, &x);
	json_free(record);
}

static void
on_ended(void *ctx)
{
	struct client *c = ctx;
	struct err e = {0};

	c->ended = true;
	if (c->done || c->error.kind)
		return;
	if (c->child.cancelled)
		err_set(&e, ERR_AGAIN, "interrupted%s%s",
		    *c->task ? "; go on with: sophia task resume " : "",
		    c->task);
	else if (child_verdict(&c->child, &e) >= 0)
		err_set(&e, ERR_INTERNAL,
		    "sophia-loop ended without a verdict");
	c->error = e;
}

int
client_start(struct client *c, struct poll *p, const struct turn *t,
    struct err *e)
{
	char path[PATH_MAX];
	const char *argv[] = {path, NULL};
	struct buf line = {0};
	int result = -1;

	snprintf(path, sizeof(path), "%s/sophia-loop", home_bin());
	c->who = (struct context){.actor = t->actor, .location = t->location};
	if (environ_make(&c->env, ~0U, e) < 0)
		return -1;
	c->child = (struct child){
	    .what = {.argv = argv, .envp = (const char *const *)c->env.list},
	    .line_limit = CLIENT_LINE_MAX,
	    .line = on_line,
	    .ended = on_ended,
	    .ctx = c,
	};
	if (child_start(&c->child, p, e) < 0)
		goto out;
	turn_write(&line, t);
	result = child_send(&c->child, line.data, line.len - 1, e);
	if (result < 0 && e->kind == ERR_REFUSED) { /* its end says more */
		*e = (struct err){0};
		result = 0;
	}
out:
	buf_release(&line);
	if (result < 0)
		client_release(c);
	return result;
}

void
client_hint(struct client *c)
{
	const struct control hint = {.kind = CONTROL_HINT};
	struct buf line = {0};
	struct err e = {0};

	control_write(&line, &hint);
	child_send(&c->child, line.data, line.len - 1, &e);
	buf_release(&line);
}

int
client_stop(struct client *c, struct err *e)
{
	struct store s = {0};
	int64_t id;
	int result = -1;

	if (!*c->task)
		return err_set(e, ERR_AGAIN, "the turn has not begun yet");
	if (store_open(&s, "tasks", STORE_WRITE, e) < 0)
		return -1;
	CRASH_POINT("client.stop");
	if (store_begin(&s, e) == 0 &&
	    tell(&s, c->task, TOLD_STOP, &c->who, NULL, NULL, &id, e) == 0)
		result = store_commit(&s, e);
	store_rollback(&s);
	store_close(&s);
	if (result == 0)
		client_hint(c);
	return result;
}

void
client_kill(struct client *c)
{
	child_cancel(&c->child);
}

int
client_verdict(const struct client *c, struct err *e)
{
	if (c->done && c->verdict == DONE_ANSWERED)
		return !c->none;
	*e = c->error;
	if (c->done && c->verdict == DONE_CANCELLED)
		err_set(e, ERR_AGAIN, "stopped");
	if (!e->kind)
		err_set(e, ERR_INTERNAL, "no answer: %s", c->reason);
	return -1;
}

void
client_release(struct client *c)
{
	child_release(&c->child);
	environ_release(&c->env);
}
