/*
 * sophia-doctor - check an installation and say what to do
 * stdout: {"type":"finding","what","level","text","fix"} a finding
 */
#include <stdbool.h>
#include <stdlib.h>

#include "access/operator.h"
#include "cli/cli.h"
#include "core/buf.h"
#include "core/err.h"
#include "runtime/checkup.h"
#include "store/health.h"
#include "up/up_health.h"
#include "workspace/fitness.h"

struct doctor {
	struct cli *cli;
	struct buf out;
	enum health worst;
	bool quiet; /* only what is wrong */
};

static void
put(void *ctx, const struct finding *f)
{
	struct doctor *d = ctx;

	if (f->level > d->worst)
		d->worst = f->level;
	if (d->quiet && f->level == HEALTH_OK)
		return;
	if (d->cli->json) {
		health_write(&d->out, f);
		return;
	}
	buf_fmt(&d->out, "%-5s %-17s %s\n", health_word(f->level), f->what,
	    f->text);
	if (f->fix)
		buf_fmt(&d->out, "%-5s %-17s to mend it: %s\n", "", "", f->fix);
}

static void
check_operators(struct doctor *d)
{
	struct err e = {0};

	if (operator_check(&e) < 0)
		health_find(put, d, HEALTH_FAIL, "operators", e.text,
		    "mend that variable");
	else
		health_find(put, d, HEALTH_OK, "operators",
		    getenv("SOPHIA_OPERATORS") ? "are named"
					       : "none but whoever sits here",
		    NULL);
}

static int
run(struct cli *c, struct err *e)
{
	struct doctor d = {.cli = c};
	bool deep = false;
	int o, rc;

	while ((o = cli_option(c)) != -1) {
		deep |= o == 'd';
		d.quiet |= o == 'q';
	}
	cli_args(c, 0, 0);
	health_folder(put, &d);
	health_settings(put, &d);
	check_operators(&d);
	checkup_share(put, &d);
	health_stores(deep, put, &d);
	health_index(put, &d);
	health_tasks(put, &d);
	health_purge(put, &d);
	up_health_programs(put, &d);
	up_health_gateways(put, &d);
	up_health_spool(put, &d);
	up_health_history(put, &d);
	checkup_token(put, &d);
	checkup_profiles(put, &d);
	checkup_tools(put, &d);
	fitness_check(put, &d);
	health_clock(put, &d);
	rc = cli_out(c, &d.out, e);
	buf_release(&d.out);
	if (rc == 0 && d.worst == HEALTH_FAIL)
		rc = err_set(e, ERR_CONFIG, "something must be mended first");
	return rc < 0 ? -1 : d.worst == HEALTH_OK;
}

static const struct cli_option options[] = {
    {'d', "deep", NULL, "read every page of the stores, which takes time"},
    {'q', "quiet", NULL, "only what is not ok"},
    {0},
};

static const struct cli_command command = {
    .name = "sophia-doctor",
    .purpose = "check an installation and say what to do",
    .options = options,
    .run = run,
    .notes = "Exit: 0 all is well; 1 there are warnings; "
	     "78 something must be mended.\n",
};

int
main(int argc, char **argv)
{
	return cli_main(&command, argc, argv);
}
