#ifndef RETRIEVE_INDEXING_H
#define RETRIEVE_INDEXING_H
/*
 * indexing - the tool index_channel: have the history of a channel fetched.
 *
 * It leaves a wish (store/wanted), which sophia-backfill fulfils when it can,
 * and says what is known of the channel so far. It never says that it is done,
 * unless all that was asked for is known already.
 */

struct answer_parts;
struct call;
struct corpus;
struct err;

/* Takes a turn of the index. What the asker may not read is not there. */
int indexing_queue(struct corpus *c, const struct call *call,
    struct answer_parts *a, struct err *e);

#endif
