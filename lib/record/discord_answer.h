#ifndef RECORD_DISCORD_ANSWER_H
#define RECORD_DISCORD_ANSWER_H
/*
 * discord_answer - what came of a discord_request.
 * Memory and errors as in record/any.
 */

#include <stdbool.h>
#include <stdint.h>

#include "core/err.h"
#include "record/value.h"

struct buf;
struct json;

enum discord_outcome { DISCORD_ANSWERED, DISCORD_UNSENT, DISCORD_UNKNOWN };

struct discord_answer {
	const char *id; /* of the request, or NULL */
	enum discord_outcome outcome;
	int64_t status;     /* of HTTP; 0 for none */
	const char *route;  /* "GET /channels/:id"; NULL if it was no request */
	struct value body;  /* the answer's JSON */
	const char *page;   /* or its text, if it is none; or NULL */
	enum err_kind kind; /* ERR_NONE: it was done, as text and code say */
	const char *text;
	int64_t code;  /* Discord's own; 0 for none */
	bool doubtful; /* an earlier attempt may have been done */
	int64_t waited_ms, took_ms;
};

int discord_answer_read(struct discord_answer *a, const struct json *root,
    struct err *e);
void discord_answer_write(struct buf *b, const struct discord_answer *a);

#endif
