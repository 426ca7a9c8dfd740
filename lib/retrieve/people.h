#ifndef RETRIEVE_PEOPLE_H
#define RETRIEVE_PEOPLE_H
/* people - find the names of members in a query, and take them out of it. */

struct corpus;
struct buf;
struct err;
struct ords;

/*
 * Append to rest what remains of query without the names that say who; the
 * authors go to found, which is sorted then. A name is up to three words long.
 */
int people_find(struct corpus *c, const char *query, struct buf *rest,
    struct ords *found, struct err *e);

#endif
