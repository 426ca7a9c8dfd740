#include <stdio.h>
#include <string.h>

#include "access/admission.h"
#include "adapter/client.h"
#include "converse/card_errand.h"
#include "converse/card_show.h"
#include "converse/converse.h"
#include "core/crash.h"
#include "core/err.h"
#include "core/log.h"
#include "discord/compose.h"
#include "record/nonce.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "record/context.h"
#include "store/task.h"

static bool
is_good(const struct card_errand *x)
{
	return x->call.end == REST_ANSWERED && !x->call.verdict.kind;
}

/* The id that Discord answered with, or "". */
static void
answered_id(const struct card_errand *x, char id[24])
{
	const struct buf *reply = &x->call.reply;
	struct json *root = NULL;
	struct err none = {0};
	const char *text = NULL;
	uint64_t n;

	if (json_read(&root, buf_text(reply), reply->len, &none) == 0)
		text = json_string(root, "id");
	snprintf(id, 24, "%s",
	    text && snowflake_read(&n, text) == 0 ? text : "");
	json_free(root);
}

static int
commit_shown(struct card_errand *x, struct err *e)
{
	struct store *s = &x->c->tasks;

	CRASH_POINT("card.shown");
	if (store_begin(s, e) == 0 &&
	    card_shown(s, x->card.approval, x->card.message, e) == 0 &&
	    store_commit(s, e) == 0) {
		CRASH_POINT("card.shown.done");
		return 0;
	}
	store_rollback(s);
	return -1;
}

/* The person can't be asked: that is stored, and their loop told. */
static void
give_up(struct card_errand *x)
{
	char ids[PLACE_LEN];
	struct context who = {.actor = {x->row.asked, ""}};
	struct job *j = jobs_find(&x->c->jobs, x->row.x.task);
	struct err e = {0};

	log_warn("approval %s can't be asked for: %s", x->card.approval,
	    x->call.verdict.kind ? x->call.verdict.text
				 : "there is no private way to its person");
	place_read(&who.location, x->row.place, ids);
	if (approval_decide(&x->c->tasks, x->card.approval, &who,
		VERDICT_INVALID, NULL, false, &e) < 0 &&
	    e.kind != ERR_REFUSED && e.kind != ERR_INPUT) {
		card_errand_fail(x, &e);
		return;
	}
	if (j)
		client_hint(&j->client);
	card_errand_end(x);
}

static void go_direct(struct card_errand *x);

static void
on_posted(void *ctx)
{
	struct card_errand *x = ctx;
	struct err e = {0};

	if (!is_good(x)) {
		if (x->card.hidden)
			go_direct(x);
		else
			give_up(x);
		return;
	}
	answered_id(x, x->card.message);
	if (commit_shown(x, &e) < 0)
		card_errand_fail(x, &e);
	else
		card_errand_end(x);
}

/* That it is sent, and where to, is on the disk first. */
static int
note_sent(struct card_errand *x, struct err *e)
{
	struct store *s = &x->c->tasks;

	CRASH_POINT("card.sent");
	if (store_begin(s, e) == 0 && card_add(s, &x->card, e) == 0 &&
	    store_commit(s, e) == 0) {
		CRASH_POINT("card.sent.done");
		return 0;
	}
	store_rollback(s);
	return -1;
}

static void
write_post(struct card_errand *x)
{
	char nonce[NONCE_LEN + 1], what[ID_LEN + 8];
	const struct card_view view = {
	    .row = &x->row,
	    .ephemeral = x->card.hidden,
	    .nonce = x->card.hidden ? NULL : nonce,
	    .reply = x->card.hidden || x->direct ? NULL : x->request,
	};
	bool file;

	snprintf(what, sizeof(what), "%s.card", x->card.approval);
	nonce_make(nonce, what);
	buf_clear(&x->file);
	buf_clear(&x->body);
	file = card_file(&x->file, &view);
	card_write(&x->body, &view, file);
	x->with = (struct rest_file){.name = CARD_FILE,
	    .type = "text/plain; charset=utf-8",
	    .bytes = buf_text(&x->file),
	    .len = x->file.len};
	x->call.files = &x->with;
	x->call.file_count = file;
}

/* Send it to where card says. */
static void
post(struct card_errand *x)
{
	struct err e = {0};

	if (note_sent(x, &e) < 0) {
		card_errand_fail(x, &e);
		return;
	}
	buf_clear(&x->path);
	if (x->card.hidden)
		buf_fmt(&x->path, "/webhooks/%s/%s?wait=true", x->application,
		    x->token);
	else
		buf_fmt(&x->path, "/channels/%s/messages", x->card.channel);
	write_post(x);
	x->call.repeatable = !x->card.hidden;
	if (card_errand_start(x, "POST", on_posted, &e) < 0) {
		log_complain(&e);
		give_up(x);
	}
}

static void
on_opened(void *ctx)
{
	struct card_errand *x = ctx;

	x->call.repeatable = false;
	if (is_good(x))
		answered_id(x, x->card.channel);
	if (!is_good(x) || !*x->card.channel) {
		give_up(x);
		return;
	}
	x->card.hidden = false;
	x->direct = true;
	post(x);
}

/* Ask them in direct messages, if they may write to Sophia there. */
static void
go_direct(struct card_errand *x)
{
	const struct applicant who = {.user = x->row.asked};
	struct err e = {0};

	if (!admission_allows(terms_now(&x->c->terms), &who)) {
		give_up(x);
		return;
	}
	buf_clear(&x->path);
	buf_clear(&x->body);
	buf_str(&x->path, "/users/@me/channels");
	jsonw_object(&x->body, NULL);
	jsonw_str(&x->body, "recipient_id", x->row.asked);
	jsonw_end_object(&x->body);
	x->call.files = NULL;
	x->call.file_count = 0;
	x->call.repeatable = true;
	if (card_errand_start(x, "POST", on_opened, &e) < 0) {
		log_complain(&e);
		give_up(x);
	}
}

static void
on_led(void *ctx)
{
	struct card_errand *x = ctx;

	if (is_good(x))
		post(x);
	else
		go_direct(x);
}

/*
 * The first follow-up of an interaction would take the place of its reply, and
 * be replaced by the answer then: so that reply says something before.
 */
static void
lead(struct card_errand *x)
{
	struct err e = {0};

	buf_clear(&x->path);
	buf_clear(&x->body);
	buf_fmt(&x->path, "/webhooks/%s/%s/messages/@original", x->application,
	    x->token);
	compose_write(&x->body,
	    &(struct compose){
		.content = "I have to ask you something before I go on.",
		.buttons = true,
	    });
	x->call.repeatable = true;
	if (card_errand_start(x, "PATCH", on_led, &e) < 0) {
		log_complain(&e);
		give_up(x);
	}
}

void
card_post(struct card_errand *x)
{
	x->card.hidden = x->alone && card_errand_hooked(x);
	if (x->alone && !x->card.hidden)
		go_direct(x);
	else if (x->card.hidden)
		lead(x);
	else
		post(x);
}
