#include "runtime/counter.h"

#include <stdlib.h>
#include <string.h>

#include "core/buf.h"
#include "core/id.h"
#include "core/mem.h"
#include "ext/json.h"
#include "record/any.h"
#include "record/control.h"
#include "record/request.h"

enum { CANCEL_MAX = 256 }; /* bytes of a cancel record */

static void
on_told(void *ctx, struct buf *records)
{
	struct counter *c = ctx;

	if (!c->broken.kind)
		(void)c->told(c->ctx, records, &c->broken);
}

static void
on_done(void *ctx, const struct err *why)
{
	struct counter *c = ctx;

	c->failed = why ? *why : (struct err){0};
	c->answers += !why;
	if (why && c->serve)
		c->failed = (struct err){0}; /* its reader was told */
}

/* Take the request that waits in place i out of the line. Free it. */
static char *
take_out(struct counter *c, size_t i)
{
	char *line = c->waiting[i];

	c->count--;
	memmove(c->waiting + i, c->waiting + i + 1,
	    (c->count - i) * sizeof(c->waiting[0]));
	return line;
}

static void
start_next(struct counter *c)
{
	char *line = take_out(c, 0);

	desk_start(&c->desk, line, strlen(line));
	free(line);
}

/* Is it a request of that id? NULL is whichever. */
static bool
has_id(const char *line, const char *id)
{
	struct any a = {0};
	struct err e = {0};
	const char *its = NULL;
	bool is = !id;

	if (id && any_read(&a, line, strlen(line), &e) == 0)
		its = json_string(a.root, "id");
	if (its)
		is = strcmp(its, id) == 0;
	any_release(&a);
	return is;
}

/* Those that wait first, so that none of them gets its turn by it. */
static void
cancel(struct counter *c, const char *id)
{
	struct err why = {0};

	err_set(&why, ERR_AGAIN, "it was cancelled");
	for (size_t i = 0; i < c->count;) {
		char *line;

		if (!has_id(c->waiting[i], id)) {
			i++;
			continue;
		}
		line = take_out(c, i);
		desk_refuse(&c->desk, line, strlen(line), "cancelled", &why);
		free(line);
	}
	desk_cancel(&c->desk, id);
}

/* Any other line is a request. */
static bool
take_cancel(struct counter *c, const char *text, size_t len)
{
	struct any a = {0};
	struct control control;
	struct err e = {0};
	bool is = len <= CANCEL_MAX && any_read(&a, text, len, &e) == 0 &&
		  any_is(&a, "cancel");

	if (is && control_read(&control, a.root, &e) == 0)
		cancel(c, control.id);
	any_release(&a);
	return is;
}

static void
on_line(void *ctx, const char *text, size_t len, const struct err *bad)
{
	struct counter *c = ctx;
	struct err full = {0};

	if (bad) {
		desk_refuse(&c->desk, "", 0, NULL, bad);
	} else if (c->ended || take_cancel(c, text, len)) {
		return; /* unless it serves, the first request is the only one */
	} else if (c->count == COUNTER_MAX) {
		err_set(&full, ERR_AGAIN, "more than %d requests wait",
		    COUNTER_MAX);
		desk_refuse(&c->desk, text, len, NULL, &full);
	} else {
		c->waiting[c->count++] = mem_dupn(text, len);
	}
	c->ended = !c->serve;
}

static void
on_end(void *ctx, const struct err *why)
{
	struct counter *c = ctx;

	c->ended = true;
	if (why)
		c->failed = *why;
}

static void
on_signal(void *ctx, int sig)
{
	struct counter *c = ctx;

	(void)sig;
	c->ended = true;
	cancel(c, NULL);
}

int
counter_open(struct counter *c, struct err *e)
{
	c->signals = (struct signals){.got = on_signal, .ctx = c};
	c->desk.profile_name = c->profile;
	c->desk.poll = &c->poll;
	c->desk.told = on_told;
	c->desk.done = on_done;
	c->desk.ctx = c;
	return signals_start(&c->signals, &c->poll, e);
}

/* Answer what waits, until there is nothing more to come. */
static int
run(struct counter *c, struct err *e)
{
	int result = 0;

	while (result == 0 && !c->broken.kind) {
		if (!c->desk.busy && c->count)
			start_next(c);
		else if (!c->desk.busy && c->ended)
			break;
		else
			result = desk_step(&c->desk, POLL_NEVER, e);
	}
	desk_cancel(&c->desk, NULL); /* it may still have to be settled */
	if (result < 0)
		return -1;
	if (c->broken.kind || c->failed.kind) {
		*e = c->broken.kind ? c->broken : c->failed;
		return -1;
	}
	return c->answers;
}

int
counter_answer(struct counter *c, int fd, struct err *e)
{
	c->reader = (struct reader){
	    .limit = REQUEST_MAX,
	    .line = on_line,
	    .ended = on_end,
	    .ctx = c,
	};
	reader_start(&c->reader, &c->poll, fd);
	return run(c, e);
}

int
counter_ask(struct counter *c, const char *words, struct err *e)
{
	char id[ID_LEN + 1];
	struct buf line = {0};
	struct request_message message = {.role = ROLE_USER, .text = words};
	struct request r = {
	    .id = id,
	    .profile = c->profile,
	    .purpose = "task",
	    .actor = "local",
	    .stream = true,
	    .messages = &message,
	    .message_count = 1,
	};

	id_new(id);
	request_write(&line, &r);
	c->ended = true;
	c->waiting[c->count++] = mem_dupn(line.data, line.len - 1);
	buf_release(&line);
	return run(c, e);
}

void
counter_close(struct counter *c)
{
	reader_stop(&c->reader);
	signals_stop(&c->signals);
	desk_close(&c->desk);
	poll_release(&c->poll);
	while (c->count)
		free(c->waiting[--c->count]);
}
