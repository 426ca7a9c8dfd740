#ifndef RECORD_SOURCE_H
#define RECORD_SOURCE_H
/*
 * source - a message as something that an answer rests on: a member of the
 * sources of a result, with its link, revision, author, channel, time and text.
 */

struct buf;
struct message;

void source_of_message(struct buf *to, const struct message *m);

#endif
