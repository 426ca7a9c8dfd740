#include "deliver/showing.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/buf.h"
#include "core/clock.h"
#include "core/crash.h"
#include "core/err.h"
#include "core/id.h"
#include "core/mem.h"
#include "core/poll.h"
#include "deliver/deliver.h"
#include "discord/buttons.h"
#include "discord/compose.h"
#include "discord/escape.h"
#include "record/nonce.h"
#include "discord/rest.h"
#include "ext/json.h"
#include "store/base.h"
#include "store/parcel.h"
#include "store/showcase.h"

enum {
	TYPING_MS = 8000, /* Discord shows it for ten seconds */
	QUIET_MS = 30000, /* the time is brought up to date so often */
	NOTES = 3,
	NOTE_MAX = 160, /* bytes */
	TOKEN_LAST_MS = 15000,
};

struct showing {
	struct deliver *owner;
	struct showing *next;
	char task[ID_LEN + 1], turn[ID_LEN + 1], message[24];
	char *channel, *application, *token;
	int64_t until_ms, began_ms, shown_ms, typed_ms;
	char *notes[NOTES]; /* the newest last */
	int count, steps;
	bool ended, dead, silent, news, unseen, calls,
	    types; /* these two: under way */
	struct rest_call call, typing;
	struct buf path, body, text, typing_path;
	struct poll_timer timer;
};

static void on_time(void *ctx);

static void
set_timer(struct showing *s)
{
	int64_t now_ms = clock_boot_ms();
	int64_t at_ms = s->shown_ms ? s->shown_ms + (s->news ? SHOWING_CHANGE_MS
							     : QUIET_MS)
				    : s->began_ms + SHOWING_AFTER_MS;

	if (s->dead || s->calls)
		at_ms = POLL_NEVER;
	if (!s->silent && !s->types && s->typed_ms + TYPING_MS < at_ms)
		at_ms = s->typed_ms + TYPING_MS;
	if (s->ended || at_ms == POLL_NEVER)
		poll_stop_timer(&s->timer);
	else
		poll_set_timer(s->owner->poll, &s->timer,
		    at_ms > now_ms ? at_ms : now_ms);
}

static void
free_showing(struct showing *s)
{
	poll_stop_timer(&s->timer);
	rest_release(&s->call);
	rest_release(&s->typing);
	for (int i = 0; i < s->count; i++)
		free(s->notes[i]);
	buf_release(&s->path);
	buf_release(&s->body);
	buf_release(&s->text);
	buf_release(&s->typing_path);
	free(s->channel);
	free(s->application);
	free(s->token);
	free(s);
}

static void
leave(struct showing *s)
{
	struct showing **at = &s->owner->showings;

	while (*at != s)
		at = &(*at)->next;
	*at = s->next;
	deliver_again(s->owner);
	free_showing(s);
}

static void
write_text(struct showing *s)
{
	int64_t for_s = (clock_boot_ms() - s->began_ms) / 1000;

	buf_clear(&s->text);
	buf_str(&s->text, "**Working on it** \xc2\xb7 ");
	if (for_s >= 60)
		buf_fmt(&s->text, "%" PRId64 " min ", for_s / 60);
	buf_fmt(&s->text, "%" PRId64 " s", for_s % 60);
	if (s->steps > 1)
		buf_fmt(&s->text, " \xc2\xb7 %d steps", s->steps);
	for (int i = 0; i < s->count; i++) {
		buf_str(&s->text, "\n-# ");
		escape_line(&s->text, s->notes[i], NOTE_MAX);
	}
}

/* It is about to be sent: its nonce goes to the disk first. */
static int
note_first(struct showing *s, const char *nonce, struct err *e)
{
	struct store *tasks = s->owner->tasks;

	CRASH_POINT("showing.first");
	if (store_begin(tasks, e) == 0 &&
	    showcase_add(tasks, s->turn, s->channel, nonce, e) == 0 &&
	    store_commit(tasks, e) == 0)
		return 0;
	store_rollback(tasks);
	return -1;
}

/*
 * Note which message it is. The reply to an interaction was there before: it is
 * noted as a whole, but for one that nobody but its person can see or remove.
 */
static void
note_sent(struct showing *s)
{
	struct store *tasks = s->owner->tasks;
	struct json *root = NULL;
	struct err e = {0};
	const char *id = NULL;
	int rc = -1;

	if (json_read(&root, buf_text(&s->call.reply), s->call.reply.len, &e) ==
	    0)
		id = json_string(root, "id");
	snprintf(s->message, sizeof(s->message), "%s", id ? id : "");
	json_free(root);
	CRASH_POINT("showing.sent");
	if (*s->message && !s->unseen)
		rc = store_begin(tasks, &e);
	if (rc == 0 && s->token)
		rc = showcase_add(tasks, s->turn, s->channel, s->turn, &e);
	if (rc == 0)
		rc = showcase_sent(tasks, s->turn, s->message, &e);
	if (rc < 0 || store_commit(tasks, &e) < 0)
		store_rollback(tasks); /* tidy will look for it */
	CRASH_POINT("showing.sent.done");
}

static void
on_shown(void *ctx)
{
	struct showing *s = ctx;
	bool good = s->call.end == REST_ANSWERED && !s->call.verdict.kind;

	s->calls = false;
	s->shown_ms = clock_boot_ms();
	if (good && !*s->message)
		note_sent(s);
	if (!good || !*s->message)
		s->dead = true;
	if (s->ended)
		leave(s);
	else
		set_timer(s);
}

static int
address_call(struct showing *s, struct compose *c, char nonce[NONCE_LEN + 1],
    struct err *e)
{
	char what[ID_LEN + 16];

	buf_clear(&s->path);
	s->call.method = "PATCH";
	if (s->token) {
		buf_fmt(&s->path, "/webhooks/%s/%s/messages/@original",
		    s->application, s->token);
		return 0;
	}
	buf_fmt(&s->path, "/channels/%s/messages", s->channel);
	if (*s->message) {
		buf_fmt(&s->path, "/%s", s->message);
		return 0;
	}
	s->call.method = "POST";
	snprintf(what, sizeof(what), "%s.progress", s->turn);
	nonce_make(nonce, what);
	c->nonce = nonce;
	return note_first(s, nonce, e);
}

static void
show(struct showing *s)
{
	char nonce[NONCE_LEN + 1];
	struct err e = {0};
	struct compose c = {
	    .buttons = true,
	    .which = BUTTON_STOP | BUTTON_DETAILS,
	    .task = s->task,
	};

	s->news = false;
	write_text(s);
	c.content = buf_text(&s->text);
	if (address_call(s, &c, nonce, &e) < 0) {
		s->dead = true;
		return;
	}
	buf_clear(&s->body);
	compose_write(&s->body, &c);
	s->call.path = buf_text(&s->path);
	s->call.body = buf_text(&s->body);
	s->call.body_len = s->body.len;
	s->call.repeatable = true;
	s->call.until_ms = clock_boot_ms() + SHOWING_CHANGE_MS;
	s->call.ended = on_shown;
	s->call.ctx = s;
	s->calls = rest_start(s->owner->rest, &s->call, &e) == 0;
	s->dead = !s->calls;
}

static void
on_typed(void *ctx)
{
	struct showing *s = ctx;

	s->types = false;
	if (s->typing.end != REST_ANSWERED || s->typing.verdict.kind)
		s->silent = true;
	set_timer(s);
}

static void
type(struct showing *s)
{
	struct err e = {0};

	s->typed_ms = clock_boot_ms();
	s->typing.method = "POST";
	s->typing.path = buf_text(&s->typing_path);
	s->typing.until_ms = s->typed_ms + TYPING_MS;
	s->typing.ended = on_typed;
	s->typing.ctx = s;
	s->types = rest_start(s->owner->rest, &s->typing, &e) == 0;
	s->silent = !s->types;
}

static void
on_time(void *ctx)
{
	struct showing *s = ctx;
	int64_t now_ms = clock_boot_ms();
	int64_t wait_ms = s->news ? SHOWING_CHANGE_MS : QUIET_MS;
	bool due = s->shown_ms ? now_ms >= s->shown_ms + wait_ms
			       : now_ms >= s->began_ms + SHOWING_AFTER_MS;

	if (s->token && clock_now_ms() + TOKEN_LAST_MS >= s->until_ms)
		s->dead = true; /* what stands there, stands there */
	if (!s->silent && !s->types && now_ms >= s->typed_ms + TYPING_MS)
		type(s);
	if (due && !s->dead && !s->calls)
		show(s);
	set_timer(s);
}

struct showing *
showing_start(struct deliver *d, const char *turn)
{
	struct showing *s = NULL;
	struct stmt scan = {0};
	struct err e = {0};
	struct parcel p;

	if (d->stopped || parcel_address(&scan, d->tasks, turn, &p, &e) <= 0)
		goto out;
	if (p.hidden && !p.direct && !p.token)
		goto out; /* others would see it */
	s = mem_new(sizeof(*s));
	s->owner = d;
	s->unseen = p.hidden;
	snprintf(s->task, sizeof(s->task), "%s", p.task);
	snprintf(s->turn, sizeof(s->turn), "%s", p.turn);
	s->channel = mem_dup(p.channel);
	s->application = mem_dup(p.application);
	s->token = mem_dup(p.token);
	s->until_ms = p.until_ms;
	s->began_ms = clock_boot_ms();
	s->silent = s->token != NULL;
	buf_fmt(&s->typing_path, "/channels/%s/typing", s->channel);
	s->timer.fire = on_time;
	s->timer.ctx = s;
	s->next = d->showings;
	d->showings = s;
	s->typed_ms = s->began_ms - TYPING_MS;
	set_timer(s);
out:
	stmt_end(&scan);
	return s;
}

void
showing_note(struct showing *s, const char *text)
{
	if (!s)
		return;
	s->steps++;
	if (s->count && strcmp(s->notes[s->count - 1], text) == 0)
		return;
	if (s->count == NOTES) {
		free(s->notes[0]);
		memmove(s->notes, s->notes + 1,
		    sizeof(*s->notes) * (NOTES - 1));
		s->count--;
	}
	s->notes[s->count++] = mem_dup(text);
	s->news = true;
	set_timer(s);
}

/* It was never sent: then there is nothing to take away. */
static void
forget(struct showing *s)
{
	struct store *tasks = s->owner->tasks;
	struct err e = {0};

	if (store_begin(tasks, &e) < 0 ||
	    showcase_gone(tasks, s->turn, &e) < 0 ||
	    store_commit(tasks, &e) < 0)
		store_rollback(tasks); /* tidy will see that it isn't there */
}

void
showing_end(struct showing *s)
{
	if (!s)
		return;
	s->ended = true;
	poll_stop_timer(&s->timer);
	rest_stop(&s->typing);
	if (rest_drop(&s->call)) {
		s->calls = false;
		if (!s->token && !*s->message)
			forget(s);
	}
	if (!s->calls)
		leave(s);
}

bool
showing_busy(const struct showing *list, const char *turn)
{
	for (; list; list = list->next)
		if (strcmp(list->turn, turn) == 0 && list->calls)
			return true;
	return false;
}

void
showings_release(struct deliver *d)
{
	while (d->showings) {
		struct showing *s = d->showings;

		d->showings = s->next;
		free_showing(s);
	}
}
