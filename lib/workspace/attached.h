#ifndef WORKSPACE_ATTACHED_H
#define WORKSPACE_ATTACHED_H
/*
 * attached - to which message an attachment belongs, by what is kept here, and
 * whether whoever asks may read it there.
 *
 * Where    With a request of this task: its own, or one that it replies to or
 *          forwards. Else in the message that a link leads to. Else in one that
 *          the index knows.
 * May      What came with a request in the place of this call, they have seen
 *          there. Else the channel of the message must be one that an answer to
 *          them may take its sources from (see access/venue). What is hidden is
 *          told of in the same words as what isn't there.
 * Memory   {0} is none; attached_release().
 * Errors   ERR_INPUT for what is no id or link, and what isn't found;
 *          ERR_DENIED for a channel that can't be read.
 */

#include <stdbool.h>
#include <stdint.h>

struct context;
struct db;
struct err;
struct store;

struct attached {
	uint64_t id;
	uint64_t channel, message; /* 0: it came with a command, and there is
				    * no message of it; url is where it lies */
	uint64_t guild;            /* 0: direct messages */
	char *place; /* what the channel is called; NULL if nobody knows */
	char *url, *name;
	int64_t size;
	bool asked; /* with a request in this place */
};

/*
 * The attachment with that id; link may be NULL, and index as well, where there
 * is none.
 */
int attached_find(struct attached *a, struct store *tasks, struct db *index,
    const struct context *c, const char *id, const char *link, struct err *e);
void attached_release(struct attached *a); /* harmless on {0}, or twice */

/* The one with that id in a list of attachments, or NULL. */
const struct json *attached_in(const struct json *list, uint64_t id);

#endif
