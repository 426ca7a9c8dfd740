#ifndef RECORD_EVENT_H
#define RECORD_EVENT_H
/*
 * event - one thing that Discord's gateway told us: the dispatch as it came.
 *
 *	{"type":"event","shard":0,"number":7,"name":"MESSAGE_CREATE",
 *	 "sequence":42,"at":"2026-11-30T16:33:57.000Z","data":{...}}
 *
 * (shard, number) identifies it; the spool gives the number, so it is 0 in
 * what never was in a spool. The sequence is Discord's, 0 for none.
 *
 * The data may be 32 MiB, and most readers throw most events away: so only what
 * stands before it is looked at, and data, the last member, is a slice of the
 * line. Whether it is JSON is found by whoever reads it.
 *
 * Memory   data is borrowed from the line, or from whoever writes.
 * Errors   ERR_INPUT for a line that is none.
 */

#include <stddef.h>
#include <stdint.h>

struct buf;
struct err;

enum { EVENT_NAME_MAX = 64 };

struct event {
	int shard;
	int64_t number;
	char name[EVENT_NAME_MAX + 1]; /* of A-Z a-z 0-9 _ */
	int64_t sequence;
	int64_t at_ms; /* when it was received */
	const char *data;
	size_t data_len;
};

int event_read(struct event *x, const char *line, size_t len, struct err *e);

/*
 * The line with its newline; line breaks in the data are left out. The name
 * must be one: x was read, or its name is our own.
 */
void event_write(struct buf *b, const struct event *x);

/*
 * The same in pieces, for a writer that doesn't copy the data: this, then the
 * data without line breaks, then "}\n". ERR_INPUT if there is no such name.
 */
int event_head(struct buf *b, const struct event *x, struct err *e);

#endif
