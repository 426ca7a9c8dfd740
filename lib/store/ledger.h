#ifndef STORE_LEDGER_H
#define STORE_LEDGER_H
/*
 * ledger - what each attempt at a model cost: noted when it is sent, settled
 * when it ends. What isn't known is NULL, never zero.
 *
 * ledger_sent() and ledger_settle() begin and commit themselves. Who may see
 * whose costs is the caller's affair: it says whose in the filter.
 */

#include <stdbool.h>
#include <stdint.h>

#include "ext/db.h"

struct err;
struct store;

struct attempt {
	const char *task, *actor; /* NULL if there is none */
	const char *profile, *model, *purpose;
};

/* It is about to leave the machine. Returns its number in *id. */
int ledger_sent(struct store *s, const struct attempt *a, int64_t *id,
    struct err *e);

enum attempt_state { ATTEMPT_OK, ATTEMPT_ERROR, ATTEMPT_CANCELLED };

enum { TOKENS_UNKNOWN = -1 };

struct spent {
	enum attempt_state state;
	int64_t input, output, cached, reasoning; /* or TOKENS_UNKNOWN */
	const char *cost; /* decimal text, or NULL: unknown */
	bool estimated;   /* by the profile's prices, not as reported */
};

/* ERR_REFUSED if it was settled before. */
int ledger_settle(struct store *s, int64_t id, const struct spent *spent,
    struct err *e);

/* Reports: the attempts of a period, in the order of a column, then of time. */
enum ledger_order {
	LEDGER_DAY,
	LEDGER_MODEL,
	LEDGER_PURPOSE,
	LEDGER_TASK,
	LEDGER_ACTOR,
};

struct ledger_filter {
	const char *actor, *task; /* NULL for all */
	int64_t from_ms, to_ms;   /* sent in [from, to) */
	enum ledger_order order;
};

struct ledger_row {
	const char *task, *actor; /* "" if there is none */
	const char *profile, *model, *purpose, *state;
	int64_t input, output, cached, reasoning; /* or TOKENS_UNKNOWN */
	const char *cost;                         /* NULL: unknown */
	bool estimated;
	int64_t sent_ms;
};

struct ledger_scan {
	struct stmt rows;
};

void ledger_list(struct ledger_scan *scan, struct store *s,
    const struct ledger_filter *f);
int ledger_next(struct ledger_scan *scan, struct ledger_row *r, struct err *e);
void ledger_end(struct ledger_scan *scan);

#endif
