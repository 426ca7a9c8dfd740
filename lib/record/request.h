#ifndef RECORD_REQUEST_H
#define RECORD_REQUEST_H
/*
 * request - one request to a model, in no provider's dialect.
 *
 * Memory   request_read() allocates the lists; request_release() frees those.
 *          Everything they point at is borrowed from the tree, or from whoever
 *          filled the struct in to write it.
 * Errors   ERR_INPUT, as in any.
 * Limits   a line of REQUEST_MAX bytes: media go by reference.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/value.h"

struct buf;
struct err;
struct exhibit;
struct json;

enum {
	REQUEST_MAX = 32 << 20,
	REQUEST_CALLS_MAX = 128, /* of one message */
};

enum request_role {
	ROLE_SYSTEM,
	ROLE_USER,
	ROLE_ASSISTANT,
	ROLE_TOOL,
};

struct request_call {
	const char *id;        /* the provider's, or call_N */
	const char *name;      /* of the tool */
	const char *arguments; /* JSON text, as the provider sent it */
};

struct request_message {
	enum request_role role;
	const char *text;
	const char *label; /* "source", "request", "steer", "note" or NULL */
	struct request_call *calls; /* of an assistant */
	size_t call_count;
	const char *call;      /* of a tool: the id that it answers */
	const char *name;      /* of a tool, or NULL */
	struct value echo;     /* of an assistant: fields of finish.echo */
	struct exhibit *media; /* of a user: shown after the text */
	size_t media_count;
};

struct request_tool {
	const char *name, *description;
	struct value parameters; /* a JSON Schema */
};

struct request {
	const char *id, *profile, *purpose;
	const char *task, *actor; /* or NULL */
	bool stream;
	bool must_show; /* fail rather than leave out any of the media */
	struct request_message *messages;
	size_t message_count;
	struct request_tool *tools;
	size_t tool_count;
	int64_t max_output; /* tokens; 0 for the profile's reserve */
};

/* Calls as the member "calls" of a message. */
void request_calls_write(struct buf *b, const struct request_call *calls,
    size_t count);

/* Free a list of calls whose texts are its own, not borrowed from a tree. */
void request_calls_free(struct request_call *calls, size_t count);

int request_read(struct request *r, const struct json *root, struct err *e);
void request_write(struct buf *b, const struct request *r);
void request_release(struct request *r); /* harmless on {0}, or twice */

#endif
