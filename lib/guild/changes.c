/* All changes. */
#include "guild/changes.h"

#include <stddef.h>
#include <string.h>

#include "guild/change.h"

static const struct change_kind kinds[] = {
    {"send_message", send_check, send_act, send_verify},
    {"edit_message", edit_check, edit_act, edit_verify},
    {"delete_messages", delete_check, delete_act, delete_verify},
    {"clear_messages", clear_check, delete_act, delete_verify},
    {"create_thread", thread_check, thread_act, thread_verify},
    {"create_poll", poll_check, poll_act, poll_verify},
};

const struct change_kind *
change_find(const char *capability)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strcmp(kinds[i].capability, capability) == 0)
			return &kinds[i];
	return NULL;
}
