#ifndef RECORD_GAP_H
#define RECORD_GAP_H
/*
 * gap - what is left of a record when a source that it shows, or rests on, was
 * deleted or may not be read any more. Pure.
 *
 * A source becomes a named gap: its link, author, channel and time, and
 * "gone":true in place of its text and all else.
 *
 * A record that shows such a source keeps the other sources. What a tool said
 * about them all (summary, data, error text) is left out, since nobody can tell
 * which source it is from: of the data there stay numbers, truth values, ids of
 * Discord's and mentions, so that what was done, and to what, remains known.
 *
 * A record that was derived (the model had been shown the source before it
 * asked for the call) loses more: its cursor and coverage, which may repeat
 * what was asked; and every source that is no message, whose link may be the
 * model's words. Messages stay: they are there by themselves.
 *
 * Memory   The results are added to b; trees are borrowed for the call.
 */

#include <stdbool.h>

struct buf;
struct json;

/* Is a source gone, by its link? */
typedef bool gap_fn(void *ctx, const char *url);

/* What stands where a text was: of a tool, of the model, of a person. */
extern const char gap_text[];
extern const char gap_name[]; /* of a tool that there isn't */

/*
 * A result or error record, without the end of a line. Returns whether a source
 * of it is gone; if not, and it isn't derived, b gets it as it was.
 */
bool gap_record(struct buf *b, const struct json *record, bool derived,
    gap_fn *gone, void *ctx);

/* Is that the name of a tool, and not a word that the model made up? */
typedef bool gap_name_fn(void *ctx, const char *name);

/* The message of a model that asked for calls: their names, nothing else. */
void gap_message(struct buf *b, const struct json *message, gap_name_fn *known,
    void *ctx);

/* What may stay of any JSON, as said above of the data. */
void gap_data(struct buf *b, const char *key, const struct json *v);

/* A record for a person: its text and sources are left out, the rest stays. */
void gap_said(struct buf *b, const struct json *record);

#endif
