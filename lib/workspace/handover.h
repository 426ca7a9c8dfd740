#ifndef WORKSPACE_HANDOVER_H
#define WORKSPACE_HANDOVER_H
/*
 * handover - what code asks the host while it runs: attach and its kin. Pure.
 *
 * The code has connections (guest/doors), and on each it writes one question
 * after the other: a JSON object on a line, with "do" and "size", then that
 * many bytes; and it reads an answer to each: a JSON object on a line, and
 * then the bytes that "bytes" of it counts.
 *
 *	{"do":"attach","name":NAME,"size":N}        {"attachment":{...}}
 *	{"do":"list","size":0}                      {"attachments":[...]}
 *	{"do":"get","which":W,"version":V,"size":0} {"attachment":{...}}
 *	{"do":"read","which":W,"version":V,...}     {"bytes":N} and they
 *	                                            {"error":WHY}
 *
 * V counts from 1, negative ones from the end, 0 is the latest.
 *
 * Limits   A line of HANDOVER_LINE_MOST bytes, HANDOVER_BYTES_MOST after it; of
 *          all connections together HANDOVER_WAITING bytes wait to be whole.
 * Errors   Who breaks the rules is told so, and is heard no more until its
 *          connection is opened anew.
 * Memory   {0} with answer and ctx set, if anything is answered. A question is
 *          borrowed for the call.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/buf.h"

enum {
	HANDOVER_CONNECTIONS = 16,
	HANDOVER_LINE_MOST = 4096,
	HANDOVER_BYTES_MOST = 20 << 20,
	HANDOVER_WAITING = 64 << 20,
};

struct handover_question {
	const char *what;         /* "do" */
	const char *name, *which; /* NULL if not there */
	int64_t version;
	const char *bytes;
	size_t len;
};

struct handover {
	/* Add the answer to b: line and bytes. NULL refuses all. */
	void (*answer)(void *ctx, const struct handover_question *q,
	    struct buf *b);
	void *ctx;

	struct handover_line { /* private from here */
		bool open, mute;
		uint64_t number;
		struct buf waiting;
	} at[HANDOVER_CONNECTIONS];
};

/*
 * Bytes of a connection, none to open it; what is answered is added to b.
 * ERR_REFUSED for a connection that can't be.
 */
int handover_hear(struct handover *h, uint64_t connection, const char *bytes,
    size_t len, struct buf *b, struct err *e);
void handover_hang(struct handover *h, uint64_t connection);
void handover_release(struct handover *h); /* harmless on {0}, or twice */

/* The line that says no. */
void handover_refuse(struct buf *b, const char *why);

#endif
