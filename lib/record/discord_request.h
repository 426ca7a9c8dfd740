#ifndef RECORD_DISCORD_REQUEST_H
#define RECORD_DISCORD_REQUEST_H
/*
 * discord_request - what sophia-discord is to ask of Discord.
 * Memory and errors as in record/any.
 */

#include <stdbool.h>
#include <stdint.h>

#include "record/value.h"

struct buf;
struct err;
struct json;

enum discord_urgency { DISCORD_NORMAL, DISCORD_URGENT, DISCORD_BULK };

struct discord_request {
	const char *id; /* of whoever asks, or NULL */
	const char *method, *path;
	struct value body;  /* any JSON */
	struct value files; /* array of {path, name, content_type} */
	const char *reason; /* for the audit log, or NULL */
	enum discord_urgency urgency;
	bool repeatable;
	int64_t timeout_ms; /* to be sent in; 0 for no end */
};

int discord_request_read(struct discord_request *r, const struct json *root,
    struct err *e);
void discord_request_write(struct buf *b, const struct discord_request *r);

#endif
