#ifndef WORKSPACE_ORIGINAL_H
#define WORKSPACE_ORIGINAL_H
/*
 * original - an attachment as Discord has it now: its message is fetched, since
 * the address of a file holds for a day, and then the file.
 *
 * An address that has expired says nothing about the file, so what is kept of
 * one is not looked at where there is a message to ask. Three things can be
 * wrong with that, and are told apart: it isn't there (any more); it is, and
 * the file was taken off it; Sophia may not read it.
 *
 * Order    original_message(), original_file().
 * Memory   {0} is none; original_release(). Texts are its own until then.
 * Errors   ERR_INPUT there is no such message, or it has no such attachment;
 *          ERR_DENIED Sophia may not read it; ERR_REFUSED the file is larger
 *          than may be, or the media host says no; those of discord/rest and
 *          discord/download for the rest. *stop set by a member of the poll:
 *          ERR_REFUSED.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "discord/download.h"
#include "record/message.h"

struct attached;
struct err;
struct json;
struct rest;

enum { ORIGINAL_MOST = 20 << 20 }; /* bytes of a file */

struct original {
	struct rest *rest;
	const bool *stop; /* give it up */

	struct message
	    message; /* what Discord says of it; {0} if it has none */
	const char *url, *name;
	int64_t size;
	struct download file;

	struct json *root; /* private */
};

int original_message(struct original *o, const struct attached *a,
    struct err *e);
int original_file(struct original *o, struct err *e);
void original_release(struct original *o); /* harmless on {0}, or twice */

#endif
