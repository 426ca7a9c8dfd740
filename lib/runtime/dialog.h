#ifndef RUNTIME_DIALOG_H
#define RUNTIME_DIALOG_H
/*
 * dialog - the messages a model is shown in one turn, and that they fit.
 *
 * Order    The system prompt first, then sources, each in a message of its own
 *          with its label, then the request, then what the model said and what
 *          its calls gave. Nothing that was shown is changed, so the beginning
 *          of each request is the same bytes as before and a provider's cache
 *          hits; only dialog_fit() breaks that, in big steps.
 * Pairs    A call is always followed by its result: whoever adds the one with
 *          dialog_reply() adds the others with dialog_result().
 * Memory   Everything added is copied. {0} is an empty dialog.
 * Units    tokens, estimated by chat_request_guess(); what the provider
 *          counted corrects that as the turn goes on.
 */

#include <stddef.h>
#include <stdint.h>

#include "record/gap.h"
#include "record/request.h"

struct exhibit;

struct dialog {
	struct request_message *messages; /* to be read */
	size_t count;
	unsigned inputs; /* what the profile takes; set it */
	int64_t round;   /* that what is added now belongs to; set it */

	struct dialog_extra *extra; /* private from here, as many */
	size_t room;
	int64_t factor; /* of the estimate, in thousandths; 0 for 1000 */
};

/* A message of ours: the system prompt, a source, the request, a correction. */
void dialog_add(struct dialog *d, enum request_role role, const char *label,
    const char *text);

/* A user's message with pictures, which were given in this round or are ours. */
void dialog_show(struct dialog *d, const char *label, const char *text,
    const struct exhibit *list, size_t count);

/* What the model said; echo is JSON text, or NULL. */
void dialog_reply(struct dialog *d, const char *text,
    const struct request_call *calls, size_t count, const char *echo);

/* What a call gave. stored is the id it is kept under, TASK.N. */
void dialog_result(struct dialog *d, const char *call, const char *name,
    const char *text, const char *stored);

/* What the messages and tools_len bytes of tool schemas would cost. */
int64_t dialog_tokens(const struct dialog *d, size_t tools_len);

/*
 * Leave out the oldest results, one after the other, if there are more than
 * limit tokens, until a third of it is free. Each leaves a line that says where
 * it is stored. Pictures go with the results they stand among, and the newest
 * ones last of all. Returns 1 if something was left out, 0 if it fits as it is, or
 * -1 if it can't be made to fit.
 */
int dialog_fit(struct dialog *d, size_t tools_len, int64_t limit);

/* The provider counted this many tokens where dialog_tokens() said estimate. */
void dialog_learn(struct dialog *d, int64_t estimate, int64_t counted);

/* Where a result is kept, unless it was left out; NULL if it is no result. */
const char *dialog_stored(const struct dialog *d, size_t i);
void dialog_replace(struct dialog *d, size_t i, const char *text);

/* Put all of another in place of the first messages; fresh is empty then. */
void dialog_reopen(struct dialog *d, size_t count, struct dialog *fresh);

/*
 * Leave out what the model said, and what it was told of that, in this round
 * and later ones: only the names of its calls stay, if they are known. Not among the first ones.
 * Pictures go that were given in the round before, too: they may show what is
 * gone, and no text tells.
 */
void dialog_gap(struct dialog *d, size_t first, int64_t round,
    gap_name_fn *known, void *ctx);

void dialog_release(struct dialog *d);

#endif
