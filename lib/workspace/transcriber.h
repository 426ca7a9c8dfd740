#ifndef WORKSPACE_TRANSCRIBER_H
#define WORKSPACE_TRANSCRIBER_H
/*
 * transcriber - sound in, words out: one request to a model, by a sophia-model
 * of its own, which has the key, takes the slot and counts what is used. What
 * the model is told is share/prompts/transcription.md.
 *
 * Order    transcriber_start(); ended(), once. transcriber_cancel() before.
 * Limits   TRANSCRIBER_WORDS bytes of words.
 * Errors   of ended(): as the model program gives them; ERR_REFUSED for an
 *          answer without words, or too many.
 * Memory   {0} with the members above the line set; they are borrowed until
 *          ended(). It must not move while it runs.
 */

#include <stdbool.h>
#include <stdint.h>

#include "core/buf.h"
#include "core/child.h"
#include "core/err.h"
#include "tool/environ.h"

struct poll;

enum { TRANSCRIBER_WORDS = 256 << 10 };

struct transcriber {
	const char *profile;
	const char *call, *task, *actor; /* that it is counted for */
	const char *hash;                /* of the sound, see store/content */
	void (*ended)(void *ctx, const struct err *why);
	void *ctx;

	struct buf words; /* to be read in ended() */
	bool cut;         /* the model's answer was: there may be more */

	struct child child; /* private from here */
	struct environ env;
	bool finished;
	struct err failed;
};

int transcriber_start(struct transcriber *x, struct poll *p, struct err *e);
void transcriber_cancel(struct transcriber *x);
void transcriber_release(struct transcriber *x); /* harmless on {0}, twice */

#endif
