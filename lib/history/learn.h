#ifndef HISTORY_LEARN_H
#define HISTORY_LEARN_H
/*
 * learn - tell the language of a channel by its messages, once there are
 * enough, and make their tokens for it.
 *
 * An import holds the first messages back for that (history/hold); what comes
 * live or in pages is put at once, and learnt from here.
 *
 * Within the turn of an ingest.
 */

struct err;
struct ingest;
struct message;

/* Look whether it is time, as the channel of this message has a new one. */
int learn_sometimes(struct ingest *in, const struct message *m, struct err *e);

/* Look now: after a page. */
int learn_channel(struct ingest *in, const struct message *m, struct err *e);

#endif
