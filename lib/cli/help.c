#include "cli/help.h"

#include <string.h>

#include "cli/cli.h"

enum { COLUMN = 28 };

const struct cli_option help_common[] = {
    {'h', "help", NULL, "print this"},
    {CLI_LONG + 1000, "version", NULL, "print the version"},
    {CLI_LONG + 1001, "json", NULL, "write records, to a terminal too"},
    {CLI_LONG + 1004, "text", NULL, "write for people, to a pipe too"},
    {CLI_LONG + 1002, "jq", "filter", "write what a jq filter makes of them"},
    {CLI_LONG + 1003, "list-options", NULL, NULL},
    {0},
};

static void
usage_options(FILE *out, const struct cli_option *o)
{
	for (; o && o->letter; o++) {
		if (!o->help)
			continue;
		if (o->letter < CLI_LONG)
			fprintf(out, " [-%c", o->letter);
		else
			fprintf(out, " [--%s", o->name);
		fprintf(out, o->arg ? " %s]" : "%s]", o->arg ? o->arg : "");
	}
}

static void
usage_line(FILE *out, const char *lead, const char *name, const char *verb,
    const struct cli_option *options, const char *args)
{
	fprintf(out, "%s %s%s%s", lead, name, verb ? " " : "",
	    verb ? verb : "");
	usage_options(out, options);
	fprintf(out, args ? " %s\n" : "%s\n", args ? args : "");
}

void
help_usage(FILE *out, const struct cli_command *c)
{
	const char *lead = "usage:";

	for (const struct cli_verb *v = c->verbs; v && v->name; v++) {
		usage_line(out, lead, c->name, v->name, v->options, v->args);
		lead = "      ";
	}
	if (c->run)
		usage_line(out, lead, c->name, NULL, c->options, c->args);
}

static void
print_options(FILE *out, const struct cli_option *o)
{
	char left[COLUMN * 2];

	for (; o && o->letter; o++) {
		int n;

		if (!o->help)
			continue;
		n = o->letter < CLI_LONG
			? snprintf(left, sizeof(left), "  -%c, --%s", o->letter,
			      o->name)
			: snprintf(left, sizeof(left), "      --%s", o->name);
		if (o->arg && n > 0 && (size_t)n < sizeof(left))
			snprintf(left + n, sizeof(left) - (size_t)n, " %s",
			    o->arg);
		fprintf(out, "%-*s %s\n", COLUMN, left, o->help);
	}
}

void
help_print(FILE *out, const struct cli_command *c)
{
	fprintf(out, "%s - %s\n\n", c->name, c->purpose);
	help_usage(out, c);
	if (c->options) {
		fprintf(out, "\n");
		print_options(out, c->options);
	}
	for (const struct cli_verb *v = c->verbs; v && v->name; v++) {
		fprintf(out, "\n%-*s %s\n", COLUMN, v->name, v->help);
		print_options(out, v->options);
	}
	fprintf(out, "\nEvery command takes:\n");
	print_options(out, help_common);
	if (c->notes)
		fprintf(out, "\n%s", c->notes);
}

static void
list_options(FILE *out, const char *verb, const struct cli_option *o)
{
	for (; o && o->letter; o++)
		if (o->help)
			fprintf(out, "%s\t--%s\t%s\n", verb, o->name, o->help);
}

void
help_list(FILE *out, const struct cli_command *c)
{
	list_options(out, "-", c->options);
	list_options(out, "-", help_common);
	for (const struct cli_verb *v = c->verbs; v && v->name; v++) {
		fprintf(out, "-\t%s\t%s\n", v->name, v->help);
		list_options(out, v->name, v->options);
	}
}
