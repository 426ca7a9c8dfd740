/*
 * sophia-guild - what Discord knows of a server, and changes in it, as tools
 * stdin: call records; stdout: a result, a proposal or an error for each
 */
#include <unistd.h>

#include "cli/cli.h"
#include "core/err.h"
#include "core/start.h"
#include "guild/answers.h"
#include "guild/change.h"
#include "guild/live.h"
#include "tool/serve.h"

static const struct serve table[] = {
    {"get_guild_context", guild_context},
    {"list_roles", guild_roles},
    {"get_role_info", guild_role},
    {"list_members", guild_members},
    {"get_member_profile", guild_member},
    {"list_threads", guild_threads},
    {"read_thread_messages", guild_thread},
    {"get_poll_results", guild_poll},
    {"verify_action", guild_verify},
    {NULL, NULL},
};

static const struct serve_change changes[] = {
    {"send_message", change_check, change_act},
    {"edit_message", change_check, change_act},
    {"delete_messages", change_check, change_act},
    {"clear_messages", change_check, change_act},
    {"create_thread", change_check, change_act},
    {"create_poll", change_check, change_act},
    {"create_channel", change_check, change_act},
    {"create_category", change_check, change_act},
    {"edit_channel", change_check, change_act},
    {"edit_channel_permissions", change_check, change_act},
    {"move_channel", change_check, change_act},
    {"move_category", change_check, change_act},
    {"delete_channel", change_check, change_act},
    {"create_role", change_check, change_act},
    {"edit_role", change_check, change_act},
    {"edit_role_permissions", change_check, change_act},
    {"delete_role", change_check, change_act},
    {"manage_member_roles", change_check, change_act},
    {"sandbox_publish", change_check, change_act},
    {NULL, NULL, NULL},
};

static int
run(struct cli *c, struct err *e)
{
	struct live live = {0};
	bool serve = false;
	int result, o;

	while ((o = cli_option(c)) != -1)
		if (o == 's')
			serve = true;
	cli_args(c, 0, 0);
	if (!serve)
		cli_usage(c, "tools are called with --serve; by hand with "
			     "sophia tool run");
	start_without_sigpipe();
	result = serve_run_changes(STDIN_FILENO, table, changes, &live, e);
	live_close(&live);
	return result;
}

static const struct cli_option options[] = {
    {'s', "serve", NULL, "answer tool calls, one a line, on stdin"},
    {0},
};

static const struct cli_command command = {
    .name = "sophia-guild",
    .purpose = "what Discord knows of a server, and changes in it, as tools",
    .options = options,
    .run = run,
    .notes = "The tools are in share/tools; sophia tool run NAME calls one by "
	     "hand.\n",
};

int
main(int argc, char **argv)
{
	return cli_main(&command, argc, argv);
}
