#define _GNU_SOURCE /* getopt_long */
#include "cli/cli.h"

#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/help.h"
#include "core/buf.h"
#include "core/log.h"
#include "core/mem.h"
#include "core/start.h"
#include "core/utf8.h"
#include "ext/jq.h"

enum {
	EXIT_FOUND = 0,
	EXIT_NONE = 1,
	EXIT_USAGE = 2,
	JQ_OUTPUT_MAX = 64 << 20, /* of one record's filter, in bytes */
	OPT_HELP = 'h',
	OPT_VERSION = CLI_LONG + 1000,
	OPT_JSON,
	OPT_JQ,
	OPT_LIST,
	OPT_TEXT,
};

/* The table that getopt_long(3) wants, and its letters. */
struct getopt_table {
	struct option *options;
	char letters[128];
	char **argv; /* from the command or verb on */
	int argc;
};

void
cli_usage(const struct cli *c, const char *fmt, ...)
{
	struct err e = {0};
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(e.text, sizeof(e.text), fmt, ap);
	va_end(ap);
	log_complain(&e);
	help_usage(stderr, c->command, c->verb);
	exit(EXIT_USAGE);
}

static size_t
count(const struct cli_option *o)
{
	size_t n = 0;

	while (o && o[n].letter)
		n++;
	return n;
}

static void
add_options(struct getopt_table *t, size_t *n, const struct cli_option *o)
{
	for (; o && o->letter; o++) {
		char letter[3] = {(char)o->letter, o->arg ? ':' : '\0', '\0'};

		t->options[(*n)++] = (struct option){.name = o->name,
		    .has_arg = o->arg ? required_argument : no_argument,
		    .val = o->letter};
		if (o->letter < CLI_LONG)
			memcpy(t->letters + strlen(t->letters), letter, 3);
	}
}

static void
table_open(struct cli *c, int argc, char **argv)
{
	const struct cli_option *own = c->verb ? c->verb->options
					       : c->command->options;
	struct getopt_table *t = mem_new(sizeof(*t));
	size_t n = 0;

	t->options = mem_array(count(own) + count(help_common) + 1,
	    sizeof(*t->options));
	t->letters[0] = ':';
	add_options(t, &n, own);
	add_options(t, &n, help_common);
	t->argc = argc;
	t->argv = argv;
	c->getopt = t;
}

static void
table_close(struct cli *c)
{
	struct getopt_table *t = c->getopt;

	if (t)
		free(t->options);
	free(t);
	c->getopt = NULL;
}

/* Print one of the texts that end a command, and end it. */
static _Noreturn void
print_and_exit(const struct cli *c, int option)
{
	if (option == OPT_HELP)
		help_print(stdout, c->command);
	else if (option == OPT_LIST)
		help_list(stdout, c->command);
	else
		printf("%s %s\n", c->command->name, SOPHIA_VERSION);
	if (fflush(stdout) != 0)
		exit(ERR_IO);
	exit(EXIT_FOUND);
}

/* Take an option that every command has; false if it is the command's own. */
static bool
common(struct cli *c, int option)
{
	struct err e = {0};

	switch (option) {
	case OPT_HELP:
	case OPT_VERSION:
	case OPT_LIST: print_and_exit(c, option);
	case OPT_JQ:
		jq_close(c->jq);
		c->jq = NULL;
		if (jq_open(&c->jq, optarg, &e) < 0)
			cli_usage(c, "--jq: %s", e.text);
		c->json = true;
		return true;
	case OPT_JSON: c->json = true; return true;
	case OPT_TEXT: c->json = false; return true;
	default: return false;
	}
}

int
cli_option(struct cli *c)
{
	struct getopt_table *t = c->getopt;
	int o;

	do {
		o = getopt_long(t->argc, t->argv, t->letters, t->options, NULL);
		if (o == '?' || o == ':')
			cli_usage(c,
			    o == ':' ? "%s needs a value"
				     : "there is no option %s",
			    t->argv[optind - 1]);
	} while (o != -1 && common(c, o));
	c->value = optarg;
	if (o == -1) {
		c->argc = t->argc - optind;
		c->argv = t->argv + optind;
	}
	return o;
}

int64_t
cli_int(struct cli *c, int64_t low, int64_t high)
{
	char *end;
	long long n;

	errno = 0;
	n = strtoll(c->value, &end, 10);
	if (errno || end == c->value || *end || n < low || n > high)
		cli_usage(c, "'%s' is not a number from %lld to %lld", c->value,
		    (long long)low, (long long)high);
	return n;
}

void
cli_args(const struct cli *c, int low, int high)
{
	if (c->argc < low)
		cli_usage(c, "too few arguments");
	if (c->argc > high)
		cli_usage(c, "'%s' is one argument too many", c->argv[high]);
}

void
cli_plain(struct cli *c, int low, int high)
{
	while (cli_option(c) != -1)
		;
	cli_args(c, low, high);
}

void
cli_words(const struct cli *c, int from, struct buf *b)
{
	for (int i = from; i < c->argc; i++) {
		buf_str(b, i > from ? " " : "");
		buf_str(b, c->argv[i]);
	}
}

int
cli_put(struct cli *c, struct buf *b, struct err *e)
{
	struct buf made = {.limit = JQ_OUTPUT_MAX};
	const char *from = buf_text(b), *end;
	int result = 0;

	for (; c->jq && result >= 0 && (end = strchr(from, '\n'));
	     from = end + 1)
		result = jq_run(c->jq, from, (size_t)(end - from), &made, e);
	if (c->jq)
		fwrite(buf_text(&made), 1, made.len, stdout);
	else
		fwrite(buf_text(b), 1, b->len, stdout);
	buf_release(&made);
	buf_clear(b);
	if (fflush(stdout) != 0 && result >= 0)
		result = err_sys(e, ERR_IO, "writing stdout");
	return result < 0 ? -1 : 0;
}

int
cli_out(struct cli *c, struct buf *b, struct err *e)
{
	if (c->json)
		return cli_put(c, b, e);
	cli_print(buf_text(b));
	buf_clear(b);
	return 0;
}

bool
cli_agreed(const char *question)
{
	int answer;

	if (!isatty(STDIN_FILENO))
		return false;
	fprintf(stderr, "%s [y/N] ", question);
	answer = getchar();
	return answer == 'y' || answer == 'Y';
}

void
cli_print(const char *text)
{
	size_t len = strlen(text);

	while (len) {
		uint32_t c;
		size_t n = utf8_next(text, len, &c);

		if (c != '\n' && c != '\t' && !utf8_shown(c))
			fputs("\xef\xbf\xbd", stdout);
		else
			fwrite(text, 1, n, stdout);
		text += n;
		len -= n;
	}
}

/*
 * Find the verb that argv[1] names; without one, only a common option may be.
 */
static void
choose_verb(struct cli *c, int argc, char **argv)
{
	if (argc < 2)
		cli_usage(c, "what is to be done?");
	for (const struct cli_verb *v = c->command->verbs; v->name; v++)
		if (strcmp(v->name, argv[1]) == 0)
			c->verb = v;
	if (!c->verb && argv[1][0] != '-')
		cli_usage(c, "there is no '%s' to do", argv[1]);
}

int
cli_main(const struct cli_command *command, int argc, char **argv)
{
	struct cli c = {.command = command};
	struct err e = {0};
	cli_run_fn *run = command->run;
	int found, lost;

	start();
	log_name(command->name);
	c.tty = isatty(STDOUT_FILENO);
	c.json = !c.tty;
	if (command->verbs)
		choose_verb(&c, argc, argv);
	if (c.verb) {
		run = c.verb->run;
		table_open(&c, argc - 1, argv + 1);
	} else {
		table_open(&c, argc, argv);
	}
	if (!run) { /* --help, --version, or wrong */
		cli_option(&c);
		cli_usage(&c, "what is to be done?");
	}
	found = run(&c, &e);
	jq_close(c.jq);
	table_close(&c);
	lost = ferror(stdout);
	if ((fclose(stdout) != 0 || lost) && !e.kind)
		err_sys(&e, ERR_IO, "writing stdout");
	if (e.kind) {
		if (!c.told)
			log_complain(&e);
		return (int)e.kind;
	}
	if (found == 0 && c.none && c.tty && !c.json)
		log_warn("%s", c.none);
	return found > 0 ? EXIT_FOUND : EXIT_NONE;
}
