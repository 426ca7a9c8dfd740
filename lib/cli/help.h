#ifndef CLI_HELP_H
#define CLI_HELP_H
/* help - a command's table as text: usage, --help, what completions offer. */

#include <stdio.h>

#include "cli/cli.h"

/* "usage: ...", of all its verbs or only one. */
void help_usage(FILE *out, const struct cli_command *c,
    const struct cli_verb *only);
void help_print(FILE *out, const struct cli_command *c); /* --help */

/* A line for each option and verb: "VERB\tNAME\tHELP", VERB "-" for none. */
void help_list(FILE *out, const struct cli_command *c);

/* The options that every command takes, ended by {0}. */
extern const struct cli_option help_common[];

#endif
