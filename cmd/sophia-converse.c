/*
 * sophia-converse - talk with people in Discord
 * reads the spool that sophia-gateway writes; prints nothing
 */
#include "cli/cli.h"
#include "converse/converse.h"
#include "core/start.h"

static int
run(struct cli *c, struct err *e)
{
	cli_plain(c, 0, 0);
	start_without_sigpipe();
	return converse_run(e) < 0 ? -1 : 1;
}

static const struct cli_command command = {
    .name = "sophia-converse",
    .purpose = "talk with people in Discord",
    .run = run,
    .notes = "It reads what sophia-gateway hears, and ends by a signal. See "
	     "sophia-converse(1)\nfor who is let in.\n",
};

int
main(int argc, char **argv)
{
	return cli_main(&command, argc, argv);
}
