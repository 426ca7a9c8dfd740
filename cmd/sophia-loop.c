/*
 * sophia-loop - one turn: chain the model and the tools until there is an
 * answer
 * stdin: a turn record, then hints; stdout: what happens, one `done` at the end
 */
#include <stdio.h>
#include <unistd.h>

#include "cli/cli.h"
#include "core/start.h"
#include "runtime/loop.h"

static int
run(struct cli *c, struct err *e)
{
	int result;

	cli_plain(c, 0, 0);
	start_without_sigpipe(); /* a turn ends in order also if nobody reads */
	result = loop_run(STDIN_FILENO, stdout, e);
	c->told = !ferror(stdout);
	return result;
}

static const struct cli_command command = {
    .name = "sophia-loop",
    .purpose = "run one turn: model and tools, until there is an answer",
    .run = run,
    .notes = "It reads one turn record, see sophia-records(5), and hints after "
	     "it.\nPeople use sophia ask.\n",
};

int
main(int argc, char **argv)
{
	return cli_main(&command, argc, argv);
}
