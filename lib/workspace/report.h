#ifndef WORKSPACE_REPORT_H
#define WORKSPACE_REPORT_H
/*
 * report - what became of a run, for a person, a model, and as a record.
 *
 * Three ends differ. The code ended: ok, and data.exit is its exit code,
 * whatever that is. The code was stopped, or what it left won't do: not ok,
 * and data.stopped says why; no file has changed. Else there is an error, and
 * no report.
 *
 * Sizes    Of what was printed, data has REPORT_OUT and REPORT_ERROR bytes, for
 *          a model; what is longer is in `more`, up to MORE_OUT and MORE_ERROR,
 *          so that all fits into a record.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "workspace/excerpt.h"

struct answer_parts;
struct artifact;
struct attic;
struct buf;
struct err;
struct run;

enum {
	REPORT_OUT = 8 << 10,
	REPORT_ERROR = 4 << 10,
	REPORT_MORE_OUT = 384 << 10,
	REPORT_MORE_ERROR = 128 << 10,
};

struct report { /* {0} with run and why set */
	const struct run *run;
	const struct err *why; /* NULL if the code ended */
	struct excerpt out, error;
	const char *call; /* under which it is kept, or NULL */

	struct buf artifacts, names; /* private: see report_artifact() */
	size_t count;
};

/* It was handed over. */
void report_artifact(struct report *r, const struct artifact *a);
void report_attic(struct report *r, const struct attic *attic);

/* Fill in the summary, data, artifacts and more of a result. */
void report_answer(struct report *r, struct answer_parts *a);

/* A result record. */
void report_write(struct buf *b, struct report *r);

/* Lines for a person: how it ended, files and attachments; out may be NULL. */
void report_text(struct buf *b, const struct run *r, const struct attic *a,
    const char *out);

void report_release(struct report *r); /* harmless on {0}, or twice */

#endif
