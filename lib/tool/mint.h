#ifndef TOOL_MINT_H
#define TOOL_MINT_H
/*
 * mint - what a call hands over becomes an artifact of its task, for good: by
 * code in a container (workspace/cabinet), or by a tool's program (record/
 * attach). It is committed when the call returns, whatever becomes of the rest.
 *
 * The type is told by the bytes; id and version are the store's.
 *
 * Limits   MINT_MOST artifacts of MINT_BYTES together in a call.
 * Memory   {0} with store, task and call set; these are borrowed.
 * Errors   ERR_INPUT for a filename that won't do, ERR_REFUSED for too much, or
 *          if what the call rests on is gone; else the store's.
 */

#include <stddef.h>
#include <stdint.h>

struct artifact;
struct err;
struct store;

enum { MINT_MOST = 100, MINT_BYTES = 64 << 20 };

struct mint {
	struct store *store; /* no transaction is open between calls */
	const char *task;
	int64_t call;

	size_t count, bytes; /* handed over so far */
};

/* Room for so many bytes more? Also for who keeps them elsewhere. */
int mint_room(size_t count, size_t bytes, size_t len, struct err *e);

/* *a is filled in; its texts are borrowed from the arguments. */
int mint_artifact(struct mint *m, const char *filename, const void *bytes,
    size_t len, struct artifact *a, struct err *e);

#endif
