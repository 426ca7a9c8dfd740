#ifndef RECORD_PURGE_STATUS_H
#define RECORD_PURGE_STATUS_H
/*
 * purge_status - how many deletions are under way still, by what they wait for:
 * {"type":"purge",...}.
 */

#include <stdint.h>

struct buf;

struct purge_status {
	int64_t tasks; /* to be taken out of the tasks first */
	int64_t spool; /* then out of the gateway's events */
	int64_t index; /* and out of the words of the index */
};

void purge_status_write(struct buf *b, const struct purge_status *s);

#endif
