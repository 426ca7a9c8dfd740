#ifndef RECORD_RESULT_H
#define RECORD_RESULT_H
/*
 * result - what a call gave: a tool to the loop, and the loop telling its
 * adapter. Memory and errors as in record/any.
 */

#include <stdbool.h>

#include "record/value.h"

struct buf;
struct err;
struct json;

struct result {
	const char *id; /* of the call; NULL from a program for one job */
	bool ok;
	const char *summary;  /* a line or two, for a person and a model */
	struct value data;    /* any JSON */
	struct value sources; /* array of sources, see sophia-records(5) */
	const char *cursor;   /* to go on from here, or NULL */
	struct value coverage;
	struct value reveal; /* array of names of tools to make visible */
	struct value
	    artifacts;      /* array of descriptors of what it handed over */
	struct value media; /* array of exhibits to show a model; by blob */
	struct value more;  /* object: kept, and shown to no model unasked */
};

int result_read(struct result *r, const struct json *root, struct err *e);
void result_write(struct buf *b, const struct result *r);

#endif
