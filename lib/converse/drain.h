#ifndef CONVERSE_DRAIN_H
#define CONVERSE_DRAIN_H
/*
 * drain - delivers what waits in the outbox, once: for a cron job, or where no
 * sophia-converse runs. While one runs it is ERR_AGAIN, as that delivers.
 *
 * Errors   ERR_AGAIN too if some of it has to wait until Discord is well.
 */

struct err;

int drain_run(struct err *e);

#endif
