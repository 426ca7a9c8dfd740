#include "guild/message.h"

#include "discord/parts.h"
#include "ext/json.h"
#include "ext/jsonw.h"

/* "Message Types" in Discord's documentation. */
enum { CHAT_COMMAND = 20, CONTEXT_COMMAND = 23 };

bool
message_is_ones(const struct json *message)
{
	int64_t type = json_int(message, "type", KIND_DEFAULT);

	return type == KIND_DEFAULT || type == KIND_REPLY ||
	       type == CHAT_COMMAND || type == CONTEXT_COMMAND;
}

void
message_tell(struct buf *to, const struct json *message)
{
	jsonw_object(to, NULL);
	jsonw_object(to, "message");
	jsonw_str(to, "id", json_string(message, "id"));
	jsonw_end_object(to);
	jsonw_end_object(to);
}
