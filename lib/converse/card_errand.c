#include "converse/card_errand.h"

#include <stdio.h>
#include <stdlib.h>

#include "converse/converse.h"
#include "core/clock.h"
#include "core/err.h"
#include "core/mem.h"
#include "store/parcel.h"

enum {
	AGAIN_MS = 5000,
	TOKEN_LAST_MS = 10000, /* a token that ends so soon is not used */
};

void
card_errand_free(struct card_errand *x)
{
	rest_stop(&x->call);
	rest_release(&x->call);
	trace_release(&x->trace);
	approval_drop(&x->row);
	buf_release(&x->path);
	buf_release(&x->body);
	buf_release(&x->file);
	free(x->application);
	free(x->token);
	free(x->request);
	free(x);
}

void
card_errand_end(struct card_errand *x)
{
	x->over = true;
	x->c->cards.stale = true;
}

static void
on_again(void *ctx)
{
	struct cards *cards = ctx;

	cards->stale = true;
}

void
card_errand_later(struct card_errand *x)
{
	struct cards *cards = &x->c->cards;

	x->over = true;
	cards->again.fire = on_again;
	cards->again.ctx = cards;
	poll_set_timer(&x->c->poll, &cards->again, clock_boot_ms() + AGAIN_MS);
}

void
card_errand_fail(struct card_errand *x, const struct err *why)
{
	card_errand_end(x);
	converse_fail(x->c, why);
}

int
card_errand_start(struct card_errand *x, const char *method,
    void (*ended)(void *ctx), struct err *e)
{
	x->call.method = method;
	x->call.path = buf_text(&x->path);
	x->call.body = x->body.data;
	x->call.body_len = x->body.len;
	x->call.urgency = REST_URGENT;
	x->call.ended = ended;
	x->call.ctx = x;
	return rest_start(x->c->posts.rest, &x->call, e);
}

bool
card_errand_hooked(const struct card_errand *x)
{
	return x->token && x->until_ms - TOKEN_LAST_MS > clock_now_ms();
}

int
card_errand_load(struct card_errand *x, struct err *e)
{
	struct store *s = &x->c->tasks;
	struct stmt scan = {0};
	struct parcel p = {0};
	int rc = approval_find(&x->row, s, x->card.approval, NULL, e);

	if (rc == 0)
		rc = parcel_address(&scan, s, x->row.x.turn, &p, e);
	if (rc > 0) {
		x->application = mem_dup(p.application);
		x->token = mem_dup(p.token);
		x->request = mem_dup(p.request);
		x->until_ms = p.until_ms;
		x->direct = p.direct;
		x->alone = p.hidden && !p.direct;
		if (!*x->card.channel)
			snprintf(x->card.channel, sizeof(x->card.channel),
			    "%.20s", p.channel);
	}
	stmt_end(&scan);
	return rc;
}
