#include "runtime/tend.h"

#include <stdio.h>
#include <string.h>

#include "access/handoff.h"
#include "core/buf.h"
#include "core/clock.h"
#include "core/err.h"
#include "core/id.h"
#include "record/context.h"
#include "store/base.h"
#include "store/collaborator.h"
#include "store/describe.h"
#include "store/forget.h"
#include "store/recovery.h"
#include "store/settings.h"
#include "store/stop.h"
#include "store/task.h"

enum { DAY_MS = 86400000 };

static const struct context me = {.actor = {"local", "operator"}};

/* Open the tasks; 0 and none open if there is no store yet, and none made. */
static int
open_tasks(struct store *s, enum store_mode mode, struct err *e)
{
	int there = store_exists("tasks", e);

	if (there <= 0)
		return there;
	return store_open(s, "tasks", mode, e) < 0 ? -1 : 1;
}

/* Of one task; 0 or -1. */
static int
open_for(struct store *s, const char *id, struct err *e)
{
	int there = open_tasks(s, STORE_WRITE, e);

	if (there == 0)
		return task_missing(id, e);
	return there < 0 ? -1 : 0;
}

/* The same, and look the task up. */
static int
open_task(struct store *s, struct task_scan *scan, const char *id,
    struct task *t, struct err *e)
{
	return open_for(s, id, e) < 0 ? -1 : task_get(scan, s, id, &me, t, e);
}

static int
add_tasks(struct buf *b, struct store *s, const struct task_filter *f,
    bool json, struct err *e)
{
	struct task_scan scan = {0};
	struct task t;
	int row, n = 0;

	task_list(&scan, s, f, &me);
	while ((row = task_next(&scan, &t, e)) > 0) {
		if (json)
			task_write(b, &t);
		else
			describe_line(b, &t);
		n++;
	}
	task_end(&scan);
	return row < 0 ? -1 : n;
}

int
tend_list(struct buf *b, const struct task_filter *f, bool json, struct err *e)
{
	struct store s = {0};
	int n = open_tasks(&s, STORE_READ, e);

	if (n > 0)
		n = add_tasks(b, &s, f, json, e);
	store_close(&s);
	return n;
}

int
tend_show(struct buf *b, const char *id, bool json, struct err *e)
{
	struct task_scan scan = {0};
	struct store s = {0};
	struct task t;
	int rc = open_task(&s, &scan, id, &t, e);

	if (rc == 0 && json)
		task_write(b, &t);
	else if (rc == 0)
		rc = describe_task(b, &s, &t, e);
	task_end(&scan);
	store_close(&s);
	return rc;
}

int
tend_export(const char *id, bool contents, export_fn *put, void *ctx,
    struct err *e)
{
	struct task_scan scan = {0};
	struct store s = {0};
	struct task t;
	int rc = open_task(&s, &scan, id, &t, e);

	task_end(&scan);
	if (rc == 0)
		rc = export_task(&s, id, contents, put, ctx, e);
	store_close(&s);
	return rc;
}

int
tend_resume(struct buf *text, const char *id, struct err *e)
{
	struct task_scan scan = {0};
	struct store s = {0};
	struct task t;
	int rc = open_task(&s, &scan, id, &t, e);

	/* A profile without a model knows no going on: it is asked again. */
	if (rc == 0 && !text->len)
		buf_str(text, strcmp(t.profile, "extractive") == 0
				  ? t.objective
				  : "Go on with this task.");
	task_end(&scan);
	store_close(&s);
	return rc;
}

typedef int task_fn(struct store *s, const char *id, const struct context *who,
    struct err *e);

static int
do_to(const char *id, task_fn *what, struct err *e)
{
	struct store s = {0};
	int rc = open_for(&s, id, e);

	if (rc == 0)
		rc = what(&s, id, &me, e);
	store_close(&s);
	return rc;
}

int
tend_stop(const char *id, struct err *e)
{
	return do_to(id, stop_task, e);
}

int
tend_steer(const char *id, const char *text, struct err *e)
{
	struct store s = {0};
	int rc = open_for(&s, id, e);

	if (rc == 0)
		rc = steer_task(&s, id, text, &me, e);
	store_close(&s);
	return rc;
}

int
tend_collaborate(const char *id, const char *user, bool may, struct err *e)
{
	struct store s = {0};
	int rc = open_for(&s, id, e);

	if (rc == 0)
		rc = may ? collaborator_add(&s, id, user, &me, e)
			 : collaborator_remove(&s, id, user, &me, e);
	store_close(&s);
	return rc;
}

/* The place as it is written. */
static int
read_place(struct location *l, const char *place, char ids[PLACE_LEN],
    struct err *e)
{
	char again[PLACE_LEN];
	uint64_t id;

	place_read(l, place, ids);
	place_text(again, l);
	if (l->kind == LOCATION_LOCAL || strcmp(again, place) != 0 ||
	    snowflake_read(&id, l->channel) < 0 ||
	    (l->guild && snowflake_read(&id, l->guild) < 0))
		return err_set(e, ERR_INPUT,
		    "a place is guild:GUILD:CHANNEL or dm:CHANNEL");
	return 0;
}

int
tend_handoff(const char *id, const char *place, struct err *e)
{
	struct task_scan scan = {0};
	struct store s = {0};
	struct context to = {0};
	char ids[PLACE_LEN], owner[PLACE_LEN] = "";
	struct task t;
	int rc = read_place(&to.location, place, ids, e);

	if (rc == 0)
		rc = open_task(&s, &scan, id, &t, e);
	if (rc == 0)
		snprintf(owner, sizeof(owner), "%s", t.owner);
	task_end(&scan);
	to.actor.id = owner;
	if (rc == 0 && strcmp(owner, "local") == 0)
		rc = err_set(e, ERR_REFUSED,
		    "task %s is of this terminal: nobody in Discord has it",
		    id);
	if (rc == 0)
		rc = handoff_task(&s, id, &to, false, e);
	store_close(&s);
	return rc;
}

int
tend_forget(const char *id, struct err *e)
{
	return do_to(id, forget_task, e);
}

int64_t
tend_prune(struct err *e)
{
	struct settings settings;
	struct store s = {0};
	int64_t days, n;

	if (settings_open(&settings, e) < 0)
		return -1;
	days = settings_int(&settings, "retention.tasks");
	settings_close(&settings);
	n = days ? open_tasks(&s, STORE_WRITE, e) : 0;
	if (n > 0)
		n = forget_before(&s, clock_now_ms() - days * DAY_MS, e);
	store_close(&s);
	return n;
}

int
tend_recover(struct recovered *found, struct err *e)
{
	struct store s = {0};
	int rc = open_tasks(&s, STORE_WRITE, e);

	if (rc > 0)
		rc = recovery_run(&s, found, e);
	store_close(&s);
	return rc;
}
