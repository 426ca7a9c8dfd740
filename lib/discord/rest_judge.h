#ifndef DISCORD_REST_JUDGE_H
#define DISCORD_REST_JUDGE_H
/* rest_judge - what becomes of a call after an attempt; for rest.c alone. */

#include <stdbool.h>

#include "discord/limit.h"
#include "discord/rest.h"

#define REST_BAD_TOKEN                                                         \
	"Discord refuses the token (HTTP 401): make a new one in the "         \
	"developer portal, under Bot, and set DISCORD_TOKEN to it"

enum call_state {
	CALL_NONE = 0,
	CALL_WAITING,
	CALL_CHOSEN, /* has its reservation */
	CALL_RUNNING,
	CALL_ANSWERED, /* the limits don't know it yet */
	CALL_OVER,     /* its maker doesn't know it yet */
};

/* To do it twice is as good as once. */
bool rest_may_repeat(const struct rest_call *c);

/* It stands in line, from so long on. */
void rest_line_up(struct rest_call *c, int64_t wait_ms);

/* What its last attempt's end means for it. */
void rest_judge(struct rest_call *c);

/* It is over. The text says why, unless it was answered. */
void rest_finish(struct rest_call *c, enum rest_end end, enum err_kind kind,
    const char *text);

/* Why it was kept back. */
const char *rest_reason(enum limit_why why);

#endif
