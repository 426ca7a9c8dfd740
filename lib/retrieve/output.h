#ifndef RETRIEVE_OUTPUT_H
#define RETRIEVE_OUTPUT_H
/*
 * output - a page as records, as text for people, or as sources for a model.
 *
 * All three append to a buffer, inside the view that the page was found in, so
 * that nothing is read from the database any more when the pipe is written.
 *
 * Errors   those of ext/db; ERR_REFUSED for more bytes than the buffer's limit:
 *          ask for fewer rows.
 */

#include <stddef.h>

struct corpus;
struct buf;
struct err;
struct message;
struct page;

/* `message` records, then `page`, then `coverage`. */
int output_records(struct buf *to, struct corpus *c, struct page *p,
    struct err *e);

/* The same for a terminal; a hit is marked when there are neighbours. */
int output_people(struct buf *to, struct corpus *c, struct page *p,
    struct err *e);

/* A JSON array of sources: with link, revision, author, channel, time, text. */
int output_sources(struct buf *to, struct corpus *c, struct page *p,
    struct err *e);

/* One message for people. */
void output_person(struct buf *to, const struct message *m);

/* The members of a coverage record as a JSON object. */
int output_coverage(struct buf *to, struct page *p, struct err *e);

#endif
