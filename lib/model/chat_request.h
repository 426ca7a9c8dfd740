#ifndef MODEL_CHAT_REQUEST_H
#define MODEL_CHAT_REQUEST_H
/*
 * chat_request - a request as the body of a chat completion.
 *
 * The same request and profile give the same bytes: tools and messages in their
 * order, the arguments of calls as the provider once wrote them. So what was
 * sent before is a prefix of what is sent next, and provider caches hit.
 *
 * - All system texts are one system message, the first.
 * - Calls and results are paired (see pairs).
 * - A turn with calls and no text has content null; no text is ever empty.
 * - Arguments that are no JSON object go back as {}.
 * - The media of a user's message are parts of its content, after its text, as
 *   gallery has planned it; those that are not shown are a line of JSON
 *   in its text each, in which their names are data.
 * - Reasoning goes back as the profile's echo says, and only to the model that
 *   thought it.
 *
 * Errors   ERR_INPUT if nothing is asked.
 */

#include <stddef.h>
#include <stdint.h>

struct buf;
struct err;
struct aliases;
struct gallery;
struct profile;
struct request;

/*
 * Add the body; names is filled with the request's tools. The bytes in g are
 * gone afterwards.
 */
int chat_request_write(struct buf *body, const struct request *r,
    const struct profile *p, struct gallery *g, struct aliases *names,
    struct err *e);

/*
 * A guess at how many tokens so many messages with so many bytes are, in no
 * tokenizer: 3.5 bytes make a token, and each message has 4 more. Measured
 * texts are 1.8 to 6.5.
 */
int64_t chat_request_guess(size_t bytes, size_t messages);

/* The same of what is in a request, its media as inputs let them pass. */
int64_t chat_request_tokens(const struct request *r, unsigned inputs);

#endif
