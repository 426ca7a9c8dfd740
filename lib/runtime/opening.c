#include "runtime/opening.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "core/buf.h"
#include "core/clock.h"
#include "core/err.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "record/turn.h"
#include "runtime/deeds.h"
#include "runtime/dialog.h"
#include "runtime/pictures.h"
#include "runtime/prompt.h"
#include "store/base.h"
#include "store/runner.h"
#include "store/settings.h"
#include "store/task.h"
#include "store/transcript.h"
#include "store/work.h"

enum {
	EARLIER_MAX = 32 << 10, /* bytes shown of earlier turns */
	GAPS_MOST = 20
};

static int
add_system(struct dialog *d, const struct turn *t, const struct runner *r,
    const struct settings *settings, struct err *e)
{
	const char *language = settings_text(settings, "language");
	char place[PLACE_LEN], words[64];
	struct buf text = {0};
	const struct prompt p = {
	    .voice = settings_text(settings, "voice"),
	    .language = words,
	    .actor = t->actor.id,
	    .location = place,
	    .visibility = t->visibility == VISIBILITY_PUBLIC
			      ? "everybody in that place"
			      : "only the person asking",
	    .task = r->task,
	};
	int result;

	place_text(place, &t->location);
	if (strcmp(language, "auto") == 0)
		snprintf(words, sizeof(words), "the language of the request");
	else
		snprintf(words, sizeof(words), "the language \"%s\"", language);
	result = prompt_write(&text, &p, e);
	if (result == 0)
		dialog_add(d, ROLE_SYSTEM, NULL, buf_text(&text));
	buf_release(&text);
	return result;
}

/* Who asks, by the name they give themselves, and when. */
static void
add_setting(struct dialog *d, const struct turn *t)
{
	char now[CLOCK_TEXT];
	struct buf text = {0};

	clock_text(now, clock_now_ms());
	buf_str(&text, "[source: the setting]\n");
	jsonw_object(&text, NULL);
	jsonw_str(&text, "time", now);
	jsonw_opt(&text, "name_of_person_asking", t->actor.name);
	jsonw_end_object(&text);
	dialog_add(d, ROLE_USER, "source", buf_text(&text));
	buf_release(&text);
}

/*
 * What others wrote never stands in the request, but beside it. Files are told
 * by themselves.
 */
static void
add_beside(struct dialog *d, const char *lead, const struct value *v)
{
	const struct json *m = json_first(v->tree);
	struct buf text = {0};
	bool any = false;

	buf_str(&text, lead);
	jsonw_object(&text, NULL);
	for (; m; m = json_next(m)) {
		if (strcmp(json_key(m), "attachments") == 0)
			continue;
		jsonw_value(&text, json_key(m), m);
		any = true;
	}
	jsonw_end_object(&text);
	if (any)
		dialog_add(d, ROLE_USER, "source", buf_text(&text));
	buf_release(&text);
}

/* One line of what was said before; the newest that fit are kept. */
static void
add_entry(struct buf *text, const struct entry *x)
{
	char at[CLOCK_TEXT];

	clock_text(at, x->at_ms);
	jsonw_object(text, NULL);
	jsonw_str(text, "at", at);
	jsonw_str(text, x->kind == ENTRY_REQUEST ? "request" : "answer",
	    x->text);
	jsonw_line(text);
}

static int
add_earlier(struct dialog *d, const struct runner *r, struct err *e)
{
	struct transcript t = {0};
	struct buf text = {0}, lead = {0};
	struct entry x;
	int row;

	transcript_start(&t, r->store, r->task);
	while ((row = transcript_next(&t, &x, e)) > 0)
		if ((x.kind == ENTRY_REQUEST || x.kind == ENTRY_ANSWER) &&
		    strcmp(x.turn, r->turn) != 0 && *x.text)
			add_entry(&text, &x);
	transcript_end(&t);
	if (text.len > EARLIER_MAX) {
		const char *cut = strchr(text.data + (text.len - EARLIER_MAX),
		    '\n');

		buf_drop(&text, (size_t)(cut + 1 - text.data));
	}
	if (row == 0 && text.len) {
		buf_fmt(&lead, "[source: earlier turns of this task]\n%s",
		    text.data);
		dialog_add(d, ROLE_USER, "source", buf_text(&lead));
	}
	buf_release(&text);
	buf_release(&lead);
	return row;
}

static int
write_items(struct buf *b, struct item_scan *scan, const char *what,
    struct err *e)
{
	struct item x;
	int row;

	while ((row = item_next(scan, &x, e)) > 0) {
		jsonw_object(b, NULL);
		jsonw_int(b, what, x.n);
		jsonw_str(b, "text", x.text);
		if (x.state && *x.state)
			jsonw_str(b, "state", x.state);
		if (x.remark && *x.remark)
			jsonw_str(b, "remark", x.remark);
		jsonw_line(b);
	}
	item_end(scan);
	return row;
}

/* Plan, notes and goals, if there are any. */
static int
add_work(struct dialog *d, const struct runner *r, struct err *e)
{
	static const char lead[] = "[source: your own plan, notes and goals]\n";
	struct item_scan scan = {0};
	struct buf text = {0}, plan = {0};
	int64_t version;
	int result = -1;

	buf_str(&text, lead);
	if (plan_get(r->store, r->task, &plan, &version, e) < 0)
		goto out;
	if (version) {
		jsonw_object(&text, NULL);
		jsonw_str(&text, "plan", buf_text(&plan));
		jsonw_line(&text);
	}
	note_list(&scan, r->store, r->task, 0, 0);
	if (write_items(&text, &scan, "note", e) < 0)
		goto out;
	goal_list(&scan, r->store, r->task);
	if (write_items(&text, &scan, "goal", e) < 0)
		goto out;
	if (text.len > strlen(lead))
		dialog_add(d, ROLE_USER, "source", buf_text(&text));
	result = 0;
out:
	buf_release(&text);
	buf_release(&plan);
	return result;
}

/* Where what was left out stood; how that is called is not for all to know. */
static int
add_gaps(struct dialog *d, const struct turn *t, const struct runner *r,
    struct err *e)
{
	bool alone = t->visibility == VISIBILITY_PRIVATE;
	struct stmt s = {0};
	struct buf text = {0};
	int row, count = 0;

	buf_str(&text, "[source: what was left out of this task, with all that "
		       "rested on it]\n");
	stmt_start(&s, &r->store->db,
	    "SELECT url, channel_name FROM source WHERE task = ?1"
	    " AND gone_ms IS NOT NULL ORDER BY id");
	stmt_text(&s, 1, r->task);
	while ((row = stmt_next(&s, e)) > 0) {
		if (count++ >= GAPS_MOST)
			continue;
		jsonw_object(&text, NULL);
		jsonw_str(&text, "url", row_text(&s, 0));
		if (alone)
			jsonw_opt(&text, "channel", row_text_opt(&s, 1));
		jsonw_line(&text);
	}
	stmt_end(&s);
	if (row == 0 && count)
		dialog_add(d, ROLE_USER, "source", buf_text(&text));
	buf_release(&text);
	return row;
}

int
opening_write(struct dialog *d, const struct turn *t, const struct runner *r,
    const struct settings *settings, struct err *e)
{
	const int64_t now_ms = clock_now_ms();

	if (add_system(d, t, r, settings, e) < 0)
		return -1;
	add_setting(d, t);
	add_beside(d, "[source: what the request replies to]\n", &t->reply);
	pictures_attached(d, "[source: files of what it replies to]\n",
	    json_get(t->reply.tree, "attachments"), now_ms);
	add_beside(d, "[source: what came with the request]\n", &t->more);
	if (r->resumed &&
	    (add_earlier(d, r, e) < 0 ||
		deeds_tell(d, r->store, r->task, e) < 0 ||
		add_work(d, r, e) < 0 || pictures_artifacts(d, r, e) < 0 ||
		add_gaps(d, t, r, e) < 0))
		return -1;
	pictures_attached(d, "[source: files attached to the request]\n",
	    t->attachments.tree, now_ms);
	dialog_add(d, ROLE_USER, "request", t->text);
	return 0;
}
