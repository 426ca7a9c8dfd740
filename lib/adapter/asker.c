#include "adapter/asker.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "adapter/client.h"
#include "core/clock.h"
#include "core/err.h"
#include "core/log.h"
#include "store/approval.h"
#include "store/base.h"

/* The terminal, if it is ours to ask at: its descriptor, or 0. */
static int
open_terminal(void)
{
	int fd = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);

	if (fd > 0 && tcgetpgrp(fd) != getpgrp()) {
		close(fd);
		return 0;
	}
	return fd > 0 ? fd : 0;
}

static void
show(struct asker *a)
{
	struct buf *out = &a->consent.out;

	for (size_t at = 0; at < out->len;) {
		ssize_t n = write(a->tty, out->data + at, out->len - at);

		if (n <= 0)
			break;
		at += (size_t)n;
	}
	buf_clear(out);
}

/* The prompt is over; lines that are still to come decide nothing. */
static void
end_prompt(struct asker *a)
{
	a->asking = false;
	approval_release(&a->x);
	any_release(&a->record);
	consent_release(&a->consent);
}

static int
decide(struct asker *a, enum decision_verdict verdict, const char *remark,
    bool confirmed, struct err *e)
{
	struct store s = {0};
	int step;

	if (store_open(&s, "tasks", STORE_WRITE, e) < 0)
		return -1;
	step = approval_decide(&s, a->x.id, &a->client->who, verdict, remark,
	    confirmed, e);
	store_close(&s);
	client_hint(a->client);
	return step;
}

static int
choose(struct asker *a, struct err *e)
{
	const struct approval_choice c = {.places = a->consent.places,
	    .place_count = a->consent.place_count};
	struct store s = {0};
	int rc;

	if (store_open(&s, "tasks", STORE_WRITE, e) < 0)
		return -1;
	rc = approval_choose(&s, a->x.id, &a->client->who, &c, e);
	store_close(&s);
	return rc;
}

/* A verdict that nobody types. If it can't be stored, the loop can't go on. */
static void
decide_alone(struct asker *a, enum decision_verdict verdict)
{
	struct err e = {0};

	if (decide(a, verdict, NULL, false, &e) < 0 && e.kind != ERR_REFUSED) {
		log_complain(&e);
		client_kill(a->client);
	}
	end_prompt(a);
}

static void
on_line(void *ctx, const char *text, size_t len, const struct err *bad)
{
	struct asker *a = ctx;
	struct consent *c = &a->consent;
	struct err e = {0};
	enum consent_wish wish;
	int rc = 0;

	(void)len;
	if (!a->asking)
		return;
	wish = bad ? CONSENT_NOTHING : consent_line(c, text);
	if (wish == CONSENT_CHOOSE)
		rc = choose(a, &e);
	else if (wish == CONSENT_DECIDE)
		rc = decide(a, c->verdict, c->remark, c->confirmed, &e);
	if (bad)
		consent_again(c, bad->text);
	else if (rc < 0)
		consent_again(c, e.text);
	else if (wish == CONSENT_DECIDE && rc == APPROVAL_CONFIRM)
		consent_confirm(c);
	show(a);
	if (wish == CONSENT_DECIDE && rc == APPROVAL_DECIDED)
		end_prompt(a);
}

/* ^D, or the terminal went away. */
static void
on_ended(void *ctx, const struct err *why)
{
	struct asker *a = ctx;

	(void)why;
	if (a->asking)
		decide_alone(a, VERDICT_INVALID);
}

/* Nobody can be asked here: say for what, where no record is written. */
static void
give_up(struct asker *a)
{
	struct buf list = {0};

	if (!a->quiet) {
		consent_list(&list, &a->x);
		fprintf(stderr, "An approval is needed for this:\n%s",
		    buf_text(&list));
	}
	buf_release(&list);
	decide_alone(a, VERDICT_INVALID);
}

static void
prompt(struct asker *a)
{
	reader_stop(&a->reader);
	if (!a->tty)
		a->tty = open_terminal();
	if (!a->tty) {
		give_up(a);
		return;
	}
	tcflush(a->tty, TCIFLUSH);
	a->reader = (struct reader){.line = on_line,
	    .ended = on_ended,
	    .ctx = a};
	reader_start(&a->reader, a->poll, a->tty);
	consent_begin(&a->consent, &a->x, clock_now_ms());
	a->asking = true;
	show(a);
}

static void
begin(struct asker *a, const struct client_event *x)
{
	struct err e = {0};

	end_prompt(a);
	if (any_read(&a->record, x->line, x->len, &e) < 0 ||
	    approval_read(&a->x, a->record.root, &e) < 0) {
		log_complain(&e);
		client_kill(a->client);
		return;
	}
	a->ready(a->ctx);
	if (a->deny)
		decide_alone(a, VERDICT_DENY);
	else
		prompt(a);
}

void
asker_heard(struct asker *a, const struct client_event *x)
{
	if (x->kind == CLIENT_APPROVAL) {
		begin(a, x);
	} else if (x->kind == CLIENT_DECISION && a->asking &&
		   strcmp(x->text, a->x.id) == 0) {
		buf_str(&a->consent.out,
		    "\nIt is over: nobody can decide it any more.\n");
		show(a);
		end_prompt(a);
	}
}

bool
asker_stop(struct asker *a)
{
	struct err e = {0};

	if (!a->asking || decide(a, VERDICT_STOP, NULL, false, &e) < 0)
		return false;
	buf_str(&a->consent.out, "\nStopped.\n");
	show(a);
	end_prompt(a);
	return true;
}

void
asker_start(struct asker *a, struct client *client, struct poll *poll)
{
	a->client = client;
	a->poll = poll;
}

void
asker_close(struct asker *a)
{
	end_prompt(a);
	reader_stop(&a->reader);
	if (a->tty)
		close(a->tty);
	a->tty = 0;
}
