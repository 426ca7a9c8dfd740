/*
 * sophia-model - put requests to a model
 * stdin: request and cancel records; stdout: delta, reasoning, tool_call, usage,
 * and one finish or error that ends each request
 */
#define _GNU_SOURCE /* strsep */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "core/buf.h"
#include "core/err.h"
#include "core/id.h"
#include "core/log.h"
#include "core/mem.h"
#include "core/poll.h"
#include "core/reader.h"
#include "core/signals.h"
#include "core/start.h"
#include "model/catalogue.h"
#include "record/any.h"
#include "record/control.h"
#include "record/delta.h"
#include "record/request.h"
#include "record/tool_call.h"
#include "runtime/desk.h"

enum {
	WAITING_MAX = 64, /* requests that were read and wait their turn */
	CANCEL_MAX = 256, /* bytes of a cancel record */
};

struct model {
	struct cli *cli;
	bool serve, ended; /* stdin is at its end */
	int answers;
	struct err failed; /* the last verdict */
	struct err broken; /* stdout */

	struct poll poll;
	struct reader reader;
	struct signals signals;
	struct desk desk;
	char *waiting[WAITING_MAX];
	size_t count;
};

/* What a person sees of a record. */
static void
show(const char *line, size_t len)
{
	struct any a;
	struct delta delta;
	struct tool_call call;
	struct err e = {0};

	if (any_read(&a, line, len, &e) < 0)
		return;
	if (any_is(&a, "delta") && delta_read(&delta, a.root, &e) == 0) {
		cli_print(delta.text);
	} else if (any_is(&a, "tool_call") &&
		   tool_call_read(&call, a.root, &e) == 0) {
		cli_print(call.name);
		fputs(" ", stdout);
		cli_print(call.arguments);
	} else if (any_is(&a, "finish")) {
		fputs("\n", stdout);
	}
	any_release(&a);
}

static void
on_told(void *ctx, struct buf *records)
{
	struct model *m = ctx;

	if (m->broken.kind)
		return;
	if (m->cli->json) {
		(void)cli_put(m->cli, records, &m->broken);
		return;
	}
	for (const char *line = buf_text(records), *end; *line;
	     line = end + 1) {
		end = strchr(line, '\n');
		show(line, (size_t)(end - line));
	}
	fflush(stdout);
}

static void
on_done(void *ctx, const struct err *why)
{
	struct model *m = ctx;

	m->failed = why ? *why : (struct err){0};
	m->answers += !why;
	if (why && m->serve)
		m->failed = (struct err){0}; /* its reader was told */
}

static void
start_next(struct model *m)
{
	char *line = m->waiting[0];

	memmove(m->waiting, m->waiting + 1, --m->count * sizeof(m->waiting[0]));
	desk_start(&m->desk, line, strlen(line));
	free(line);
}

/* A cancel is for the request that runs; any other line is a request. */
static bool
take_cancel(struct model *m, const char *text, size_t len)
{
	struct any a = {0};
	struct control c;
	struct err e = {0};
	bool is = len <= CANCEL_MAX && any_read(&a, text, len, &e) == 0 &&
		  any_is(&a, "cancel");

	if (is && control_read(&c, a.root, &e) == 0)
		desk_cancel(&m->desk, c.id);
	any_release(&a);
	return is;
}

static void
on_line(void *ctx, const char *text, size_t len, const struct err *bad)
{
	struct model *m = ctx;
	struct err full = {0};

	if (bad) {
		desk_refuse(&m->desk, "", 0, bad);
	} else if (m->ended || take_cancel(m, text, len)) {
		return; /* without --serve the first request is the only one */
	} else if (m->count == WAITING_MAX) {
		err_set(&full, ERR_AGAIN, "more than %d requests wait",
		    WAITING_MAX);
		desk_refuse(&m->desk, text, len, &full);
	} else {
		m->waiting[m->count++] = mem_dupn(text, len);
	}
	m->ended = !m->serve;
}

static void
on_end(void *ctx, const struct err *why)
{
	struct model *m = ctx;

	m->ended = true;
	if (why)
		m->failed = *why;
}

static void
on_signal(void *ctx, int sig)
{
	struct model *m = ctx;

	(void)sig;
	m->ended = true;
	while (m->count)
		free(m->waiting[--m->count]);
	desk_cancel(&m->desk, NULL);
}

/* Answer what is asked until there is nothing more to come. */
static int
serve(struct model *m, struct err *e)
{
	int result = 0;

	while (result == 0 && !m->broken.kind) {
		if (!m->desk.busy && m->count)
			start_next(m);
		else if (!m->desk.busy && m->ended)
			break;
		else
			result = desk_step(&m->desk, POLL_NEVER, e);
	}
	desk_cancel(&m->desk, NULL); /* it may still have to be settled */
	return result;
}

static int
finish(struct model *m, int result, struct err *e)
{
	reader_stop(&m->reader);
	signals_stop(&m->signals);
	desk_close(&m->desk);
	poll_release(&m->poll);
	while (m->count)
		free(m->waiting[--m->count]);
	if (result < 0)
		return -1;
	if (m->broken.kind || m->failed.kind) {
		*e = m->broken.kind ? m->broken : m->failed;
		return -1;
	}
	return m->answers;
}

/* Read requests from stdin. */
static int
answer(struct model *m, struct err *e)
{
	m->reader = (struct reader){
	    .limit = REQUEST_MAX,
	    .line = on_line,
	    .ended = on_end,
	    .ctx = m,
	};
	reader_start(&m->reader, &m->poll, STDIN_FILENO);
	return serve(m, e);
}

/* The words of the command line as a request of its own. */
static int
ask(struct model *m, struct err *e)
{
	char id[ID_LEN + 1];
	struct buf text = {0}, line = {0};
	struct request_message message = {.role = ROLE_USER};
	struct request r = {
	    .id = id,
	    .profile = m->desk.profile_name,
	    .purpose = "task",
	    .actor = "local",
	    .stream = true,
	    .messages = &message,
	    .message_count = 1,
	};

	id_new(id);
	cli_words(m->cli, 0, &text);
	message.text = buf_text(&text);
	request_write(&line, &r);
	m->ended = true;
	m->waiting[m->count++] = mem_dupn(line.data, line.len - 1);
	buf_release(&text);
	buf_release(&line);
	return serve(m, e);
}

static int
list_one(struct model *m, const char *name, struct err *e)
{
	struct profile p = {0};
	struct buf line = {0};
	enum catalogue_key key;
	int result = -1;

	if (profile_load(&p, name, e) < 0 || catalogue_key(&p, &key, e) < 0)
		goto out;
	if (m->cli->json) {
		catalogue_write(&line, &p, key);
		result = cli_put(m->cli, &line, e);
		goto out;
	}
	printf("%-16s %-11s key %-8s ", p.id, profile_protocol_word(p.protocol),
	    catalogue_key_word(key));
	cli_print(p.model);
	fputs("\n", stdout);
	result = 0;
out:
	buf_release(&line);
	profile_release(&p);
	return result;
}

/* All profiles, or those that are named; a bad one doesn't hide the others. */
static int
list(struct model *m, struct err *e)
{
	struct buf names = {0};
	char *name, *rest;
	int good = 0;

	for (int i = 0; i < m->cli->argc; i++)
		buf_fmt(&names, "%s\n", m->cli->argv[i]);
	if (!m->cli->argc && profile_names(&names, e) < 0)
		return -1;
	for (rest = names.data; rest && *rest; good += !e->kind) {
		struct err why = {0};

		name = strsep(&rest, "\n");
		if (list_one(m, name, &why) == 0)
			continue;
		if (e->kind)
			log_complain(e);
		*e = why;
	}
	buf_release(&names);
	return e->kind ? -1 : good;
}

static int
run(struct cli *c, struct err *e)
{
	struct model m = {.cli = c};
	bool listing = false;
	int o, result;

	while ((o = cli_option(c)) != -1)
		switch (o) {
		case 'p': m.desk.profile_name = c->value; break;
		case 's': m.serve = true; break;
		case 'l': listing = true; break;
		}
	if (listing)
		return list(&m, e);
	if (c->argc && (m.serve || !m.desk.profile_name))
		cli_usage(c, "words are for one request, with --profile");
	start_without_sigpipe();
	m.signals = (struct signals){.got = on_signal, .ctx = &m};
	m.desk.poll = &m.poll;
	m.desk.told = on_told;
	m.desk.done = on_done;
	m.desk.ctx = &m;
	result = signals_start(&m.signals, &m.poll, e);
	if (result == 0)
		result = c->argc ? ask(&m, e) : answer(&m, e);
	return finish(&m, result, e);
}

static const struct cli_option options[] = {
    {'p', "profile", "name", "ask this one, whatever the request says"},
    {'s', "serve", NULL, "answer requests until the end of the input"},
    {'l', "list", NULL, "list the profiles, or check those that are named"},
    {0},
};

static const struct cli_command command = {
    .name = "sophia-model",
    .purpose = "put a request to a model",
    .args = "[word ...]",
    .options = options,
    .run = run,
    .notes = "Without words it reads one request record, see "
	     "sophia-records(5).\nProfiles are in sophia-models(5).\n",
};

int
main(int argc, char **argv)
{
	return cli_main(&command, argc, argv);
}
