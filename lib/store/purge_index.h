#ifndef STORE_PURGE_INDEX_H
#define STORE_PURGE_INDEX_H
/*
 * purge_index - for store/purge alone: the messages and words in the index.
 *
 * Mostly the rows went when the deletion was noted, in the next commit; if that
 * broke off, they go here. Then the words.
 */

#include <stdbool.h>

struct err;
struct graves;

enum { PURGE_INDEX_LATER, PURGE_INDEX_DONE, PURGE_INDEX_MORE };

/*
 * A turn or two of it: how it stands then, or -1. LATER if the words have to
 * wait, or the index is being read, or is to be rebuilt first.
 */
int purge_index(const struct graves *g, bool now, struct err *e);

#endif
