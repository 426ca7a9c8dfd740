#ifndef CONVERSE_POST_H
#define CONVERSE_POST_H
/*
 * post - requests to Discord that somebody sends off and is told of: what
 * they are made of is theirs, and goes when they end.
 *
 * Memory   {0} with rest set is none under way. A post belongs to its list
 *          and is freed after done() was called, or by posts_release(), which
 *          doesn't call it. Fill in path and body, then start it. A file that
 *          goes with it is borrowed until then.
 */

#include "core/buf.h"
#include "discord/rest.h"

struct err;

struct post {
	struct rest_call call;
	struct buf path, body;
	struct rest_file file; /* if it has a name */
	void (*done)(void *ctx, const struct rest_call *call); /* or NULL */
	void *ctx;

	struct posts *owner; /* private */
	struct post *next;
};

struct posts {
	struct rest *rest;
	struct post *first; /* private */
};

struct post *post_new(struct posts *list, const char *method,
    enum rest_urgency urgency);

/* If it can't be started, done() is not called, and it is gone. */
int post_start(struct post *x, struct err *e);

void posts_release(struct posts *list); /* harmless on {0}, or twice */

#endif
