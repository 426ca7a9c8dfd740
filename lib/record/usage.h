#ifndef RECORD_USAGE_H
#define RECORD_USAGE_H
/*
 * usage - what a request used, as far as it is known. Unknown is left out of
 * the record, and never zero. See any.
 */

#include <stdbool.h>
#include <stdint.h>

struct buf;
struct err;
struct json;

struct usage_count {
	bool known;
	int64_t n; /* tokens */
};

struct usage {
	const char *id, *task; /* of the request; either may be NULL */
	const char *profile, *model, *purpose;
	struct usage_count input, output;
	struct usage_count cached;    /* of the input, read from a cache */
	struct usage_count reasoning; /* of the output */
	const char *cost; /* in US dollars, decimal text; NULL if unknown */
	bool estimated;   /* cost by the profile's prices, not the provider's */
};

int usage_read(struct usage *u, const struct json *root, struct err *e);
void usage_write(struct buf *b, const struct usage *u);

#endif
