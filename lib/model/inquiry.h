#ifndef MODEL_INQUIRY_H
#define MODEL_INQUIRY_H
/*
 * inquiry - one request to a model over HTTP, from its start to its verdict.
 *
 * Order    inquiry_start(), then steps of the poll loop. Before each attempt
 *          admit() is asked, again and again until it lets it go; after each
 *          one settle() is told. told() gets records as they come, the last of
 *          which is the verdict, then ended() is called, once. An attempt that
 *          produced nothing is made again as retry says. One that the provider
 *          refuses, and that showed media, is made again once without them:
 *          a picture that it can't take, or fetch, must not end a task.
 * Cancel   inquiry_cancel() closes the connection at once; the verdict is an
 *          error with the code `cancelled`.
 * Memory   {0} with the first members set is one before its start. It must not
 *          move until ended(), and is then to be released; ended() may do so.
 *          Request, profile and key are borrowed until then.
 * Secrets  The key is sent in a header and shown nowhere: where a provider
 *          quotes it in an error, it is blotted out.
 */

#include <stdbool.h>
#include <stddef.h>

#include "core/buf.h"
#include "core/poll.h"
#include "ext/http.h"
#include "model/aliases.h"
#include "model/chat_reply.h"
#include "model/gallery.h"
#include "model/profile.h"

struct request;

struct inquiry_hooks {
	/* May an attempt be made now? 1, 0 not yet, -1 and *e never. */
	int (*admit)(void *ctx, struct err *e);
	/* It is over: what was used, and why it failed, if it did. */
	void (*settle)(void *ctx, const struct meter *used,
	    const struct refusal *why);
	void (*told)(void *ctx, struct buf *records);
	void (*ended)(void *ctx);
	void *ctx;
};

struct inquiry {
	struct http *http;
	struct poll *poll;
	const struct profile *profile;
	const struct request *request;
	const char *key; /* NULL: none is sent */
	struct gallery_source media;
	struct inquiry_hooks hooks;

	enum err_kind verdict; /* to be read after the end: 0, or what failed */
	char text[512];        /* and why */

	struct http_call call; /* private from here */
	struct poll_timer next, linger, silent;
	struct aliases aliases;
	struct chat_reply reply;
	struct buf body, url, auth, out, page;
	const char *headers[PROFILE_HEADERS_MAX + 4];
	int retries;
	bool admitted, over, shows; /* shows: media are in the body */
};

/* -1 and *e if the request can't be put into words; ended() is not called. */
int inquiry_start(struct inquiry *x, struct err *e);
void inquiry_cancel(struct inquiry *x);  /* harmless when it is over */
void inquiry_release(struct inquiry *x); /* harmless on {0}, or twice */

#endif
