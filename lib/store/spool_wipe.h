#ifndef STORE_SPOOL_WIPE_H
#define STORE_SPOOL_WIPE_H
/*
 * spool_wipe - take deleted messages out of the events that are spooled.
 *
 * Whoever reads the spool needs its numbers and sequences, not what a message
 * said that is deleted since. So its bytes are overwritten in place with blanks
 * (store/wipe): no line moves, no number changes, the writer goes on, and a
 * reader that comes there later meets an event about nothing. One that reads
 * those very bytes at that moment may meet an event that is no JSON, which it
 * passes over. Only whole lines are touched. To repeat it is harmless.
 *
 * Errors   ERR_IO, ERR_CONFIG.
 */

struct err;
struct graves;

/* In the spools of all shards; the graves are sorted. Synced when it returns. */
int spool_wipe(const struct graves *g, struct err *e);

#endif
