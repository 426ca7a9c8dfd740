#ifndef MODEL_QUOTE_H
#define MODEL_QUOTE_H
/*
 * quote - words out of a message: shortened, with source.
 *
 * What is quoted comes on one line, and without links to messages, since those
 * in an answer are its evidence. It is cut between words, or else between
 * characters: never inside one, nor before a mark or a joiner that belongs to
 * the one before. Text must be UTF-8.
 */

#include <stddef.h>

struct buf;
struct json;

/* Add text, at most about max bytes of it, with an ellipsis if it was cut. */
void quote_shorten(struct buf *to, const char *text, size_t max);

/* Add a source: its text, author, channel, UTC time and link. */
void quote_write(struct buf *to, const struct json *source, size_t max);

#endif
