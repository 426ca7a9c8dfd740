#ifndef RECORD_DECISION_H
#define RECORD_DECISION_H
/*
 * decision - what became of an approval that was asked for, whatever it was: a
 * loop tells its adapter. Memory and errors as in record/any.
 */

struct buf;
struct err;
struct json;

enum decision_verdict {
	VERDICT_APPROVE,
	VERDICT_DENY,
	VERDICT_CORRECT, /* no, and what to do instead */
	VERDICT_STOP,    /* no, and end the task */
	VERDICT_EXPIRED, /* nobody decided it in time: not a denial */
	VERDICT_INVALID, /* its task ended, or nobody could be asked */
};

struct decision {
	const char *approval; /* its id */
	enum decision_verdict verdict;
	const char *by; /* who decided; NULL if nobody did */
};

const char *verdict_word(enum decision_verdict v); /* "approve" */
enum decision_verdict verdict_of(
    const char *word); /* of no such word: invalid */

int decision_read(struct decision *x, const struct json *root, struct err *e);
void decision_write(struct buf *b, const struct decision *x);

#endif
