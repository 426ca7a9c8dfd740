#include "discord/errands.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/mem.h"
#include "discord/rest.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "record/any.h"
#include "record/discord_answer.h"
#include "record/discord_request.h"
#include "record/error.h"

enum {
	ANSWER_MAX = REST_REPLY_MAX + (1 << 20), /* bytes of a record */
	ENOUGH = ERRANDS_MAX / 2, /* of those that wait: read on */
};

struct errand {
	struct errands *of;
	struct errand *next, **at;
	struct any line; /* what the request borrows from */
	struct buf body;
	struct rest_file files[REST_FILES];
	struct rest_call call;
	char *id;
};

static void
tell(struct errands *x, struct buf *records)
{
	if (!x->broken.kind)
		(void)x->told(x->ctx, records, &x->broken);
	buf_release(records);
}

static void
drop(struct errand *r)
{
	struct errands *x = r->of;

	*r->at = r->next;
	if (r->next)
		r->next->at = r->at;
	x->count--;
	rest_release(&r->call);
	any_release(&r->line);
	buf_release(&r->body);
	free(r->id);
	free(r);
	if (x->held && !x->ended && x->count < ENOUGH) {
		x->held = false;
		reader_hold(&x->reader, false);
	}
}

static void
keep_verdict(struct errands *x, enum err_kind kind, const char *text)
{
	if (kind)
		err_set(&x->failed, kind, "%s", text);
	else
		x->answers++;
}

static void
answer(struct errand *r, enum discord_outcome outcome,
    const struct verdict *verdict)
{
	struct buf out = {.limit = ANSWER_MAX};
	const struct rest_call *c = &r->call;
	struct json *body = NULL;
	struct err e = {0};
	bool is_json = c->reply.len &&
		       json_read(&body, c->reply.data, c->reply.len, &e) == 0;

	discord_answer_write(&out,
	    &(struct discord_answer){
		.id = r->id,
		.outcome = outcome,
		.status = c->status,
		.route = c->route.name,
		.body.tree = is_json ? body : NULL,
		.page = !is_json && c->reply.len ? c->reply.data : NULL,
		.kind = verdict->kind,
		.text = verdict->text,
		.code = verdict->code,
		.doubtful = c->doubtful,
		.waited_ms = c->waited_ms,
		.took_ms = c->took_ms,
	    });
	json_free(body);
	keep_verdict(r->of, verdict->kind, verdict->text);
	tell(r->of, &out);
}

static void
on_ended(void *ctx)
{
	static const enum discord_outcome outcomes[] = {
	    [REST_ANSWERED] = DISCORD_ANSWERED,
	    [REST_UNSENT] = DISCORD_UNSENT,
	    [REST_UNKNOWN] = DISCORD_UNKNOWN,
	};
	struct errand *r = ctx;

	answer(r, outcomes[r->call.end], &r->call.verdict);
	drop(r);
}

/* One that can be sent, and has an end: no pipe that nobody writes to. */
static int
check_file(const char *path, struct err *e)
{
	struct stat st;

	if (stat(path, &st) < 0 || access(path, R_OK) < 0)
		return err_sys(e, ERR_INPUT, "discord_request: %s", path);
	if (!S_ISREG(st.st_mode))
		return err_set(e, ERR_INPUT,
		    "discord_request: %s is no plain file", path);
	return 0;
}

static int
take_files(struct errand *r, const struct json *list, struct err *e)
{
	size_t n = 0;

	for (const struct json *f = json_first(list); f; f = json_next(f)) {
		const char *path = json_string(f, "path");
		const char *slash = path ? strrchr(path, '/') : NULL;
		const char *name = json_string(f, "name");

		if (!path)
			return err_set(e, ERR_INPUT,
			    "discord_request: files[%zu].path is missing", n);
		if (n == REST_FILES)
			return err_set(e, ERR_INPUT,
			    "discord_request: more than %d files", REST_FILES);
		if (check_file(path, e) < 0)
			return -1;
		if (!name)
			name = slash ? slash + 1 : path;
		r->files[n++] = (struct rest_file){
		    .name = name,
		    .type = json_string(f, "content_type"),
		    .path = path,
		};
	}
	r->call.files = r->files;
	r->call.file_count = n;
	return 0;
}

static int
start(struct errand *r, const struct discord_request *q, struct err *e)
{
	static const enum rest_urgency urgencies[] = {
	    [DISCORD_NORMAL] = REST_NORMAL,
	    [DISCORD_URGENT] = REST_URGENT,
	    [DISCORD_BULK] = REST_BULK,
	};
	struct rest_call *c = &r->call;

	c->method = q->method;
	c->path = q->path;
	c->reason = q->reason;
	c->urgency = urgencies[q->urgency];
	c->repeatable = q->repeatable;
	c->until_ms = q->timeout_ms ? clock_boot_ms() + q->timeout_ms : 0;
	c->ended = on_ended;
	c->ctx = r;
	if (q->body.text)
		buf_str(&r->body, q->body.text);
	else if (q->body.tree)
		jsonw_value(&r->body, NULL, q->body.tree);
	if (r->body.len) {
		c->body = r->body.data;
		c->body_len = r->body.len;
	}
	if (take_files(r, q->files.tree, e) < 0)
		return -1;
	return rest_start(r->of->rest, c, e);
}

static struct errand *
new_errand(struct errands *x)
{
	struct errand *r = mem_new(sizeof(*r));

	r->of = x;
	r->at = &x->list;
	r->next = x->list;
	if (r->next)
		r->next->at = &r->next;
	x->list = r;
	x->count++;
	return r;
}

/* It never started: an error record says why. */
static void
refuse(struct errands *x, const char *id, const struct err *why)
{
	struct buf out = {0};

	error_write_err(&out, id, why);
	keep_verdict(x, why->kind, why->text);
	tell(x, &out);
}

static void
on_line(void *ctx, const char *text, size_t len, const struct err *bad)
{
	struct errands *x = ctx;
	struct discord_request q;
	struct errand *r;
	struct err e = {0};

	if (bad) {
		refuse(x, NULL, bad);
		return;
	}
	if (x->ended)
		return;
	r = new_errand(x);
	if (any_read(&r->line, text, len, &e) == 0) {
		r->id = mem_dup(json_string(r->line.root, "id"));
		if (discord_request_read(&q, r->line.root, &e) == 0 &&
		    start(r, &q, &e) == 0)
			return;
	}
	refuse(x, r->id, &e);
	drop(r);
}

static void
on_end(void *ctx, const struct err *why)
{
	struct errands *x = ctx;

	x->ended = true;
	if (why)
		x->failed = *why;
}

/* Give up what runs: it may be done. */
static void
give_up(void *ctx)
{
	struct errands *x = ctx;
	struct errand *next;

	for (struct errand *r = x->list; r; r = next) {
		struct verdict why = {.kind = ERR_UNKNOWN};

		next = r->next;
		rest_stop(&r->call);
		snprintf(why.text, sizeof(why.text),
		    "it may be done: it was given up");
		answer(r, DISCORD_UNKNOWN, &why);
		drop(r);
	}
}

/* What waits is not sent any more. */
static void
on_signal(void *ctx, int sig)
{
	struct errands *x = ctx;
	struct errand *next;

	(void)sig;
	x->ended = true;
	for (struct errand *r = x->list; r; r = next) {
		struct verdict why = {.kind = ERR_AGAIN};

		next = r->next;
		if (!rest_drop(&r->call))
			continue;
		snprintf(why.text, sizeof(why.text),
		    "it was stopped before it was sent");
		answer(r, DISCORD_UNSENT, &why);
		drop(r);
	}
	poll_set_timer(&x->poll, &x->grace, clock_boot_ms() + ERRANDS_GRACE_MS);
}

int
errands_open(struct errands *x, struct err *e)
{
	x->signals = (struct signals){.got = on_signal, .ctx = x};
	x->grace = (struct poll_timer){.fire = give_up, .ctx = x};
	if (rest_open(&x->rest, &x->poll, e) < 0)
		return -1;
	return signals_start(&x->signals, &x->poll, e);
}

static int
run(struct errands *x, struct err *e)
{
	int result = 0;

	while (result == 0 && !x->broken.kind && (x->list || !x->ended)) {
		if (!x->held && !x->ended && x->count >= ERRANDS_MAX) {
			x->held = true;
			reader_hold(&x->reader, true);
		}
		result = rest_step(x->rest, POLL_NEVER, e);
	}
	if (result < 0)
		return -1;
	if (x->broken.kind || x->failed.kind) {
		*e = x->broken.kind ? x->broken : x->failed;
		return -1;
	}
	return x->answers;
}

int
errands_answer(struct errands *x, int fd, struct err *e)
{
	x->reader = (struct reader){
	    .line = on_line,
	    .ended = on_end,
	    .ctx = x,
	};
	reader_start(&x->reader, &x->poll, fd);
	return run(x, e);
}

int
errands_ask(struct errands *x, const struct discord_request *q, struct err *e)
{
	struct errand *r = new_errand(x);
	const char *body = q->body.text;
	int result = 0;

	x->ended = true;
	if (body && json_read(&r->line.root, body, strlen(body), e) < 0)
		result = err_in(e, "the body");
	if (result == 0)
		result = start(r, q, e);
	if (result == 0)
		return run(x, e);
	drop(r);
	return -1;
}

void
errands_close(struct errands *x)
{
	struct errand *next;

	x->ended = true;
	for (struct errand *r = x->list; r; r = next) {
		next = r->next;
		drop(r);
	}
	x->list = NULL;
	reader_stop(&x->reader);
	signals_stop(&x->signals);
	poll_stop_timer(&x->grace);
	rest_close(x->rest);
	x->rest = NULL;
	poll_release(&x->poll);
}
