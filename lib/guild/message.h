#ifndef GUILD_MESSAGE_H
#define GUILD_MESSAGE_H
/* message - what changes ask and tell of messages, as Discord has them. */

#include <stdbool.h>

struct buf;
struct json;

/* Somebody's, or a command's: no notice of Discord's own. */
bool message_is_ones(const struct json *message);

/* {"message": {"id"}}, of one that was sent: for change_send_part() */
void message_tell(struct buf *to, const struct json *message);

#endif
