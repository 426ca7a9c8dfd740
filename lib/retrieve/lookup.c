#include "retrieve/lookup.h"

#include <string.h>

#include "core/buf.h"
#include "core/err.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "record/error.h"
#include "record/message.h"
#include "retrieve/chance.h"
#include "retrieve/fetch.h"
#include "retrieve/output.h"
#include "retrieve/page.h"
#include "retrieve/structure.h"
#include "retrieve/wish.h"

int
lookup_open(struct lookup *l, struct err *e)
{
	return corpus_open(&l->corpus, e);
}

void
lookup_close(struct lookup *l)
{
	targets_release(&l->unclear);
	corpus_close(&l->corpus);
}

int
lookup_read(struct wish *w, struct json **root, const char *line, size_t len,
    struct err *e)
{
	if (json_object(root, line, len, e) < 0)
		return -1;
	return wish_read(w, *root, e);
}

void
lookup_free(struct json *root)
{
	json_free(root);
}

/*
 * Keep the candidates of a name that was not clear, and say them in a record.
 */
static void
tell(struct lookup *l, struct scope *s, struct buf *out, bool people,
    const struct err *e)
{
	struct error error = {.kind = e->kind,
	    .text = e->text,
	    .code = "ambiguous"};
	struct buf list = {0};

	targets_release(&l->unclear);
	l->unclear = s->unclear;
	s->unclear = (struct targets){0};
	if (people || !l->unclear.count)
		return;
	targets_write(&list, NULL, &l->unclear);
	error.candidates.text = buf_text(&list);
	error_write(out, &error);
	buf_release(&list);
}

int
lookup_page(struct lookup *l, const struct wish *w, struct buf *out,
    bool people, struct err *e)
{
	struct page page = {0};
	int found = -1;

	if (corpus_begin(&l->corpus, e) < 0)
		return -1;
	if (page_find(&page, &l->corpus, w, e) < 0) {
		tell(l, &page.scope, out, people, e);
		goto out;
	}
	if ((people ? output_people : output_records)(out, &l->corpus, &page,
		e) == 0)
		found = (int)page.hits;
out:
	page_release(&page);
	corpus_end(&l->corpus);
	return found;
}

static int
add_random(struct lookup *l, uint32_t ord, struct buf *out, bool people,
    struct err *e)
{
	struct fetch f = {.corpus = &l->corpus, .plain = people};
	struct message m = {0};
	int row = fetch_message(&f, ord, &m, e);

	if (row > 0)
		(people ? output_person : message_write)(out, &m);
	fetch_release(&f);
	message_release(&m);
	return row;
}

int
lookup_random(struct lookup *l, const struct wish *w, struct buf *out,
    bool people, struct err *e)
{
	struct scope scope = {0};
	uint32_t ord = 0;
	int64_t of;
	int found = -1;

	if (corpus_begin(&l->corpus, e) < 0)
		return -1;
	if (scope_open(&scope, &l->corpus, w, e) < 0)
		tell(l, &scope, out, people, e);
	else if (chance_pick(&scope, &ord, &of, e) == 0)
		found = ord ? add_random(l, ord, out, people, e) : 0;
	scope_release(&scope);
	corpus_end(&l->corpus);
	return found;
}

static void
add_place(struct buf *out, const struct place *p)
{
	jsonw_object(out, NULL);
	jsonw_str(out, "type", "place");
	jsonw_id(out, "id", p->id);
	jsonw_str(out, "name", p->name);
	jsonw_str(out, "kind", p->type);
	if (p->parent)
		jsonw_id(out, "parent", p->parent);
	jsonw_opt(out, "topic", p->topic);
	jsonw_object(out, "guild");
	jsonw_id(out, "id", p->guild);
	jsonw_str(out, "name", p->guild_name);
	jsonw_end_object(out);
	jsonw_int(out, "depth", p->depth);
	jsonw_int(out, "messages", p->messages);
	jsonw_line(out);
}

static void
add_line(struct buf *out, const struct place *p, const struct place *last)
{
	if (!last || last->guild != p->guild)
		buf_fmt(out, "%s\n", p->guild_name);
	buf_fmt(out, "%*s%s%s", 2 * p->depth + 2, "",
	    strstr(p->type, "Category") ? "" : "#", p->name);
	if (p->messages)
		buf_fmt(out, "  %lld", (long long)p->messages);
	buf_str(out, "\n");
}

int
lookup_structure(struct lookup *l, struct buf *out, bool people, struct err *e)
{
	struct structure s = {0};
	int found = -1;

	if (corpus_begin(&l->corpus, e) < 0)
		return -1;
	if (structure_read(&s, &l->corpus, e) == 0)
		found = (int)s.count;
	for (size_t i = 0; i < s.count; i++)
		if (people)
			add_line(out, &s.at[i], i ? &s.at[i - 1] : NULL);
		else
			add_place(out, &s.at[i]);
	structure_release(&s);
	corpus_end(&l->corpus);
	return found;
}
