#ifndef ACCESS_INDEX_H
#define ACCESS_INDEX_H
/*
 * index - the message index, to be asked once who may read what.
 */

struct db;
struct err;
struct store;

/* In one view; *db is NULL if there is no index. store_close() ends it. */
int index_open(struct store *s, struct db **db, struct err *e);

#endif
