#include <stdio.h>

#include "converse/card_errand.h"
#include "converse/card_show.h"
#include "converse/converse.h"
#include "core/err.h"
#include "core/log.h"
#include "deliver/courier.h"

static void
close_now(struct card_errand *x)
{
	struct err e = {0};

	if (cards_closed(x->c, x->card.approval, &e) < 0)
		card_errand_fail(x, &e);
	else
		card_errand_end(x);
}

/* What Discord says to it is the end of it, unless it isn't well. */
static void
on_edited(void *ctx)
{
	struct card_errand *x = ctx;
	const enum err_kind kind = x->call.verdict.kind;
	const bool told = x->call.end == REST_ANSWERED && kind != ERR_AGAIN &&
			  kind != ERR_CONFIG;

	if (told || x->card.hidden)
		close_now(x);
	else
		card_errand_later(x);
}

static void
edit(struct card_errand *x)
{
	const struct card_view view = {.row = &x->row};
	struct err e = {0};

	buf_clear(&x->path);
	if (x->card.hidden)
		buf_fmt(&x->path, "/webhooks/%s/%s/messages/%s", x->application,
		    x->token, x->card.message);
	else
		buf_fmt(&x->path, "/channels/%s/messages/%s", x->card.channel,
		    x->card.message);
	card_write(&x->body, &view, false);
	x->call.repeatable = true;
	if (card_errand_start(x, "PATCH", on_edited, &e) < 0) {
		log_complain(&e);
		card_errand_later(x);
	}
}

static void
on_traced(void *ctx)
{
	struct card_errand *x = ctx;

	switch (x->trace.end) {
	case TRACE_FOUND:
		snprintf(x->card.message, sizeof(x->card.message), "%s",
		    x->trace.message);
		edit(x);
		break;
	case TRACE_ABSENT:
	case TRACE_UNSEEN: close_now(x); break;
	default: card_errand_later(x);
	}
}

/* It was sent, perhaps, and nobody noted its id. */
static int
look_for(struct card_errand *x, struct err *e)
{
	ballot_id(x->button, BALLOT_DENY, 0, x->card.approval);
	x->trace = (struct trace){
	    .rest = x->c->posts.rest,
	    .tasks = &x->c->tasks,
	    .us = x->c->us,
	    .channel = x->card.channel,
	    .button = x->button,
	    .from_ms = x->card.sent_ms - COURIER_SKEW_MS,
	    .to_ms = x->card.sent_ms + COURIER_NONCE_MS + COURIER_SKEW_MS,
	    .ended = on_traced,
	    .ctx = x,
	};
	return trace_start(&x->trace, e);
}

void
card_close(struct card_errand *x)
{
	struct err e = {0};

	if (x->card.hidden && (!card_errand_hooked(x) || !*x->card.message))
		close_now(x);
	else if (*x->card.message)
		edit(x);
	else if (look_for(x, &e) < 0)
		card_errand_fail(x, &e);
}
