#ifndef DISCORD_RAW_H
#define DISCORD_RAW_H
/*
 * raw - read a message object as Discord's API and gateway give it
 * ("Message Object" in Discord's documentation).
 *
 * It names neither its channel nor its guild; the gateway adds the guild's id.
 * What is missing stays empty, and the index keeps what it knew.
 *
 * Memory   the message borrows from its JSON.
 * Errors   ERR_INPUT, naming the field.
 */

#include <stdbool.h>

struct err;
struct json;
struct message;

bool raw_is(const struct json *v); /* it looks like one */
int raw_read(struct message *m, const struct json *v, struct err *e);

/*
 * One of which only a part may be there, as MESSAGE_UPDATE gives it, perhaps
 * without an author: *told says what, in bits of enum message_told.
 */
int raw_read_part(struct message *m, const struct json *v, unsigned *told,
    struct err *e);

#endif
