/*
 * sophia-converse - talk with people in Discord
 * reads the spool that sophia-gateway writes; prints nothing
 */
#include "cli/cli.h"
#include "converse/converse.h"
#include "converse/drain.h"
#include "core/start.h"

enum { OPTION_DELIVER = CLI_LONG, SHARDS_MAX = 1024 };

static const struct cli_option options[] = {
    {OPTION_DELIVER, "deliver", NULL,
	"deliver what waits to be delivered, and end"},
    {'n', "shards", "number", "hear that many shards of the gateway, not one"},
    {0},
};

static int
run(struct cli *c, struct err *e)
{
	bool deliver = false;
	int letter, rc, shards = 1;

	while ((letter = cli_option(c)) != -1)
		switch (letter) {
		case 'n': shards = (int)cli_int(c, 1, SHARDS_MAX); break;
		default: deliver = true; break;
		}
	cli_args(c, 0, 0);
	start_without_sigpipe();
	rc = deliver ? drain_run(e) : converse_run(shards, e);
	return rc < 0 ? -1 : 1;
}

static const struct cli_command command = {
    .name = "sophia-converse",
    .purpose = "talk with people in Discord",
    .options = options,
    .run = run,
    .notes = "It reads what sophia-gateway hears, and ends by a signal. See "
	     "sophia-converse(1)\nfor who is let in.\n",
};

int
main(int argc, char **argv)
{
	return cli_main(&command, argc, argv);
}
