#ifndef RECORD_ERROR_H
#define RECORD_ERROR_H
/*
 * error - something failed: any program to the one that started it.
 * Memory and errors as in record/any.
 */

#include <stdbool.h>
#include <stdint.h>

#include "core/err.h"
#include "record/value.h"

struct buf;
struct json;

enum effect {
	EFFECT_NONE,    /* nothing was changed */
	EFFECT_UNKNOWN, /* it may have been: look before doing it again */
};

struct error {
	const char *id; /* of the call or request, or NULL */
	enum err_kind kind;
	const char *text;
	const char *code; /* a word for a program, or NULL */
	int64_t wait_ms;  /* 0 for none said */
	enum effect effect;
	struct value candidates; /* array, with the code "ambiguous" */
	/* With the code "context_length", in tokens, 0 where not said: what the
	 * model holds, and by how much the request was over it. */
	int64_t limit, over;
};

int error_read(struct error *x, const struct json *root, struct err *e);
void error_write(struct buf *b, const struct error *x);

/* The error record of the call or request id (or NULL) that failed with why. */
void error_write_err(struct buf *b, const char *id, const struct err *why);

#endif
