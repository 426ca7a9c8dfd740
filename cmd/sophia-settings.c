/*
 * sophia-settings - read and change the settings of the installation
 * stdout: {"type":"setting","name","value","default","set","help"} a setting
 */
#include <stdio.h>

#include "cli/cli.h"
#include "core/buf.h"
#include "core/err.h"
#include "store/settings.h"

static void
describe(struct buf *b, const struct settings *s, const struct setting *k)
{
	struct buf value = {0};

	settings_value(&value, s, k);
	buf_fmt(b, "%-26s %s%s\n%-26s   %s\n", k->name,
	    value.len ? buf_text(&value) : "(none)",
	    settings_has(s, k->name) ? "" : " (default)", "", k->help);
	buf_release(&value);
}

static int
list(struct cli *c, struct err *e)
{
	const struct setting *k;
	struct settings s;
	struct buf b = {0};
	int n = 0, rc;

	cli_plain(c, 0, 0);
	if (settings_open(&s, e) < 0)
		return -1;
	for (; (k = settings_known(n)) != NULL; n++) {
		if (c->json)
			settings_write(&b, &s, k);
		else
			describe(&b, &s, k);
	}
	rc = cli_out(c, &b, e);
	settings_close(&s);
	buf_release(&b);
	return rc < 0 ? -1 : n;
}

/* Print one setting: its value alone for a person. */
static int
show(struct cli *c, const struct setting *k, struct err *e)
{
	struct settings s;
	struct buf b = {0};
	int rc;

	if (settings_open(&s, e) < 0)
		return -1;
	if (c->json)
		settings_write(&b, &s, k);
	else
		settings_value(&b, &s, k);
	if (!c->json)
		buf_char(&b, '\n');
	rc = cli_out(c, &b, e);
	settings_close(&s);
	buf_release(&b);
	return rc < 0 ? -1 : 1;
}

static int
get(struct cli *c, struct err *e)
{
	const struct setting *k;

	cli_plain(c, 1, 1);
	k = settings_find(c->argv[0]);
	if (!k)
		return err_set(e, ERR_INPUT, "there is no setting %.100s",
		    c->argv[0]);
	return show(c, k, e);
}

static int
set(struct cli *c, struct err *e)
{
	cli_plain(c, 2, 2);
	if (settings_set(c->argv[0], c->argv[1], e) < 0)
		return -1;
	return show(c, settings_find(c->argv[0]), e);
}

static int
unset(struct cli *c, struct err *e)
{
	cli_plain(c, 1, 1);
	if (settings_set(c->argv[0], NULL, e) < 0)
		return -1;
	return show(c, settings_find(c->argv[0]), e);
}

static int
reset(struct cli *c, struct err *e)
{
	cli_plain(c, 1, 1);
	return settings_reset(c->argv[0], e) < 0 ? -1 : 1;
}

static int
check(struct cli *c, struct err *e)
{
	struct settings s;

	cli_plain(c, 0, 0);
	if (settings_open(&s, e) < 0)
		return -1;
	settings_close(&s);
	return 1;
}

static const struct cli_verb verbs[] = {
    {"list", NULL, "all settings, with what they are for", NULL, list},
    {"get", "name", "print one", NULL, get},
    {"set", "name value", "change one", NULL, set},
    {"unset", "name", "give one its default again", NULL, unset},
    {"reset", "category", "give all of a category their defaults", NULL, reset},
    {"check", NULL, "name the field that is not valid, with exit 78", NULL,
	check},
    {0},
};

static const struct cli_command command = {
    .name = "sophia-settings",
    .purpose = "read and change the settings of the installation",
    .verbs = verbs,
};

int
main(int argc, char **argv)
{
	return cli_main(&command, argc, argv);
}
