#ifndef GATEWAY_RECORDER_H
#define GATEWAY_RECORDER_H
/*
 * recorder - payloads in a file, one a line, as they were received: to be fed
 * to sophia-gateway --replay. What we send, and so the token, is not in it.
 *
 * Memory   {0} is a closed one.
 * Errors   ERR_CONFIG or ERR_IO; after one it is closed.
 */

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct err;
struct outlet;

struct recorder {
	FILE *file; /* private */
};

int recorder_open(struct recorder *r, const char *path, struct err *e);
int recorder_add(struct recorder *r, const char *text, size_t len,
    struct err *e);
int recorder_close(struct recorder *r, struct err *e); /* harmless on {0} */

/*
 * Put the events of such a file ("-" for stdin) where they go: how many, or -1.
 * A line that is no payload is complained of and passed over.
 */
int64_t recorder_replay(const char *path, struct outlet *to, struct err *e);

#endif
