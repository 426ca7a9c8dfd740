#ifndef RECORD_CALL_H
#define RECORD_CALL_H
/*
 * call - a capability is asked for: the loop to a tool, and the loop telling
 * its adapter. Memory and errors as in record/any.
 *
 * A tool that can change something is asked twice: to look whether the change
 * can be made (PHASE_CHECK, answered by a proposal), and to make it (PHASE_ACT,
 * answered by a result). Only the loop says PHASE_ACT, once a call.
 */

#include "record/context.h"
#include "record/tier.h"
#include "record/value.h"

struct buf;
struct err;
struct json;

enum phase { PHASE_NONE, PHASE_CHECK, PHASE_ACT };

struct call {
	const char *id; /* TASK.N */
	const char *capability;
	struct value arguments; /* object; {} if there is none */
	enum tier tier;
	enum phase phase;  /* PHASE_NONE of those that only read, or scratch */
	const char *nonce; /* in PHASE_ACT: made of the id, see record/nonce */
	struct value only; /* in PHASE_ACT: the numbers of those items of the
			      proposal that may be done; without it all may */
	struct value plan; /* in PHASE_ACT: the object of the proposal */
	struct context context;
};

int call_read(struct call *c, const struct json *root, struct err *e);
void call_write(struct buf *b, const struct call *c);

#endif
