/*
 * sophia-up - Sophia in Discord: the programs that it takes, kept running
 * stdout: {"type":"up",...} how they are, whenever that changes
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/show.h"
#include "core/buf.h"
#include "core/err.h"
#include "core/log.h"
#include "core/start.h"
#include "up/up.h"

struct job {
	struct cli *cli;
	struct show show;
	bool deaf; /* nobody reads our records any more */
};

/* A word for each; of the gateway what it says of its session. */
static void
show(struct job *j, const struct up_status *now)
{
	struct buf b = {0};

	for (int i = 0; i < now->count; i++) {
		const struct up_child *c = &now->children[i];

		if (strcmp(c->state, "ended") != 0)
			buf_fmt(&b, "%s%s %s", b.len ? ", " : "", c->name,
			    c->detail ? c->detail : c->state);
	}
	show_status(&j->show, buf_text(&b));
	buf_release(&b);
}

static void
on_told(void *ctx, const struct up_status *now)
{
	struct job *j = ctx;
	struct buf b = {0};
	struct err e = {0};

	if (j->cli->json && !j->deaf) {
		up_status_write(&b, now);
		j->deaf = cli_put(j->cli, &b, &e) < 0;
		if (j->deaf)
			log_complain(&e);
	} else if (!j->cli->json)
		show(j, now);
	buf_release(&b);
}

/* Their words go on to where ours go, as they are. */
static void
on_said(void *ctx, const char *text, size_t len)
{
	struct job *j = ctx;

	show_end(&j->show);
	fwrite(text, 1, len, stderr);
	fflush(stderr);
}

static int
run(struct cli *c, struct err *e)
{
	struct job j = {.cli = c};
	struct up u = {.told = on_told, .said = on_said, .ctx = &j};
	int rc;

	cli_plain(c, 0, 0);
	start_without_sigpipe();
	rc = up_run(&u, e);
	show_end(&j.show);
	return rc < 0 ? -1 : 1;
}

static const struct cli_command command = {
    .name = "sophia-up",
    .purpose = "keep the programs running that Sophia needs in Discord",
    .run = run,
    .notes = "It ends by SIGTERM or SIGINT, and ends them first.\n",
};

int
main(int argc, char **argv)
{
	return cli_main(&command, argc, argv);
}
