#ifndef RETRIEVE_COVER_H
#define RETRIEVE_COVER_H
/*
 * cover - what a page can speak for: the `coverage` record.
 *
 * searched   the channels asked that have messages, most first, at most
 *            COVER_CHANNELS of them; `others` counts the rest. from and to are
 *            the first and the last message indexed within the times asked.
 * missing    the stretches of these channels' history, and of channels that were
 *            asked for by name, that nobody says are complete, as far as they are inside the times asked: before the
 *            first range, between two, and after the last one (then without an
 *            end: newer messages may exist).
 * forbidden  channels whose history Sophia may not read, and why; and how many
 *            others the answer must not show, without their names.
 * indexed_at when the newest message of these channels was sent.
 * edited_since  messages of the scope edited since the first page was made.
 *
 * An empty answer with nothing missing is another one than an empty answer.
 */

#include <stdint.h>

struct buf;
struct err;
struct scope;

enum { COVER_CHANNELS = 20, COVER_EDITS = 100 };

/*
 * Append the members of the record, without its braces. since_ms is when the
 * first page was made, 0 if this is it.
 */
int cover_write(struct buf *to, struct scope *s, int64_t since_ms,
    struct err *e);

#endif
