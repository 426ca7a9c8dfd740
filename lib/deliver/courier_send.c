#include "deliver/courier_send.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/mem.h"
#include "deliver/courier.h"
#include "deliver/deliver.h"
#include "discord/compose.h"
#include "ext/json.h"

enum { TOKEN_MS = 15 * 60000 };

struct courier *
courier_new(struct deliver *d, const struct parcel *p)
{
	struct courier *c = mem_new(sizeof(*c));

	c->owner = d;
	c->parcel = *p;
	c->parcel.task = mem_dup(p->task);
	c->parcel.turn = mem_dup(p->turn);
	c->parcel.kind = mem_dup(p->kind);
	c->parcel.record = mem_dup(p->record);
	c->parcel.channel = mem_dup(p->channel);
	c->parcel.request = mem_dup(p->request);
	c->parcel.application = mem_dup(p->application);
	c->parcel.token = mem_dup(p->token);
	c->parcel.withheld = mem_dup(p->withheld);
	return c;
}

static void
drop_letter(struct courier *c)
{
	mem_drop(c->letter.nonce);
	mem_drop(c->letter.text);
	c->letter = (struct letter){0};
}

static void
drop_parcel(struct parcel *p)
{
	mem_drop(p->task);
	mem_drop(p->turn);
	mem_drop(p->kind);
	mem_drop(p->record);
	mem_drop(p->channel);
	mem_drop(p->request);
	mem_drop(p->application);
	mem_drop(p->token);
	mem_drop(p->withheld);
	*p = (struct parcel){0};
}

void
courier_free(struct courier *c)
{
	if (!c)
		return;
	poll_stop_timer(&c->again);
	rest_release(&c->call);
	trace_release(&c->trace);
	wording_release(&c->wording);
	drop_letter(c);
	drop_parcel(&c->parcel);
	buf_release(&c->path);
	buf_release(&c->body);
	free(c);
}

int
courier_planned(struct courier *c, struct err *e)
{
	struct stmt scan = {0};
	struct letter l;
	int row = letter_next(&scan, c->owner->tasks, c->parcel.id, 0, &l, e);

	stmt_end(&scan);
	return row;
}

/* Take a copy of the letter, which outlives the row. */
static void
keep(struct courier *c, const struct letter *l)
{
	drop_letter(c);
	c->letter = *l;
	c->letter.nonce = mem_dup(l->nonce);
	c->letter.text = mem_dup(l->text);
	c->letter.message = NULL;
}

int
courier_next(struct courier *c, struct err *e)
{
	struct stmt scan = {0};
	struct letter l;
	int64_t after = 0;
	int row, found = 0;

	c->count = 0;
	while ((row = letter_next(&scan, c->owner->tasks, c->parcel.id, after,
		    &l, e)) > 0) {
		after = c->count = l.k;
		if (l.k == 1 && l.message)
			snprintf(c->original, sizeof(c->original), "%s",
			    l.message);
		if (l.state != LETTER_DELIVERED && !found) {
			keep(c, &l);
			found = 1;
		}
	}
	stmt_end(&scan);
	return row < 0 ? -1 : found;
}

/* What the letter replies to, or NULL. */
static const char *
reply_of(const struct courier *c)
{
	if (c->no_reply || c->letter.k > 1)
		return NULL;
	return c->parcel.request;
}

static void
address_call(struct courier *c)
{
	struct buf *path = &c->path;

	buf_clear(path);
	c->call.method = c->way == WAY_ORIGINAL ? "PATCH" : "POST";
	if (c->way == WAY_CHANNEL)
		buf_fmt(path, "/channels/%s/messages", c->parcel.channel);
	else
		buf_fmt(path, "/webhooks/%s/%s%s", c->parcel.application,
		    c->parcel.token,
		    c->way == WAY_ORIGINAL ? "/messages/@original"
					   : "?wait=true");
	c->call.path = buf_text(path);
}

static void
write_call(struct courier *c)
{
	unsigned which = c->letter.k == c->count ? c->wording.buttons : 0;

	buf_clear(&c->body);
	compose_write(&c->body,
	    &(struct compose){
		.content = c->letter.text,
		.nonce = c->way == WAY_CHANNEL ? c->letter.nonce : NULL,
		.reply = c->way == WAY_CHANNEL ? reply_of(c) : NULL,
		.file = c->letter.file ? PLAN_FILE : NULL,
		.ephemeral = c->way == WAY_FOLLOWUP && c->parcel.hidden,
		.buttons = which || c->way == WAY_ORIGINAL,
		.which = which,
		.task = c->parcel.task,
	    });
	c->call.body = buf_text(&c->body);
	c->call.body_len = c->body.len;
	c->file = (struct rest_file){
	    .name = PLAN_FILE,
	    .type = "text/markdown; charset=utf-8",
	    .bytes = buf_text(&c->wording.text),
	    .len = c->wording.text.len,
	};
	c->call.files = &c->file;
	c->call.file_count = c->letter.file;
}

/* Nothing may be sent once its nonce, or its token, is no guard any more. */
static int64_t
deadline(const struct courier *c)
{
	int64_t left = c->letter.first_ms + COURIER_NONCE_MS - clock_now_ms();

	if (c->way != WAY_CHANNEL)
		left = c->parcel.until_ms - COURIER_TOKEN_MS - clock_now_ms();
	if (left > COURIER_NONCE_MS)
		left = COURIER_NONCE_MS; /* by then it looks anew */
	return clock_boot_ms() + (left > 0 ? left : 1);
}

int
courier_send(struct courier *c, struct rest *rest, struct err *e)
{
	address_call(c);
	write_call(c);
	c->call.urgency = REST_NORMAL;
	c->call.repeatable = c->way != WAY_FOLLOWUP;
	c->call.until_ms = deadline(c);
	return rest_start(rest, &c->call, e);
}

void
courier_sent_id(char *to, size_t room, struct courier *c)
{
	struct json *root = NULL;
	struct err e = {0};
	const char *id = NULL;

	if (json_read(&root, buf_text(&c->call.reply), c->call.reply.len, &e) ==
	    0)
		id = json_string(root, "id");
	snprintf(to, room, "%s", id ? id : "");
	json_free(root);
}

/* What it may reply to, however it was sent. */
static const char *
sent_reply(const struct courier *c)
{
	if (c->letter.k == 1)
		return c->parcel.request;
	return *c->original ? c->original : NULL; /* as follow-ups do */
}

int
courier_trace(struct courier *c, void (*ended)(void *ctx), struct err *e)
{
	bool hooked = c->parcel.application != NULL;

	trace_release(&c->trace);
	c->trace = (struct trace){
	    .rest = c->owner->rest,
	    .tasks = c->owner->tasks,
	    .us = c->owner->us,
	    .channel = c->parcel.channel,
	    .nonce = c->letter.nonce,
	    .text = c->letter.text,
	    .reply = sent_reply(c),
	    .from_ms = c->letter.first_ms - COURIER_SKEW_MS -
		       (hooked && c->letter.k == 1 ? TOKEN_MS : 0),
	    .to_ms = c->letter.first_ms + COURIER_NONCE_MS + COURIER_SKEW_MS,
	    .ended = ended,
	    .ctx = c,
	};
	return trace_start(&c->trace, e);
}
