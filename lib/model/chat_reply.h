#ifndef MODEL_CHAT_REPLY_H
#define MODEL_CHAT_REPLY_H
/*
 * chat_reply - decode the reply to a chat completion, streamed or whole, into
 * records. Pure: the bytes of the body in, lines out.
 *
 * Which of the two it is, its first byte tells: some servers answer in one
 * piece when asked to stream, and some errors come so. Text and reasoning come
 * out with the bytes that end them; calls, usage and the verdict at the end.
 * Exactly one verdict ends the records: `finish`, or `error` if the provider
 * said so, or if the reply ends without saying that it is over.
 *
 * Cuts     However the bytes are cut, the records are the same.
 * Memory   {0} with the borrowed members set is a reply before its first byte;
 *          chat_reply_release() frees it. At most CHAT_REPLY_MAX bytes of a
 *          body are read; a whole one is kept until its end.
 */

#include <stdbool.h>
#include <stddef.h>

#include "core/buf.h"
#include "model/calls.h"
#include "model/refusal.h"
#include "model/meter.h"
#include "model/sse.h"
#include "model/thought.h"

struct aliases;
struct profile;
struct request;

enum { CHAT_REPLY_MAX = 16 << 20 };

struct chat_reply {
	const struct request *request; /* borrowed: whose reply it is, */
	const struct profile *profile; /* who gave it, and what the tools */
	const struct aliases *aliases; /* were called on the wire */
	const char *secret;            /* no error may quote it; or NULL */

	struct refusal refusal; /* to be read after the end: of an error */
	struct meter meter;     /* and what was used */
	bool shown;             /* some text or reasoning came */
	size_t content; /* grows with what is more than a sign of life */

	struct sse sse; /* private from here */
	struct buf whole, text, thinking;
	struct calls calls;
	struct thought thought;
	struct refusal gave_up; /* the reply ended in an error's name */
	size_t bytes;
	char first; /* byte that is no white space */
	bool answered, finished, over, cut, filtered, ending;
};

/* Take bytes of the body; add what they end to out. */
void chat_reply_feed(struct chat_reply *r, const char *bytes, size_t len,
    struct buf *out);

/* The body is over: add calls, usage and the verdict. */
void chat_reply_end(struct chat_reply *r, struct buf *out);

/*
 * Nothing more will come, for a reason that is not in the body: add the usage,
 * if there was any, and an error. wait_ms may be 0.
 */
void chat_reply_fail(struct chat_reply *r, const struct refusal *why,
    int64_t wait_ms, struct buf *out);

void chat_reply_release(struct chat_reply *r); /* harmless on {0}, or twice */

#endif
