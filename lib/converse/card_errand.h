#ifndef CONVERSE_CARD_ERRAND_H
#define CONVERSE_CARD_ERRAND_H
/*
 * card_errand - one card that is being posted or closed: a request at a time.
 * For cards alone.
 *
 * Order    card_errand_new(), then card_post() or card_close(), which go on by
 *          themselves until it is over; then cards frees it.
 */

#include <stdbool.h>
#include <stdint.h>

#include "core/buf.h"
#include "core/poll.h"
#include "deliver/trace.h"
#include "discord/ballot.h"
#include "discord/rest.h"
#include "store/approval.h"
#include "store/card.h"

struct converse;
struct err;

struct card_errand {
	struct converse *c;
	struct card card;
	struct approval_row row;
	char *application, *token, *request;
	int64_t until_ms; /* the token is of use */
	bool direct;      /* the channel is one of direct messages */
	bool alone;       /* the channel has others, who may not see it */
	bool over;        /* to be freed */

	struct rest_call call;
	struct trace trace;
	char button[BALLOT_ID]; /* by which its message is known */
	struct buf path, body, file;
	struct rest_file with;
	struct card_errand *next;
};

/* With what is known of it: 1, or 0 if it is gone. */
int card_errand_load(struct card_errand *x, struct err *e);
void card_errand_free(struct card_errand *x);

/* It is over; or over for now; or the program is. */
void card_errand_end(struct card_errand *x);
void card_errand_later(struct card_errand *x);
void card_errand_fail(struct card_errand *x, const struct err *why);

/* Send what path and body say. */
int card_errand_start(struct card_errand *x, const char *method,
    void (*ended)(void *ctx), struct err *e);

/* Its token is of use for a while. */
bool card_errand_hooked(const struct card_errand *x);

void card_post(struct card_errand *x);
void card_close(struct card_errand *x);

#endif
