#ifndef RUNTIME_PICTURES_H
#define RUNTIME_PICTURES_H
/*
 * pictures - what a model is shown besides words: files of messages, what code
 * handed over before, and what the calls of a round gave.
 *
 * Each is a message with the label `source`: a line of JSON for each file, in
 * which its name is data as all that people write, and the pictures themselves.
 * Whether the model takes them is decided where the request is written
 * (model/gallery), before any of them is read.
 *
 * Attached  goes by its address at Discord's, if that holds still
 *           (access/attached); all else is told without it.
 * Artifacts The newest pictures of the task go as the copies that were checked
 *           and scaled (their wire copies); other ones are told by name.
 */

#include <stddef.h>
#include <stdint.h>

struct dialog;
struct err;
struct json;
struct runner;

/* Files of a message (its `attachments`); lead is the message's first line. */
void pictures_attached(struct dialog *d, const char *lead,
    const struct json *attachments, int64_t now_ms);

/* Of a task that goes on: its artifacts. */
int pictures_artifacts(struct dialog *d, const struct runner *r, struct err *e);

/*
 * The media of the records that a round's calls gave; but none of another task,
 * whatever a tool may have learnt the name of.
 */
int pictures_given(struct dialog *d, const struct runner *r,
    struct json *const *records, size_t count, struct err *e);

#endif
