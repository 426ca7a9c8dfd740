#include "converse/visit.h"

#include <stdlib.h>
#include <string.h>

#include "access/admission.h"
#include "converse/converse.h"
#include "converse/menu.h"
#include "core/clock.h"
#include "core/err.h"
#include "core/id.h"
#include "core/log.h"
#include "core/mem.h"
#include "discord/rest.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "record/event.h"

enum { /* of Discord's documentation, "Interaction Response Object" */
	TYPE_MESSAGE = 4,
	TYPE_DEFER = 5,
	TYPE_DEFER_UPDATE = 6,
	EPHEMERAL = 64,
	ALREADY = 40060, /* code: it was acknowledged before */
	ACK_MS = 2900,   /* Discord waits 3 s */
	TOKEN_MS = 15 * 60 * 1000,
};

static const char closed[] = "I am not available to you here.";

int64_t
visit_first(const struct ear *ear)
{
	int64_t first = 0;

	for (const struct visit *v = ear->owner->visits; v; v = v->next)
		if (v->ear == ear && !v->done && (!first || v->number < first))
			first = v->number;
	return first;
}

static void
free_visit(struct visit *gone)
{
	json_free(gone->json);
	look_release(&gone->look);
	splitter_release(&gone->parts);
	buf_release(&gone->text);
	buf_release(&gone->edit);
	buf_release(&gone->file);
	free(gone->file_name);
	free(gone);
}

static void
drop(struct visit *gone)
{
	struct visit **at = &gone->c->visits;

	while (*at != gone)
		at = &(*at)->next;
	*at = gone->next;
	if (*gone->card)
		gone->c->cards.stale = true;
	free_visit(gone);
}

/* Its event is taken in: the position may move past it. */
static void
settle(struct visit *v)
{
	v->done = true;
	v->ear->due = true;
}

static void
end(struct visit *v)
{
	settle(v);
	drop(v);
}

/* The fields of a message: text that pings nobody. */
static void
write_message(struct buf *b, const char *text, bool ephemeral)
{
	jsonw_str(b, "content", text);
	jsonw_object(b, "allowed_mentions");
	jsonw_array(b, "parse");
	jsonw_end_array(b);
	jsonw_end_object(b);
	if (ephemeral)
		jsonw_int(b, "flags", EPHEMERAL);
}

/* The list is complete: sent again, it replaces the file and adds none. */
static void
add_file(struct post *x, const struct visit *v)
{
	x->file = (struct rest_file){.name = v->file_name,
	    .bytes = v->file.data ? v->file.data : "",
	    .len = v->file.len};
	jsonw_array(&x->body, "attachments");
	jsonw_object(&x->body, NULL);
	jsonw_int(&x->body, "id", 0);
	jsonw_str(&x->body, "filename", v->file_name);
	jsonw_end_object(&x->body);
	jsonw_end_array(&x->body);
}

static int say(struct visit *v, struct err *e);

/* Was it done? If not, the visit is over. */
static bool
is_done(struct visit *v, const struct rest_call *call)
{
	if (!call->verdict.kind)
		return true;
	log_warn("answering interaction %s: %s", v->x.id, call->verdict.text);
	end(v);
	return false;
}

/* Discord won't have the file: the answer goes without it, and says so. */
static void
leave_file(struct visit *v, const struct rest_call *call)
{
	struct err e = {0};

	log_warn("sending a file to interaction %s: %s", v->x.id,
	    call->verdict.text);
	free(v->file_name);
	v->file_name = NULL;
	buf_fmt(&v->text, "\n\nDiscord doesn't take the file: %s",
	    call->verdict.text);
	splitter_start(&v->parts, buf_text(&v->text), v->text.len,
	    SPLITTER_MOST);
	if (say(v, &e) < 0)
		log_complain(&e);
}

static void
on_said(void *ctx, const struct rest_call *call)
{
	struct visit *v = ctx;
	struct err e = {0};

	if (v->file_name && !v->said && call->verdict.kind == ERR_REFUSED) {
		leave_file(v, call);
		return;
	}
	if (!is_done(v, call))
		return;
	v->said = true;
	if (say(v, &e) < 0)
		log_complain(&e);
}

/* The message that was pressed says what came of it, if that went well. */
static void
on_edited(void *ctx, const struct rest_call *call)
{
	struct visit *v = ctx;
	struct err e = {0};

	v->edited = true;
	if (call->verdict.kind)
		log_warn("changing the card of %s: %s", v->card,
		    call->verdict.text);
	else if (v->closes && cards_closed(v->c, v->card, &e) < 0)
		converse_fail(v->c, &e);
	if (say(v, &e) < 0)
		log_complain(&e);
}

static int
edit(struct visit *v, struct err *e)
{
	struct post *x = post_new(&v->c->posts, "PATCH", REST_URGENT);
	int rc;

	x->done = on_edited;
	x->ctx = v;
	x->call.repeatable = true;
	buf_fmt(&x->path, "/webhooks/%s/%s/messages/@original",
	    v->x.application, v->x.token);
	buf_add(&x->body, v->edit.data, v->edit.len);
	rc = post_start(x, e);
	if (rc < 0)
		end(v);
	return rc;
}

/*
 * Put the next part where the acknowledgement stands, or beside the button and
 * the parts before; after the last one it is over.
 */
static int
say(struct visit *v, struct err *e)
{
	const bool more = v->update || v->said;
	struct splitter_part part;
	struct post *x;
	int got;

	if (v->edit.len && !v->edited)
		return edit(v, e);
	got = splitter_next(&v->parts, &part, e);

	if (got <= 0) {
		end(v);
		return got;
	}
	x = post_new(&v->c->posts, more ? "POST" : "PATCH", REST_URGENT);
	x->done = on_said;
	x->ctx = v;
	x->call.repeatable = !more;
	buf_fmt(&x->path, "/webhooks/%s/%s%s", v->x.application, v->x.token,
	    more ? "" : "/messages/@original");
	jsonw_object(&x->body, NULL);
	write_message(&x->body, part.text, more && v->ephemeral);
	if (v->file_name && !v->said)
		add_file(x, v);
	jsonw_end_object(&x->body);
	got = post_start(x, e);
	if (got < 0)
		end(v);
	return got;
}

void
visit_go_on(struct visit *v)
{
	struct err unsaid = {0};

	settle(v);
	splitter_start(&v->parts, buf_text(&v->text), v->text.len,
	    SPLITTER_MOST);
	if (say(v, &unsaid) < 0)
		log_complain(&unsaid);
}

static int
work(struct visit *v, struct err *e)
{
	if (v->work(v, e) < 0)
		return -1;
	if (!v->waits)
		visit_go_on(v);
	return 0;
}

static void
on_acknowledged(void *ctx, const struct rest_call *call)
{
	struct visit *v = ctx;
	struct converse *c = v->c;
	struct err e = {0};

	if (call->verdict.code != ALREADY && !is_done(v, call))
		return;
	if (work(v, &e) < 0)
		converse_fail(c, &e);
}

static int
respond(struct visit *v, int type, const char *data,
    void (*done)(void *, const struct rest_call *), struct err *e)
{
	struct post *x = post_new(&v->c->posts, "POST", REST_URGENT);

	x->done = done;
	x->ctx = v;
	x->call.repeatable = true; /* the second one is refused */
	x->call.until_ms = clock_boot_ms() + ACK_MS;
	buf_fmt(&x->path, "/interactions/%s/%s/callback", v->x.id, v->x.token);
	jsonw_object(&x->body, NULL);
	jsonw_int(&x->body, "type", type);
	if (*data)
		jsonw_raw(&x->body, "data", data, strlen(data));
	jsonw_end_object(&x->body);
	return post_start(x, e);
}

static void
on_answered(void *ctx, const struct rest_call *call)
{
	struct visit *v = ctx;

	if (is_done(v, call))
		end(v);
}

int
visit_answer(struct visit *v, int type, const char *data, struct err *e)
{
	return respond(v, type, data, on_answered, e);
}

static int
refuse(struct visit *v, const char *text, struct err *e)
{
	struct buf data = {0};
	int rc;

	if (v->x.kind == INTERACTION_COMPLETE) {
		rc = menu_complete(v, false, e);
	} else {
		jsonw_object(&data, NULL);
		write_message(&data, text, true);
		jsonw_end_object(&data);
		rc = visit_answer(v, TYPE_MESSAGE, buf_text(&data), e);
	}
	buf_release(&data);
	return rc;
}

static int
acknowledge(struct visit *v, struct err *e)
{
	if (v->update)
		return respond(v, TYPE_DEFER_UPDATE, "", on_acknowledged, e);
	return respond(v, TYPE_DEFER, v->ephemeral ? "{\"flags\":64}" : "",
	    on_acknowledged, e);
}

/* Its token is of no use any more. */
static bool
is_over(const struct visit *v)
{
	uint64_t id;

	return snowflake_read(&id, v->x.id) < 0 ||
	       snowflake_ms(id) + TOKEN_MS < clock_now_ms();
}

/* The form to correct what a card asks for, or why it stays shut. */
static int
open_form(struct visit *v, struct err *e)
{
	int rc = menu_card_form(v, e);

	if (rc == 0)
		return refuse(v, buf_text(&v->text), e);
	return rc < 0 ? -1 : 0;
}

static int
begin(struct visit *v, struct err *e)
{
	const struct applicant who = {
	    .user = v->x.user,
	    .guild = v->x.guild,
	    .bot = v->x.bot,
	    .roles = v->x.roles,
	};
	const bool here = v->x.guild || v->x.direct;

	if (!here || !admission_allows(terms_now(&v->c->terms), &who))
		return refuse(v, closed, e);
	switch (menu_find(v)) {
	case MENU_WORK: return acknowledge(v, e);
	case MENU_COMPLETE: return menu_complete(v, true, e);
	case MENU_MODAL: return menu_modal(v, e);
	case MENU_FORM: return open_form(v, e);
	case MENU_CLOSED: return refuse(v, closed, e);
	case MENU_NONE: break;
	}
	return refuse(v, "I don't know that any more.", e);
}

bool
visit_holds(const struct converse *c, const char *approval)
{
	const struct visit *v = c->visits;

	while (v && strcmp(v->card, approval) != 0)
		v = v->next;
	return v != NULL;
}

void
visit_begin(struct ear *ear, const struct event *x)
{
	struct converse *c = ear->owner;
	struct visit *v = mem_new(sizeof(*v));
	struct err bad = {0};

	v->c = c;
	v->ear = ear;
	v->number = ear->heard;
	v->next = c->visits;
	c->visits = v;
	if (json_object(&v->json, x->data, x->data_len, &bad) == 0 &&
	    interaction_read(&v->x, v->json, &bad) == 0 &&
	    v->x.kind != INTERACTION_OTHER && !is_over(v) &&
	    begin(v, &bad) == 0)
		return;
	if (bad.kind)
		log_complain(&bad);
	end(v);
}

void
visits_release(struct converse *c)
{
	struct visit *v;

	while ((v = c->visits) != NULL) {
		c->visits = v->next;
		free_visit(v);
	}
}
