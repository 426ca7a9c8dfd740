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
    {"create_channel", create_channel_check, create_channel_act,
	create_channel_verify},
    {"create_category", create_category_check, create_channel_act,
	create_channel_verify},
    {"edit_channel", edit_channel_check, edit_channel_act, edit_channel_verify},
    {"edit_channel_permissions", edit_channel_permissions_check,
	edit_channel_permissions_act, edit_channel_permissions_verify},
    {"move_channel", move_channel_check, move_channel_act, move_channel_verify},
    {"move_category", move_category_check, move_channel_act,
	move_channel_verify},
    {"delete_channel", delete_channel_check, delete_channel_act,
	delete_channel_verify},
    {"create_role", create_role_check, create_role_act, create_role_verify},
    {"edit_role", edit_role_check, edit_role_act, edit_role_verify},
    {"edit_role_permissions", edit_role_permissions_check,
	edit_role_permissions_act, edit_role_verify},
    {"delete_role", delete_role_check, delete_role_act, delete_role_verify},
    {"manage_member_roles", manage_roles_check, manage_roles_act,
	manage_roles_verify},
    {"sandbox_publish", publish_check, publish_act, publish_verify},
};

const struct change_kind *
change_find(const char *capability)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strcmp(kinds[i].capability, capability) == 0)
			return &kinds[i];
	return NULL;
}
