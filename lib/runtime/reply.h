#ifndef RUNTIME_REPLY_H
#define RUNTIME_REPLY_H
/*
 * reply - what a model answered to one request, record by record. Pure.
 *
 * Memory   {0} is a reply of which nothing came yet; release it.
 * Order    reply_take() returns true for the record that ends it. Then either
 *          failed is set and error says why, or reason is.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/buf.h"
#include "core/err.h"
#include "record/finish.h"
#include "record/request.h"

struct json;

struct reply {
	bool ended, failed;
	struct buf text;
	struct request_call *calls;
	size_t count;
	char *echo;                /* JSON text, or NULL */
	enum finish_reason reason; /* how it ended, unless it failed */
	bool none;                 /* it says that nothing was found */
	struct err error;          /* why it failed */
	bool overflow;             /* because the request was too long */
	int64_t input;             /* tokens that the provider counted, or 0 */

	int records; /* private: so many came */
};

bool reply_take(struct reply *r, const struct json *record);
void reply_fail(struct reply *r, const struct err *why); /* it ended so */
void reply_release(struct reply *r);

#endif
