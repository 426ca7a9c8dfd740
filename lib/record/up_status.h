#ifndef RECORD_UP_STATUS_H
#define RECORD_UP_STATUS_H
/*
 * up_status - how the resident programs are, as sophia-up says it and
 * run/up.json keeps it. Memory and errors as in record/any.
 */

#include <stdbool.h>
#include <stdint.h>

struct buf;
struct err;
struct json;

enum { UP_CHILDREN_MAX = 16 };

struct up_child {
	const char *name;   /* "gateway" */
	const char *state;  /* starting, up, waiting, ended, failed, stopping */
	int pid;            /* 0 if it doesn't run */
	int64_t since_ms;   /* in this state: wall time */
	int64_t restarts;   /* by this sophia-up */
	int64_t next_ms;    /* of waiting: when it is started; 0 for none */
	const char *detail; /* what it says of itself; NULL for nothing */
	const char *error;  /* how it ended last; NULL if it never did badly */
};

struct up_status {
	const char *state; /* up, stopping or stopped */
	int pid;
	int64_t at_ms, since_ms; /* said; started: wall time */
	struct up_child children[UP_CHILDREN_MAX];
	int count;
};

int up_status_read(struct up_status *x, const struct json *root, struct err *e);
void up_status_write(struct buf *b, const struct up_status *x);

#endif
