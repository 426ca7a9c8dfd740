#include "converse/card_show.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapter/consent.h"
#include "core/buf.h"
#include "core/mem.h"
#include "core/utf8.h"
#include "discord/ballot.h"
#include "discord/compose.h"
#include "discord/escape.h"
#include "store/approval.h"

enum {
	CONTENT_MAX = 1990, /* bytes; Discord takes 2000 characters */
	TEXT_FIRST = 1200,  /* of one text, to begin with */
	TEXT_LEAST = 12,
};

/* Text of a stranger's, in one line: at most so many bytes of it. */
static void
put_text(struct buf *b, const char *text, size_t most)
{
	struct buf plain = {0};

	consent_text(&plain, text, "");
	escape_line(b, buf_text(&plain), most);
	buf_release(&plain);
}

static size_t
pages(const struct approval *x)
{
	return (x->count + BALLOT_OPTIONS - 1) / BALLOT_OPTIONS;
}

/* Is there nothing to be said of the items that the text doesn't say? */
static bool
is_single(const struct approval *x)
{
	return x->count == 1 && strcmp(x->items[0].text, x->text) == 0;
}

static size_t
count_chosen(const struct approval_row *r)
{
	size_t n = 0;

	for (size_t i = 0; i < r->x.count; i++)
		n += r->chosen[i];
	return n;
}

static void
put_verdict(struct buf *b, const struct approval_row *r)
{
	static const char *const words[] = {
	    [VERDICT_APPROVE] = "Approved",
	    [VERDICT_DENY] = "Denied",
	    [VERDICT_CORRECT] = "Not this, but something else",
	    [VERDICT_STOP] = "Stopped",
	    [VERDICT_EXPIRED] = "Expired: nobody decided it, nothing was done",
	    [VERDICT_INVALID] = "Not valid any more: nothing was done",
	};
	const size_t chosen = count_chosen(r);

	buf_fmt(b, "**%s**", words[r->verdict]);
	if (r->verdict == VERDICT_APPROVE && chosen < r->x.count)
		buf_fmt(b, ", %zu of %zu", chosen, r->x.count);
	buf_char(b, '\n');
}

static void
put_head(struct buf *b, const struct card_view *v)
{
	const struct approval_row *r = v->row;

	if (r->decided)
		put_verdict(b, r);
	else if (v->sure)
		buf_fmt(b,
		    "**Are you sure?** %s can't be taken back. It is about "
		    "%zu of %zu:\n",
		    "What is marked with \xe2\x9a\xa0", count_chosen(r),
		    r->x.count);
	else
		buf_fmt(b,
		    "**May I do this?** Decide until <t:%" PRId64 ":t>\n",
		    r->x.expires_ms / 1000);
}

static void
put_items(struct buf *b, const struct card_view *v, size_t most)
{
	const struct approval_row *r = v->row;
	const size_t first = v->page * BALLOT_OPTIONS;

	for (size_t i = first; i < r->x.count && i < first + BALLOT_OPTIONS;
	     i++) {
		const char *strike = r->chosen[i] ? "" : "~~";

		buf_fmt(b, "%s`%zu` %s", strike, i + 1,
		    r->x.items[i].confirm ? "\xe2\x9a\xa0 " : "");
		put_text(b, r->x.items[i].text, most);
		buf_fmt(b, "%s\n", strike);
	}
}

/* All of it, with at most so many bytes of each text. */
static void
put_content(struct buf *b, const struct card_view *v, size_t most)
{
	const struct approval *x = &v->row->x;

	put_head(b, v);
	put_text(b, x->text, most);
	buf_char(b, '\n');
	if (!is_single(x))
		put_items(b, v, most);
	if (pages(x) > 1)
		buf_fmt(b, "-# Items %zu to %zu of %zu\n",
		    v->page * BALLOT_OPTIONS + 1,
		    v->page + 1 < pages(x) ? (v->page + 1) * BALLOT_OPTIONS
					   : x->count,
		    x->count);
	if (x->confirm && !v->row->decided && !v->sure)
		buf_str(b, "-# \xe2\x9a\xa0 can't be taken back\n");
}

/* As much of each text as fits; returns how many bytes that are. */
static size_t
write_content(struct buf *b, const struct card_view *v)
{
	size_t most = TEXT_FIRST;

	put_content(b, v, most);
	while (b->len > CONTENT_MAX && most > TEXT_LEAST) {
		most = most * 3 / 4;
		buf_clear(b);
		put_content(b, v, most);
	}
	return most;
}

bool
card_file(struct buf *b, const struct card_view *v)
{
	const struct approval *x = &v->row->x;
	struct buf content = {0};
	size_t most = write_content(&content, v);
	bool whole = pages(x) == 1 && strlen(x->text) <= most;

	buf_release(&content);
	for (size_t i = 0; i < x->count && whole; i++)
		whole = strlen(x->items[i].text) <= most;
	if (whole)
		return false;
	b->limit = CARD_FILE_MAX;
	consent_list(b, x);
	return true;
}

static void
put_label(struct ballot_option *o, size_t number, const char *text)
{
	struct buf plain = {0};
	size_t len;

	buf_fmt(&plain, "%zu ", number);
	consent_text(&plain, text, "");
	len = utf8_cut(buf_text(&plain), plain.len, sizeof(o->label) - 1);
	memcpy(o->label, buf_text(&plain), len);
	o->label[len] = '\0';
	snprintf(o->value, sizeof(o->value), "%zu", number);
	buf_release(&plain);
}

static void
list_items(struct ballot *x, const struct card_view *v)
{
	const struct approval_row *r = v->row;
	const size_t first = v->page * BALLOT_OPTIONS;

	for (size_t i = first; i < r->x.count && i < first + BALLOT_OPTIONS;
	     i++) {
		put_label(&x->items[i - first], i + 1, r->x.items[i].text);
		x->items[i - first].chosen = r->chosen[i];
		x->item_count++;
	}
}

/* A kind is marked if all of its items are chosen. */
static void
list_kinds(struct ballot *x, const struct approval_row *r)
{
	size_t *kinds = mem_array(r->x.count, sizeof(*kinds));
	size_t count = consent_kinds(&r->x, kinds);

	for (size_t i = 0; i < r->x.count; i++) {
		struct ballot_option *o;

		if (kinds[i] > BALLOT_OPTIONS)
			continue;
		o = &x->kinds[kinds[i] - 1];
		if (!*o->label) {
			put_label(o, kinds[i], r->x.items[i].category);
			o->chosen = true;
		}
		o->chosen &= r->chosen[i];
	}
	x->kind_count = count < BALLOT_OPTIONS ? count : BALLOT_OPTIONS;
	free(kinds);
}

static void
write_controls(struct buf *b, const struct card_view *v)
{
	struct ballot *x = mem_new(sizeof(*x));

	x->id = v->row->x.id;
	x->sure = v->sure;
	x->page = v->page;
	x->pages = pages(&v->row->x);
	list_items(x, v);
	list_kinds(x, v->row);
	ballot_write(b, x);
	free(x);
}

void
card_write(struct buf *b, const struct card_view *v, bool file)
{
	struct buf content = {0}, controls = {0};

	write_content(&content, v);
	if (v->row->decided)
		buf_str(&controls, "[]");
	else
		write_controls(&controls, v);
	compose_write(b, &(struct compose){
			     .content = buf_text(&content),
			     .nonce = v->nonce,
			     .reply = v->reply,
			     .file = file ? CARD_FILE : NULL,
			     .ephemeral = v->ephemeral,
			     .components = buf_text(&controls),
			 });
	buf_release(&content);
	buf_release(&controls);
}
