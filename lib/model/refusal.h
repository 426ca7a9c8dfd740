#ifndef MODEL_REFUSAL_H
#define MODEL_REFUSAL_H
/*
 * refusal - why a provider gave no answer, in its words and in ours.
 *
 * Providers agree neither on the shape of an error nor on its status: an
 * invalid key is 400 at one, an error may come inside HTTP 200 or in the middle
 * of a stream. All shapes that were recorded are read here.
 *
 * Kinds    ERR_AGAIN later; ERR_CONFIG a person must mend key, credit, model
 *          name, server or profile; ERR_INPUT the request must change;
 *          ERR_REFUSED no, and it would be no again.
 * Codes    context_length key credit model server profile rate_limit overloaded
 *          timeout policy too_large tool_use_failed provider bad_request; made
 *          elsewhere: truncated not_json too_long connect cancelled.
 * Memory   A refusal holds its own copies, cut to fit; {0} is none.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/err.h"

struct json;

struct refusal {
	enum err_kind kind; /* ERR_NONE for none */
	char code[24];
	char text[440];
	/* Of context_length, in tokens, 0 where not said: what the model holds,
	 * and by how much the request was over it. */
	int64_t limit, over;
};

void refusal_set(struct refusal *r, enum err_kind kind, const char *code,
    const char *fmt, ...) FORMAT(4, 5);

/*
 * Providers quote the key they got: put asterisks over it, also where only its
 * beginning was left by a cut. secret may be NULL.
 */
void refusal_blot(struct refusal *r, const char *secret);

/* True, and *r filled in, if a payload of a reply is an error, or has one. */
bool refusal_find(struct refusal *r, const struct json *payload);

/* The body of a reply whose HTTP status is not 2xx: JSON, a page or nothing. */
void refusal_read(struct refusal *r, int status, const char *body, size_t len);

#endif
