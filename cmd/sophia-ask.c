/*
 * sophia-ask - ask a question in a terminal or a pipeline
 * stdin: the question, for "-"; stdout: the answer, or the turn's records
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/show.h"
#include "cli/typed.h"
#include "core/buf.h"
#include "core/err.h"
#include "core/file.h"
#include "core/id.h"
#include "core/log.h"
#include "core/poll.h"
#include "core/signals.h"
#include "record/turn.h"
#include "adapter/asker.h"
#include "adapter/client.h"
#include "adapter/handed.h"

enum { QUESTION_MAX = 256 << 10, NAMES_MAX = 8 << 10 };

struct ask {
	struct cli *cli;
	const char *profile, *task; /* as given, or NULL */
	char current[ID_LEN + 1];   /* the task that goes on, interactively */
	enum approval_mode approval;
	bool interactive;

	struct show show;
	struct buf handed; /* over by calls, of this question */
	struct poll poll;  /* of the question under way */
	struct client client;
	struct asker asker;
	struct signals signals;
	int interrupts;
	struct err broken; /* stdout */
};

/* To a person. */
static void
show(struct ask *a, const struct client_event *x)
{
	switch (x->kind) {
	case CLIENT_CALL:
		show_restart(&a->show);
		show_status(&a->show, x->text);
		break;
	case CLIENT_PROGRESS:
		if (!a->asker.asking)
			show_status(&a->show, x->text);
		break;
	case CLIENT_DELTA: show_piece(&a->show, x->text); break;
	case CLIENT_ANSWER: show_answer(&a->show, x->text); break;
	case CLIENT_TASK:
	case CLIENT_APPROVAL:
	case CLIENT_DECISION: break;
	case CLIENT_OTHER: handed_note(&a->handed, x->line, x->len); break;
	}
}

static void
on_heard(void *ctx, const struct client_event *x)
{
	struct ask *a = ctx;
	struct buf line = {0};

	if (x->kind == CLIENT_TASK)
		snprintf(a->current, sizeof(a->current), "%s", x->text);
	if (a->cli->json) {
		buf_add(&line, x->line, x->len);
		buf_char(&line, '\n');
		if (!a->broken.kind)
			cli_put(a->cli, &line, &a->broken);
		buf_release(&line);
	} else {
		show(a, x);
	}
	asker_heard(&a->asker, x);
}

/* A prompt takes the place of what is shown meanwhile. */
static void
on_ready(void *ctx)
{
	struct ask *a = ctx;

	show_restart(&a->show);
	show_end(&a->show);
}

/* ^C once asks for a clean stop; twice, or before there is a task, ends it. */
static void
on_signal(void *ctx, int sig)
{
	struct ask *a = ctx;
	struct err e = {0};

	(void)sig;
	if (a->interrupts++ == 0 &&
	    (asker_stop(&a->asker) || client_stop(&a->client, &e) == 0))
		return;
	signals_stop(&a->signals);
	client_kill(&a->client);
}

/* Where that is which an answer may speak of. */
static void
tell_handed(struct ask *a)
{
	if (a->handed.len && !a->show.quiet)
		fprintf(stderr,
		    "Handed over:\n%sTo have one here: sophia sandbox files "
		    "get %s NAME FILE\n",
		    buf_text(&a->handed), a->current);
	buf_release(&a->handed);
}

/* Ask one question. Returns as client_verdict(). */
static int
ask(struct ask *a, const char *text, struct err *e)
{
	char id[ID_LEN + 1];
	const struct turn turn = {
	    .id = id,
	    .actor = {"local", "operator"},
	    .text = text,
	    .task = *a->current ? a->current : a->task,
	    .profile = a->profile,
	    .approval = a->approval,
	};
	int result = -1;

	id_new(id);
	a->client = (struct client){.heard = on_heard, .ctx = a};
	asker_start(&a->asker, &a->client, &a->poll);
	a->signals = (struct signals){.got = on_signal, .ctx = a};
	a->interrupts = 0;
	a->handed.limit = NAMES_MAX;
	if (signals_start(&a->signals, &a->poll, e) < 0 ||
	    client_start(&a->client, &a->poll, &turn, e) < 0)
		goto out;
	while (!a->client.ended)
		if (poll_step(&a->poll, POLL_NEVER, e) < 0)
			goto out;
	result = client_verdict(&a->client, e);
	if (a->broken.kind) {
		*e = a->broken;
		result = -1;
	}
out:
	signals_stop(&a->signals);
	asker_close(&a->asker);
	client_release(&a->client);
	poll_release(&a->poll);
	show_end(&a->show);
	tell_handed(a);
	return result;
}

static const char greeting
    [] = "Ask, or /new for another task, /task to see which it is, /quit.\n";

/* Take a line that begins with a slash: false if it means to leave. */
static bool
command(struct ask *a, const char *line)
{
	if (strcmp(line, "/quit") == 0 || strcmp(line, "/q") == 0)
		return false;
	if (strcmp(line, "/new") == 0) {
		a->current[0] = '\0';
		a->task = NULL;
	} else if (strcmp(line, "/task") == 0) {
		puts(*a->current ? a->current : "none yet");
	} else {
		fputs(greeting, stdout);
	}
	return true;
}

static int
converse(struct ask *a, struct err *e)
{
	struct typed *typed;
	const char *line;
	bool on = true;
	int answers = 0;

	if (typed_open(&typed, "ask", "sophia> ", e) < 0)
		return -1;
	fputs(greeting, stdout);
	while (on && typed_line(typed, &line) > 0) {
		struct err why = {0};

		if (line[0] == '/')
			on = command(a, line);
		else if (line[strspn(line, " \t")] && ask(a, line, &why) > 0)
			answers++;
		if (why.kind)
			log_complain(&why);
	}
	typed_close(typed);
	return answers;
}

static int
read_question(struct buf *text, struct err *e)
{
	int rest;

	text->limit = QUESTION_MAX;
	rest = file_read_fd(text, STDIN_FILENO, "reading stdin", ERR_IO, e);
	if (rest < 0)
		return -1;
	if (rest)
		return err_set(e, ERR_INPUT,
		    "the question is longer than %d bytes", QUESTION_MAX);
	if (strspn(buf_text(text), " \t\r\n") == text->len)
		return err_set(e, ERR_INPUT, "the question is empty");
	return 0;
}

/* The question in the arguments, or on stdin where they say "-". */
static int
take_question(struct cli *c, struct buf *text, struct err *e)
{
	if (c->argc == 1 && strcmp(c->argv[0], "-") == 0)
		return read_question(text, e);
	cli_words(c, 0, text);
	if (strspn(buf_text(text), " \t\r\n") == text->len)
		cli_usage(c, "the question is empty");
	return 0;
}

/* What becomes of changes: a grant may say more, but never this option. */
static void
take_mode(struct ask *a, struct cli *c)
{
	a->asker.deny = strcmp(c->value, "deny") == 0;
	a->approval = strcmp(c->value, "auto") == 0 ? APPROVAL_AUTO
						    : APPROVAL_ASK;
	if (!a->asker.deny && a->approval == APPROVAL_ASK &&
	    strcmp(c->value, "ask") != 0)
		cli_usage(c,
		    "changes are made with ask, auto or deny, not '%s'",
		    c->value);
}

static int
run(struct cli *c, struct err *e)
{
	struct ask a = {.cli = c};
	struct buf text = {0};
	int o, result = -1;

	a.asker.ready = on_ready;
	a.asker.ctx = &a;
	while ((o = cli_option(c)) != -1)
		switch (o) {
		case 'a': take_mode(&a, c); break;
		case 'i': a.interactive = true; break;
		case 'p': a.profile = c->value; break;
		case 'q': a.show.quiet = true; break;
		case 't':
			if (!id_valid(c->value))
				cli_usage(c, "'%s' is not the id of a task",
				    c->value);
			a.task = c->value;
			break;
		default: break;
		}
	a.show.tty = c->tty;
	a.asker.quiet = c->json && !a.interactive;
	if (a.interactive) {
		cli_args(c, 0, 0);
		c->json = false;
		return converse(&a, e);
	}
	if (!c->argc)
		cli_usage(c, "there is no question: say it in words, or - for "
			     "stdin, or -i");
	cli_args(c, 1, 4096);
	if (take_question(c, &text, e) == 0)
		result = ask(&a, buf_text(&text), e);
	buf_release(&text);
	return result;
}

static const struct cli_option options[] = {
    {'a', "approve", "mode",
	"changes: ask (default), auto as granted, or deny"},
    {'i', "interactive", NULL, "ask line after line, with history"},
    {'p', "profile", "name", "use this model profile"},
    {'q', "quiet", NULL, "show no progress"},
    {'t', "task", "id", "go on with this task"},
    {0},
};

static const struct cli_command command_table = {
    .name = "sophia-ask",
    .purpose = "ask a question and get an answer with its sources",
    .args = "[question ...]",
    .options = options,
    .run = run,
    .notes = "The question \"-\" is read from stdin.\n"
	     "Exit: 0 answered; 1 a search found nothing; 75 paused or "
	     "stopped, resume it\nlater; 76 an effect is unknown; "
	     "79 an approval is needed; else see sophia(7).\n",
};

int
main(int argc, char **argv)
{
	return cli_main(&command_table, argc, argv);
}
