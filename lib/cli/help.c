#include "cli/help.h"

#include <stdio.h>
#include <string.h>

#include "cli/cli.h"

enum { COLUMN = 28, WIDTH = 79 };

const struct cli_option help_common[] = {
    {'h', "help", NULL, "print this"},
    {CLI_LONG + 1000, "version", NULL, "print the version"},
    {CLI_LONG + 1001, "json", NULL, "write records, to a terminal too"},
    {CLI_LONG + 1004, "text", NULL, "write for people, to a pipe too"},
    {CLI_LONG + 1002, "jq", "filter", "write what a jq filter makes of them"},
    {CLI_LONG + 1003, "list-options", NULL, NULL},
    {0},
};

/* A line of the usage; what does not fit goes on under its first word. */
struct usage {
	FILE *out;
	int indent, column;
};

static void
usage_word(struct usage *u, const char *word)
{
	int len = (int)strlen(word);

	if (u->column + 1 + len > WIDTH) {
		fprintf(u->out, "\n%*s", u->indent, "");
		u->column = u->indent;
	}
	fprintf(u->out, " %s", word);
	u->column += 1 + len;
}

static void
usage_option(struct usage *u, const struct cli_option *o)
{
	char word[64], name[32];

	if (o->letter < CLI_LONG)
		snprintf(name, sizeof(name), "-%c", o->letter);
	else
		snprintf(name, sizeof(name), "--%s", o->name);
	snprintf(word, sizeof(word), o->arg ? "[%s %s]" : "[%s%s]", name,
	    o->arg ? o->arg : "");
	usage_word(u, word);
}

static void
usage_line(FILE *out, const char *lead, const char *name, const char *verb,
    const struct cli_option *options, const char *args)
{
	struct usage u = {.out = out};

	u.indent = u.column = fprintf(out, "%s %s%s%s", lead, name,
	    verb ? " " : "", verb ? verb : "");
	for (; options && options->letter; options++)
		if (options->help)
			usage_option(&u, options);
	if (args)
		usage_word(&u, args);
	putc('\n', out);
}

void
help_usage(FILE *out, const struct cli_command *c, const struct cli_verb *only)
{
	const char *lead = "usage:";

	for (const struct cli_verb *v = c->verbs; v && v->name; v++) {
		if (only && v != only)
			continue;
		usage_line(out, lead, c->name, v->name, v->options, v->args);
		lead = "      ";
	}
	if (c->run && !only)
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
	help_usage(out, c, NULL);
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
