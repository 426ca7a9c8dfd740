#ifndef DISCORD_COMPOSE_H
#define DISCORD_COMPOSE_H
/*
 * compose - the body of a message to be sent or edited ("Create Message" in
 * Discord's documentation).
 *
 * Nobody is mentioned, whatever the text says, but those who are given: there is
 * no body without allowed_mentions. A message with a nonce bears
 * enforce_nonce, so that sending it again within some minutes sends no second
 * one. A reply to what is gone is sent all the same.
 *
 * Memory   {0} is an empty message; everything is borrowed for the call.
 */

#include <stdbool.h>
#include <stddef.h>

struct buf;

struct compose {
	const char *content;
	const char *nonce; /* NULL for an edit, or a webhook */
	const char *reply; /* id of the message it replies to, or NULL */
	const char *file;  /* name of the file that goes with it, or NULL */
	bool ephemeral;    /* of an interaction: only one person sees it */
	bool buttons;      /* it has these, or none any more */
	unsigned which;    /* enum button */
	const char *task;  /* that they are about */
	const char *components;    /* JSON of an array of others, or NULL */
	const char *const *people; /* ids that are mentioned */
	size_t people_count;
	const char *const *roles; /* likewise */
	size_t role_count;
	bool everyone; /* @everyone and @here are */
};

/* Append the JSON, no newline. */
void compose_write(struct buf *b, const struct compose *c);

#endif
