#ifndef CONVERSE_HAIL_H
#define CONVERSE_HAIL_H
/*
 * hail - a message of Discord, looked at for whether it addresses Sophia, and
 * made a request of.
 *
 * The request is what its author wrote, and that alone. What others have a
 * hand in (embeds, a forwarded message, the names of those mentioned) goes
 * beside it as source material, and so does the message it replies to: nobody
 * gets words into the mouth of somebody else.
 *
 * Memory   It borrows from the JSON it was read from; hail_release() frees what
 *          is its own, and is harmless on {0}, or twice.
 * Errors   ERR_INPUT, naming the field, for what is no message.
 */

#include <stdbool.h>
#include <stdint.h>

#include "core/buf.h"
#include "record/message.h"

struct json;
struct turn;

enum { HAIL_NAME = 4 * 32 + 1 }; /* bytes: Discord allows 32 letters */

struct hail {
	struct message message;
	struct message answered; /* the one it replies to, if that was given */
	bool human;              /* a person wrote it: no bot, hook or notice */
	bool direct;             /* outside a guild */
	bool mentions;           /* it names Sophia */
	bool replies;            /* it answers a message of Sophia's */
	char id[24], channel[24], guild[24], author[24]; /* guild "" in none */
	const struct json *roles; /* ids of the author's, or NULL: not told */
	char answers[24];         /* the message it replies to, or "" */

	struct buf text, reply; /* private */
	char name[HAIL_NAME];
	struct json *parts;
};

/*
 * Read a message object; us is the id of Sophia's own user. REST leaves the
 * guild out: it may be given, or is NULL.
 */
int hail_read(struct hail *h, const struct json *v, const char *us,
    const char *guild, struct err *e);

/* The turn it asks for, but for its id and task; borrowed from h. */
void hail_turn(struct hail *h, const char *us, struct turn *t);

void hail_release(struct hail *h);

#endif
