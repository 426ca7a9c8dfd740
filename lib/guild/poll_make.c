/* create_poll */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/buf.h"
#include "core/err.h"
#include "discord/permission.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "guild/change.h"
#include "guild/changes.h"
#include "guild/link.h"
#include "guild/post.h"
#include "guild/seek.h"
#include "record/call.h"
#include "tool/serve.h"

/* "Poll Create Request Object" in Discord's documentation. */
enum {
	QUESTION_MOST = 300,
	ANSWER_MOST = 55,
	ANSWERS_MOST = 10,
	HOURS = 24,
	HOURS_MOST = 768,
	PATH = 128,
};

/* ---- check ---- */

static int
check_answers(struct change *c, struct err *e)
{
	const struct json *list = json_get(c->in, "answers");
	const struct json *v = json_first(list);

	if (json_count(list) < 2 || json_count(list) > ANSWERS_MOST)
		return err_set(e, ERR_INPUT, "a poll has 2 to %d answers",
		    ANSWERS_MOST);
	for (; v; v = json_next(v)) {
		size_t count = change_count(json_text(v) ? json_text(v) : "");

		if (!count || count > ANSWER_MOST)
			return err_set(e, ERR_INPUT,
			    "an answer has 1 to %d characters: '%.80s'",
			    ANSWER_MOST, json_text(v) ? json_text(v) : "");
		for (const struct json *w = json_next(v); w; w = json_next(w))
			if (json_text(w) &&
			    strcmp(json_text(v), json_text(w)) == 0)
				return err_set(e, ERR_INPUT,
				    "two answers are '%.80s'", json_text(v));
	}
	return 0;
}

int
poll_check(struct change *c, struct err *e)
{
	const char *question = change_words(c, "question", 1, QUESTION_MOST, e);
	const struct json *v = json_first(json_get(c->in, "answers"));
	const char *channel = json_string(c->in, "channel");
	int64_t hours = json_int(c->in, "hours", HOURS);
	struct place p;

	if (!question || check_answers(c, e) < 0)
		return -1;
	if (hours < 1 || hours > HOURS_MOST)
		return err_set(e, ERR_INPUT, "hours is no number from 1 to %d",
		    HOURS_MOST);
	if (change_begin(c, channel ? live_id(channel, "<#") : 0, e) < 0 ||
	    change_place(c, "channel", &p, e) < 0 || post_check(&p, e) < 0 ||
	    change_need(&p, PERMIT_POLLS, e) < 0)
		return -1;
	post_propose(c, &p, "create a poll in ");
	buf_fmt(&c->p->text, ", for %" PRId64 " hours%s:\n%s", hours,
	    json_bool(c->in, "several", false) ? ", with several answers each"
					       : "",
	    question);
	for (; v; v = json_next(v))
		buf_fmt(&c->p->text, "\n- %s", json_text(v));
	return 0;
}

/* ---- act ---- */

static void
write_media(struct buf *b, const char *key, const char *text)
{
	jsonw_object(b, key);
	jsonw_str(b, "text", text);
	jsonw_end_object(b);
}

static void
write_poll(struct buf *b, const struct json *in)
{
	const struct json *v = json_first(json_get(in, "answers"));

	jsonw_object(b, "poll");
	write_media(b, "question", json_string(in, "question"));
	jsonw_array(b, "answers");
	for (; v; v = json_next(v)) {
		jsonw_object(b, NULL);
		write_media(b, "poll_media", json_text(v));
		jsonw_end_object(b);
	}
	jsonw_end_array(b);
	jsonw_int(b, "duration", json_int(in, "hours", HOURS));
	jsonw_bool(b, "allow_multiselect", json_bool(in, "several", false));
	jsonw_int(b, "layout_type", 1);
	jsonw_end_object(b);
}

int
poll_act(struct change *c, struct err *e)
{
	struct buf body = {0};
	int result;

	jsonw_object(&body, NULL);
	write_poll(&body, c->in);
	jsonw_str(&body, "nonce", c->call->nonce);
	jsonw_bool(&body, "enforce_nonce", true);
	jsonw_object(&body, "allowed_mentions");
	jsonw_array(&body, "parse");
	jsonw_end_array(&body);
	jsonw_end_object(&body);
	jsonw_end_object(&body);
	result = post_send(c, change_id(c->plan, "channel"), &body, NULL, e);
	buf_release(&body);
	return result;
}

/* ---- verify ---- */

/* The same question, and the same answers in their order. */
static bool
is_it(void *ctx, const struct json *m)
{
	const struct change *c = ctx;
	const struct json *poll = json_get(m, "poll");
	const struct json *v = json_first(json_get(poll, "answers"));
	const struct json *w = json_first(json_get(c->in, "answers"));
	const char *question = json_string(json_get(poll, "question"), "text");
	const char *wanted = json_string(c->in, "question");

	if (!question || !wanted || !change_alike(question, wanted))
		return false;
	for (; v && w; v = json_next(v), w = json_next(w)) {
		const char *text = json_string(json_get(v, "poll_media"),
		    "text");

		if (!text || !json_text(w) || !change_alike(text, json_text(w)))
			return false;
	}
	return !v && !w;
}

int
poll_verify(struct change *c, struct err *e)
{
	const struct seek s = {
	    .guild = change_id(c->plan, "guild"),
	    .channel = change_id(c->plan, "channel"),
	    .is = is_it,
	};

	return seek_message(c, &s, e);
}
