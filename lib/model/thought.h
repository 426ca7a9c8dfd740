#ifndef MODEL_THOUGHT_H
#define MODEL_THOUGHT_H
/*
 * thought - keep what a provider wants to see again of its own reasoning.
 *
 * The fields are kept under the names they came with: reasoning_content,
 * reasoning, reasoning_details. Streamed pieces of reasoning_details with the
 * same index and type (without an index: that follow each other) are one: their
 * text, summary and data are joined, id, format and signature are set once.
 *
 * Memory   {0} is none; thought_release() frees it. Over THOUGHT_MAX bytes
 *          nothing is kept at all: half a thought is refused, none is not.
 */

#include <stdbool.h>
#include <stddef.h>

#include "core/buf.h"

struct json;
struct thought_part;

enum { THOUGHT_MAX = 256 << 10, THOUGHT_PARTS_MAX = 256 };

struct thought {
	struct buf content, reasoning; /* private */
	struct thought_part *parts;
	size_t count;
	size_t bytes;
	bool lost;
};

/*
 * Take the reasoning of a message or a piece of one. What of it a person may
 * read is added to shown.
 */
void thought_add(struct thought *t, const struct json *message,
    struct buf *shown);

/*
 * Write it as the object `echo`, stamped with the model that thought it; false,
 * and nothing written, if there is none.
 */
bool thought_write(const struct thought *t, const char *model, struct buf *out);

void thought_release(struct thought *t); /* harmless on {0}, or twice */

#endif
