#include "tool/talk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/buf.h"
#include "ext/json.h"
#include "record/any.h"
#include "record/call.h"
#include "record/control.h"
#include "record/progress.h"
#include "tool/hearing.h"
#include "tool/serve.h"

int
talk_say(struct buf *line, enum err_kind kind, struct err *e)
{
	const bool said = fwrite(buf_text(line), 1, line->len, stdout) ==
			      line->len &&
			  fflush(stdout) == 0;

	buf_release(line);
	return said ? 0 : err_sys(e, kind, "writing stdout");
}

static int
say_part(const struct part *part, struct err *e)
{
	struct buf line = {0};

	part_write(&line, part);
	return talk_say(&line, ERR_REFUSED, e);
}

/* What the line says of that part: 1 it may go, 0 nothing, -1 it may not. */
static int
may_go(const struct serve_act *w, const char *line, size_t len)
{
	struct any any = {0};
	struct control c = {0};
	struct err e = {0};
	int says = 0;

	if (any_read(&any, line, len, &e) == 0 &&
	    control_read(&c, any.root, &e) == 0 && c.id &&
	    strcmp(c.id, w->call->id) == 0) {
		if (c.kind == CONTROL_CANCEL)
			says = -1;
		else if (c.kind == CONTROL_GO && c.n == w->parts)
			says = 1;
	}
	any_release(&any);
	return says;
}

bool
serve_may(const struct serve_act *w, int64_t n)
{
	const struct value *only = &w->call->only;
	int64_t one;

	if (!value_is(only))
		return true;
	for (const struct json *v = json_first(only->tree); v; v = json_next(v))
		if (json_whole(v, &one) == 0 && one == n)
			return true;
	return false;
}

/* Wait for the go of the part. */
static bool
is_let_go(const struct serve_act *w)
{
	struct err e = {0};
	char *line;
	size_t len;
	int got, says = 0;

	while (says == 0 &&
	       (got = hearing_next(w->hearing, &line, &len, &e)) != 0) {
		if (got < 0)
			return false;
		says = may_go(w, line, len);
		free(line);
	}
	return says > 0;
}

int64_t
serve_part_begin(struct serve_act *w, const char *text, struct err *e)
{
	const struct part part = {.id = w->call->id,
	    .n = ++w->parts,
	    .state = PART_INTENT,
	    .text = text};

	if (say_part(&part, e) < 0)
		return -1;
	if (is_let_go(w))
		return w->parts;
	return err_set(e, ERR_REFUSED, "the call was given up");
}

int
serve_part_end(struct serve_act *w, enum part_state state, const char *data,
    struct err *e)
{
	return say_part(&(struct part){.id = w->call->id,
			    .n = w->parts,
			    .state = state,
			    .data.text = data},
	    e);
}

void
talk_give_up(struct serve_talk *t)
{
	if (t->given_up)
		return;
	t->given_up = true;
	if (t->cancelled)
		t->cancelled(t->ctx);
}

bool
talk_told(void *ctx, const char *text, size_t len)
{
	struct serve_talk *t = ctx;
	struct any any = {0};
	struct control c = {0};
	struct err e = {0};
	const bool is = any_read(&any, text, len, &e) == 0 &&
			control_read(&c, any.root, &e) == 0 &&
			c.kind == CONTROL_CANCEL && c.id &&
			strcmp(c.id, t->call->id) == 0;

	any_release(&any);
	if (is)
		talk_give_up(t);
	return is;
}

void
serve_progress(const struct serve_talk *t, const char *text)
{
	struct buf line = {0};
	struct err e = {0};

	progress_write(&line,
	    &(struct progress){.id = t->call->id, .text = text});
	talk_say(&line, ERR_IO, &e); /* the result will fail as well */
}
