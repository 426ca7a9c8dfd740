#ifndef CLI_CLI_H
#define CLI_CLI_H
/*
 * cli - what every command does alike: options, help, output, exit codes.
 *
 * A command is a table: its options, or its verbs with theirs. From the table
 * come parsing, --help, the usage line that its manual's SYNOPSIS must equal,
 * and what the shell completions offer (--list-options). Options may
 * stand anywhere; "--" ends them. Every command also
 * takes -h/--help, --version, --json, --text and --jq FILTER.
 *
 * Exit     0 an answer, 1 an honest "none" or "no", 2 wrong usage, else the
 *          number of enum err_kind. cli_main() alone decides.
 * Output   With stdout at a terminal a command prints for people; piped, or
 *          with --json or --jq, it writes records; --text is the way back.
 *          c->json says which. Nothing but answers goes to stdout. That there
 *          is none is said at a terminal only, on stderr; a pipe has exit 1.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/err.h"

struct buf;
struct cli;
struct jq;

struct cli_option {
	int letter;       /* 'n', or a number from CLI_LONG for no letter */
	const char *name; /* "limit" */
	const char *arg;  /* what its value is called; NULL for a switch */
	const char *help; /* one line; NULL keeps it out of the help */
};

enum { CLI_LONG = 256 };

/* Do the work. Returns how many answers there were, or -1. */
typedef int cli_run_fn(struct cli *c, struct err *e);

struct cli_verb {
	const char *name; /* "list"; a row of {0} ends the table */
	const char *args; /* "[task]", as in the usage; NULL for none */
	const char *help; /* one line */
	const struct cli_option *options; /* ended by {0}; NULL for none */
	cli_run_fn *run;
};

struct cli_command {
	const char *name;                 /* "sophia-task" */
	const char *purpose;              /* "list, show and steer tasks" */
	const char *args;                 /* of run: as in a verb */
	const struct cli_option *options; /* of run */
	cli_run_fn *run;                  /* if no verb but options are given */
	const struct cli_verb *verbs;     /* ended by {0}, or NULL */
	const char *notes;                /* closes --help; NULL for none */
};

struct cli {
	const struct cli_command *command;
	const struct cli_verb *verb; /* NULL if the command has none */
	bool json;                   /* write records, not text for people */
	bool tty;                    /* stdout is a terminal */
	bool told;                   /* set it if a record says what failed */
	const char *none;  /* set it to what a person reads if there is none */
	const char *value; /* of the option just given */
	int argc;          /* arguments left once options are read */
	char **argv;
	struct jq *jq; /* private: the --jq filter */
	void *getopt;  /* private: the table as getopt_long(3) wants it */
};

/* The whole program: returns main()'s exit code. */
int cli_main(const struct cli_command *command, int argc, char **argv);

/* The next option's letter, or -1 when c->argv holds what is left. */
int cli_option(struct cli *c);

/* c->value as a number from low to high; anything else is wrong usage. */
int64_t cli_int(struct cli *c, int64_t low, int64_t high);

/* Insist on low to high arguments left; fewer or more is wrong usage. */
void cli_args(const struct cli *c, int low, int high);

/* Both, where there are no options but those that every command takes. */
void cli_plain(struct cli *c, int low, int high);

/*
 * Add the arguments from the one numbered `from` on, a space between any two.
 */
void cli_words(const struct cli *c, int from, struct buf *b);

/* Print why, and the usage; exit 2. */
_Noreturn void cli_usage(const struct cli *c, const char *fmt, ...)
    FORMAT(2, 3);

/*
 * Write the records in b (whole lines) to stdout, through the --jq filter if
 * there is one, flush, and empty b. Fails if stdout can't be written.
 */
int cli_put(struct cli *c, struct buf *b, struct err *e);

/* The same for b that holds text where people read, see cli_print(). */
int cli_out(struct cli *c, struct buf *b, struct err *e);

/* Ask a person at the terminal; false if there is none. */
bool cli_agreed(const char *question);

/*
 * Print text of a stranger for a person: control characters, but for line
 * breaks and tabs, become U+FFFD, so that none reaches the terminal.
 */
void cli_print(const char *text);

#endif
