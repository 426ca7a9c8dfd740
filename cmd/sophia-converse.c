/*
 * sophia-converse - talk with people in Discord
 * reads the spool that sophia-gateway writes; prints nothing
 */
#include "cli/cli.h"
#include "converse/converse.h"
#include "converse/drain.h"
#include "core/start.h"

enum { OPTION_DELIVER = CLI_LONG };

static const struct cli_option options[] = {
    {OPTION_DELIVER, "deliver", NULL,
	"deliver what waits to be delivered, and end"},
    {0},
};

static int
run(struct cli *c, struct err *e)
{
	bool deliver = false;
	int letter, rc;

	while ((letter = cli_option(c)) != -1)
		deliver = deliver || letter == OPTION_DELIVER;
	cli_args(c, 0, 0);
	start_without_sigpipe();
	rc = deliver ? drain_run(e) : converse_run(e);
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
