/*
 * sophia - find and run the other commands
 *
 * It is no command of the common kind: what follows the name of a command is
 * that command's, so nothing of it is parsed here.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/manual.h"
#include "core/err.h"
#include "core/log.h"
#include "core/start.h"

enum { EXIT_USAGE = 2, LIKE = 3 };

static const char usage[] = "usage: sophia command [argument ...]\n"
			    "       sophia help [topic]\n";

static void
print_one(const struct command *c)
{
	printf("  %-11s ", c->name);
	cli_print(c->purpose);
	putchar('\n');
}

static int
print_help(const struct commands *c)
{
	const char *topic = NULL;

	printf("sophia - ask a community's own history\n\n%s", usage);
	for (size_t i = 0; i < c->count; i++) {
		const struct command *one = &c->list[i];

		if (!one->topic)
			continue;
		if (!topic || strcmp(topic, one->topic) != 0)
			printf("\n%s:\n", one->topic);
		topic = one->topic;
		print_one(one);
	}
	topic = "\nFound in PATH, not part of Sophia:\n";
	for (size_t i = 0; i < c->count; i++) {
		if (c->list[i].topic)
			continue;
		fputs(topic, stdout);
		topic = "";
		print_one(&c->list[i]);
	}
	printf("\n'sophia help command' explains one of them, "
	       "'sophia help records' the output.\n");
	return 0;
}

/* For the shell completions, in the form of every command's --list-options. */
static int
print_list(const struct commands *c)
{
	printf("-\thelp\texplain a command or a subject\n");
	for (size_t i = 0; i < c->count; i++)
		printf("-\t%s\t%s\n", c->list[i].name, c->list[i].purpose);
	return 0;
}

static int
unknown(const struct commands *c, const char *what, const char *name)
{
	const char *like[LIKE];
	size_t count = commands_like(c, name, like, LIKE);

	log_warn("there is no %s '%.80s'", what, name);
	for (size_t i = 0; i < count; i++)
		fprintf(stderr, "%s\t%s\n",
		    i ? "" : "Did you mean one of these?\n", like[i]);
	if (!count)
		fprintf(stderr, "'sophia help' lists what there is.\n");
	return EXIT_USAGE;
}

static int
execute(const struct command *c, char **argv)
{
	struct err e = {0};

	argv[0] = c->path;
	execv(c->path, argv);
	err_sys(&e, ERR_CONFIG, "%s", c->path);
	log_complain(&e);
	return ERR_CONFIG;
}

static int
help_of_command(const struct command *c)
{
	char *argv[] = {c->path, (char[]){"--help"}, NULL};

	return execute(c, argv);
}

/*
 * At a terminal the manual, if there is one and a man(1) to show it; else what
 * the command itself says.
 */
static int
help_on(const struct commands *c, const char *topic)
{
	const struct command *command = commands_get(c, topic);
	char path[PATH_MAX];
	bool found = manual_find(path, topic);

	if (command && (!found || !isatty(STDOUT_FILENO)))
		return help_of_command(command);
	if (!found)
		return unknown(c, "subject", topic);
	execlp("man", "man", "-l", path, (char *)NULL);
	if (command)
		return help_of_command(command);
	printf("The manual is %s; there is no man(1) to show it.\n", path);
	return 0;
}

static int
act(const struct commands *c, int argc, char **argv)
{
	const char *word = argc > 1 ? argv[1] : "help";
	const struct command *command;

	if (strcmp(word, "--version") == 0)
		return printf("sophia %s\n", SOPHIA_VERSION) < 0;
	if (strcmp(word, "--list-options") == 0)
		return print_list(c);
	if (strcmp(word, "help") == 0 && argc > 2)
		return help_on(c, argv[2]);
	if (strcmp(word, "help") == 0 || strcmp(word, "--help") == 0 ||
	    strcmp(word, "-h") == 0)
		return print_help(c);
	if (*word == '-') {
		log_warn("there is no option %.80s", word);
		fputs(usage, stderr);
		return EXIT_USAGE;
	}
	command = commands_get(c, word);
	return command ? execute(command, argv + 1)
		       : unknown(c, "command", word);
}

int
main(int argc, char **argv)
{
	struct commands c;
	int result;

	start();
	log_name("sophia");
	commands_find(&c);
	result = act(&c, argc, argv);
	commands_release(&c);
	if (fclose(stdout) != 0 && !result)
		result = ERR_IO;
	return result;
}
