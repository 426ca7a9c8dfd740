#include "up/up.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "core/buf.h"
#include "core/clock.h"
#include "core/file.h"
#include "core/home.h"
#include "core/log.h"
#include "ext/json.h"
#include "store/settings.h"
#include "tool/manifest.h"

enum { GATEWAY, FOLLOW, BACKFILL, SPARE, CONVERSE, SWEEP };

/* In the order of starting: who reads should miss as little as can be. */
static const struct ward table[UP_WARDS] = {
    [GATEWAY] = {.name = "gateway",
	.args = {"sophia-gateway", "--spool", "--json"},
	.needs = NEED_DISCORD,
	.grace_ms = 5000,
	.vital = true},
    [FOLLOW] = {.name = "index",
	.args = {"sophia-index", "follow"},
	.grace_ms = 5000},
    [BACKFILL] = {.name = "backfill",
	.args = {"sophia-backfill", "--queue", "--wait"},
	.needs = NEED_DISCORD,
	.grace_ms = 5000},
    [SPARE] = {.name = "spare",
	.args = {"sophia-sandbox", "spare"},
	.grace_ms = 5000},
    [CONVERSE] = {.name = "converse",
	.args = {"sophia-converse"},
	.needs = NEED_DISCORD | NEED_MODEL | NEED_SEARCH,
	.grace_ms = 15000,
	.vital = true},
    [SWEEP] = {.name = "sweep",
	.args = {"sophia-backfill", "--recent"},
	.needs = NEED_DISCORD,
	.grace_ms = 5000,
	.once = true},
};

static void
describe(const struct ward *w, struct up_child *c)
{
	*c = (struct up_child){
	    .name = w->name,
	    .state = ward_word(w->state),
	    .pid = ward_runs(w) ? (int)w->child.pid : 0,
	    .since_ms = w->since_ms,
	    .restarts = w->restarts,
	    .next_ms = w->next_ms,
	    .detail = w->detail[0] ? w->detail : NULL,
	    .error = w->fault.kind ? w->fault.text : NULL,
	};
}

static void
put_file(struct up *u, const struct up_status *now)
{
	char path[PATH_MAX];
	struct buf b = {0};
	struct err e = {0};

	up_status_write(&b, now);
	if (home_path(path, "run/up.json", &e) == 0)
		(void)file_replace(path, b.data, b.len, &e);
	if (e.kind && !u->mute) {
		u->said(u->ctx, "", 0);
		log_complain(&e);
	}
	u->mute = e.kind;
	buf_release(&b);
}

/* "STATUS=gateway up, index up, ..." */
static void
notify_status(const struct up *u, const struct up_status *now)
{
	struct buf b = {.limit = 1000};

	buf_str(&b, "STATUS=");
	for (int i = 0; i < now->count; i++)
		buf_fmt(&b, "%s%s %s", i ? ", " : "", now->children[i].name,
		    now->children[i].detail ? now->children[i].detail
					    : now->children[i].state);
	notify_say(&u->notify, buf_text(&b));
	buf_release(&b);
}

static void
report(void *ctx)
{
	struct up *u = ctx;
	struct up_status now = {.state = u->done       ? "stopped"
					 : u->stopping ? "stopping"
						       : "up",
	    .pid = (int)getpid(),
	    .at_ms = clock_now_ms(),
	    .since_ms = u->since_ms};

	for (int i = 0; i < UP_WARDS; i++)
		if (u->wards[i].state != WARD_IDLE)
			describe(&u->wards[i], &now.children[now.count++]);
	put_file(u, &now);
	notify_status(u, &now);
	u->told(u->ctx, &now);
}

/* Stop the last one that runs; when it has ended, this is called again. */
static void
stop_next(struct up *u)
{
	for (int i = UP_WARDS; i-- > 0;) {
		ward_stop(&u->wards[i]);
		if (ward_runs(&u->wards[i]))
			return;
	}
	u->done = true;
}

static void
stop_all(struct up *u)
{
	if (u->stopping)
		return;
	u->stopping = true;
	notify_say(&u->notify, "STOPPING=1");
	stop_next(u);
}

/* Nothing said takes the status line away. */
static void
complain(const struct up *u, const struct ward *w, const char *what)
{
	u->said(u->ctx, "", 0);
	log_warn("%s %s: %s", w->name, what, w->fault.text);
}

/* Is a container to be kept ready? */
static bool
wants_spare(void)
{
	struct settings settings = {0};
	struct err why = {0};
	bool wants = false;

	if (settings_open(&settings, &why) == 0)
		wants = strcmp(settings_text(&settings, "sandbox.enabled"),
			    "on") == 0 &&
			strcmp(settings_text(&settings, "sandbox.spare"),
			    "on") == 0;
	settings_close(&settings);
	return wants;
}

/* Start its keeper, or end it, as the settings say now. */
static void
follow_settings(struct up *u)
{
	struct ward *w = &u->wards[SPARE];

	if (!wants_spare())
		ward_stop(w);
	else if (w->state == WARD_IDLE || w->state == WARD_ENDED ||
		 w->state == WARD_FAILED)
		ward_start(w, &u->poll);
}

static void
on_change(void *ctx, struct ward *w)
{
	struct up *u = ctx;

	/* Several at once are one report. */
	poll_set_timer(&u->poll, &u->report, clock_boot_ms());
	if (w->state == WARD_FAILED && w->vital && !u->stopping) {
		u->fault = w->fault; /* which is said at the end */
		stop_all(u);
	} else if (w->state == WARD_FAILED)
		complain(u, w, "is not started again");
	else if (w->state == WARD_WAITING)
		complain(u, w, "ended and is started again");
	else if (w->state == WARD_ENDED && u->stopping && !u->done)
		stop_next(u);
}

/* What the gateway says of its session. */
static void
on_line(void *ctx, struct ward *w, const char *text, size_t len)
{
	struct up *u = ctx;
	struct json *v = NULL;
	const char *state, *more;
	struct err bad;

	if (w != &u->wards[GATEWAY] || json_object(&v, text, len, &bad) < 0)
		return;
	state = json_string(v, "state");
	more = json_string(v, "reason");
	if (state) {
		snprintf(w->detail, sizeof(w->detail), "%.32s%s%.100s", state,
		    more ? ": " : "", more ? more : "");
		poll_set_timer(&u->poll, &u->report, clock_boot_ms());
	}
	if (state && strcmp(state, "up") == 0 && !u->stopping &&
	    u->wards[SWEEP].state == WARD_IDLE)
		ward_start(&u->wards[SWEEP], &u->poll);
	json_free(v);
}

static void
on_words(void *ctx, const char *text, size_t len)
{
	struct up *u = ctx;

	u->said(u->ctx, text, len);
}

static void
on_signal(void *ctx, int sig)
{
	struct up *u = ctx;

	(void)sig;
	if (!u->stopping) {
		stop_all(u);
		return;
	}
	for (int i = 0; i < UP_WARDS; i++)
		ward_release(&u->wards[i]);
	u->done = true;
}

static void
on_news(void *ctx)
{
	struct up *u = ctx;

	for (int i = 0; i < UP_WARDS && !u->stopping; i++)
		if (i != SPARE && u->wards[i].state == WARD_FAILED)
			ward_start(&u->wards[i], &u->poll);
	if (!u->stopping)
		follow_settings(u);
}

static void
on_alive(void *ctx)
{
	struct up *u = ctx;

	notify_say(&u->notify, "WATCHDOG=1");
	poll_set_timer(&u->poll, &u->alive,
	    clock_boot_ms() + u->notify.watchdog_ms);
}

static int
own(struct up *u, struct err *e)
{
	char path[PATH_MAX];

	if (home_path(path, "run", e) < 0 || file_mkdirs(path, e) < 0 ||
	    home_path(path, "run/up.lock", e) < 0)
		return -1;
	if (lock_take(&u->lock, path, LOCK_EXCLUSIVE, 0, e) == 0)
		return 0;
	return e->kind != ERR_AGAIN
		   ? -1
		   : err_set(e, ERR_AGAIN, "another sophia up runs for %.400s",
			 home_state(e));
}

static void
start_all(struct up *u)
{
	u->since_ms = clock_now_ms();
	u->report = (struct poll_timer){.fire = report, .ctx = u};
	u->alive = (struct poll_timer){.fire = on_alive, .ctx = u};
	for (int i = 0; i < UP_WARDS; i++) {
		u->wards[i] = table[i];
		u->wards[i].changed = on_change;
		u->wards[i].line = on_line;
		u->wards[i].said = on_words;
		u->wards[i].ctx = u;
	}
	for (int i = 0; i < UP_WARDS && !u->stopping; i++)
		if (!u->wards[i].once && i != SPARE)
			ward_start(&u->wards[i], &u->poll);
	if (!u->stopping)
		follow_settings(u);
	u->news = (struct news){.changed = on_news, .ctx = u};
	news_start(&u->news, &u->poll);
	notify_say(&u->notify, "READY=1");
	if (u->notify.watchdog_ms)
		on_alive(u);
}

static void
release(struct up *u)
{
	poll_stop_timer(&u->report);
	poll_stop_timer(&u->alive);
	for (int i = 0; i < UP_WARDS; i++)
		ward_release(&u->wards[i]);
	news_stop(&u->news);
	signals_stop(&u->signals);
	notify_close(&u->notify);
	poll_release(&u->poll);
	lock_drop(&u->lock);
}

int
up_run(struct up *u, struct err *e)
{
	int rc = -1;

	u->signals = (struct signals){.got = on_signal, .ctx = u};
	notify_open(&u->notify);
	if (own(u, e) < 0 || signals_start(&u->signals, &u->poll, e) < 0)
		goto out;
	start_all(u);
	rc = poll_run(&u->poll, &u->done, POLL_NEVER, e);
	report(u);
	if (rc >= 0 && u->fault.kind) {
		*e = u->fault;
		rc = -1;
	}
out:
	release(u);
	return rc < 0 ? -1 : 0;
}
