#include "retrieve/places.h"

#include <string.h>

#include "core/buf.h"
#include "core/err.h"
#include "core/id.h"
#include "ext/db.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "retrieve/corpus.h"
#include "retrieve/structure.h"
#include "retrieve/targets.h"

/* Every name the author was seen with, each once, the latest first. */
static int
write_names(struct corpus *c, struct buf *b, uint32_t author, struct err *e)
{
	static const char sql
	    [] = "SELECT name, min(kind), max(seen) AS last FROM author_name"
		 " WHERE author = ?1 GROUP BY name ORDER BY last DESC LIMIT 50";
	struct stmt q = {0};
	int row;

	jsonw_array(b, "names");
	stmt_start(&q, c->db, sql);
	stmt_int(&q, 1, author);
	while ((row = stmt_next(&q, e)) > 0)
		jsonw_str(b, NULL, row_text(&q, 0));
	stmt_end(&q);
	jsonw_end_array(b);
	return row;
}

int
places_member(struct corpus *c, const char *name, size_t limit,
    struct buf *data, struct buf *summary, struct err *e)
{
	struct targets found = {0};
	int result = targets_find(c, TARGET_MEMBER, name, &found, e);
	bool one = found.count == 1 && found.at[0].exact;

	jsonw_object(data, NULL);
	jsonw_bool(data, "resolved", one);
	jsonw_array(data, "candidates");
	for (size_t i = 0; i < found.count && i < limit && result == 0; i++) {
		const struct target *t = &found.at[i];

		jsonw_object(data, NULL);
		jsonw_id(data, "id", t->id);
		jsonw_str(data, "name", t->name);
		jsonw_str(data, "matched", t->matched);
		jsonw_str(data, "kind", t->kind);
		jsonw_bool(data, "exact", t->exact);
		result = write_names(c, data, t->ord, e);
		jsonw_end_object(data);
	}
	jsonw_end_array(data);
	jsonw_end_object(data);
	if (one)
		buf_fmt(summary, "%s, id %llu", found.at[0].name,
		    (unsigned long long)found.at[0].id);
	else if (found.count)
		buf_fmt(summary, "not clear: %zu candidates", found.count);
	else
		buf_str(summary, "nobody in the index has that name");
	targets_release(&found);
	return result;
}

static void
write_target(struct buf *b, const struct target *t, const char *asked)
{
	jsonw_object(b, NULL);
	jsonw_str(b, "asked", asked);
	jsonw_id(b, "id", t->id);
	jsonw_str(b, "name", t->name);
	jsonw_str(b, "kind", t->kind);
	jsonw_end_object(b);
}

/* A channel that is clear; of a category, the channels in it, too. */
static int
write_channel(struct corpus *c, struct buf *b, const struct target *t,
    const char *asked, struct err *e)
{
	static const char sql[] = "SELECT id, ord, name, type FROM channel"
				  " WHERE parent = ?1 ORDER BY name, id";
	struct stmt q = {0};
	int row = 0;

	write_target(b, t, asked);
	if (!strstr(t->kind, "Category"))
		return 0;
	stmt_start(&q, c->db, sql);
	stmt_int(&q, 1, (int64_t)t->id);
	while ((row = stmt_next(&q, e)) > 0) {
		jsonw_object(b, NULL);
		jsonw_str(b, "asked", asked);
		jsonw_id(b, "id", (uint64_t)row_int(&q, 0));
		jsonw_str(b, "name", row_text(&q, 2));
		jsonw_str(b, "kind", row_text(&q, 3));
		jsonw_id(b, "parent", t->id);
		jsonw_end_object(b);
	}
	stmt_end(&q);
	return row;
}

/* The three lists grow side by side. */
struct sorting {
	struct corpus *corpus;
	struct buf clear, unclear, unknown;
	size_t clear_count, other_count;
};

static int
sort_name(struct sorting *s, const char *name, struct err *e)
{
	struct targets found = {0};
	int result = targets_find(s->corpus, TARGET_CHANNEL, name, &found, e);

	if (result == 0 && found.count == 1 && found.at[0].exact) {
		result = write_channel(s->corpus, &s->clear, &found.at[0], name,
		    e);
		s->clear_count++;
	} else if (result == 0 && found.count) {
		jsonw_object(&s->unclear, NULL);
		jsonw_str(&s->unclear, "asked", name);
		targets_write(&s->unclear, "candidates", &found);
		jsonw_end_object(&s->unclear);
		s->other_count++;
	} else if (result == 0) {
		jsonw_str(&s->unknown, NULL, name);
		s->other_count++;
	}
	targets_release(&found);
	return result;
}

int
places_channels(struct corpus *c, const struct json *names, struct buf *data,
    struct buf *summary, struct err *e)
{
	struct sorting s = {.corpus = c};
	const struct json *v = json_first(names);
	int result = 0;

	jsonw_array(&s.clear, NULL);
	jsonw_array(&s.unclear, NULL);
	jsonw_array(&s.unknown, NULL);
	for (; v && result == 0; v = json_next(v))
		if (json_text(v))
			result = sort_name(&s, json_text(v), e);
	jsonw_end_array(&s.clear);
	jsonw_end_array(&s.unclear);
	jsonw_end_array(&s.unknown);
	jsonw_object(data, NULL);
	jsonw_raw(data, "channels", s.clear.data, s.clear.len);
	jsonw_raw(data, "unclear", s.unclear.data, s.unclear.len);
	jsonw_raw(data, "unknown", s.unknown.data, s.unknown.len);
	jsonw_end_object(data);
	buf_fmt(summary, "%zu names found, %zu unclear or unknown",
	    s.clear_count, s.other_count);
	buf_release(&s.clear);
	buf_release(&s.unclear);
	buf_release(&s.unknown);
	return result;
}

static void
write_place(struct buf *b, const struct place *p)
{
	jsonw_object(b, NULL);
	jsonw_id(b, "id", p->id);
	jsonw_str(b, "name", p->name);
	jsonw_str(b, "kind", p->type);
	if (p->parent)
		jsonw_id(b, "parent", p->parent);
	jsonw_opt(b, "topic", p->topic);
	jsonw_int(b, "messages", p->messages);
	jsonw_end_object(b);
}

/* Whether a place is asked for; `inside` says if the last one above it was. */
static bool
wanted(const struct place *p, const struct places_wish *w, uint64_t category,
    bool *inside)
{
	if (p->depth == 0)
		*inside = !category || p->id == category;
	return *inside && (w->threads || !strstr(p->type, "Thread"));
}

static void
list_places(const struct structure *s, const struct places_wish *w,
    uint64_t category, uint64_t after, struct buf *data, struct buf *cursor)
{
	bool inside = false, begun = !after;
	int64_t count = 0;
	uint64_t last = 0;

	for (size_t i = 0; i < s->count; i++) {
		const struct place *p = &s->at[i];

		if (begun && wanted(p, w, category, &inside)) {
			if (count == w->limit) {
				buf_fmt(cursor, "%llu",
				    (unsigned long long)last);
				return;
			}
			write_place(data, p);
			last = p->id;
			count++;
		} else if (!begun) {
			wanted(p, w, category, &inside);
			begun = p->id == after;
		}
	}
}

int
places_list(struct corpus *c, const struct places_wish *w, struct buf *data,
    struct buf *summary, struct buf *cursor, struct err *e)
{
	struct structure s = {0};
	struct targets found = {0};
	uint64_t after = 0;
	int result = -1;

	if (w->cursor && snowflake_read(&after, w->cursor) < 0) {
		err_set(e, ERR_INPUT, "this is no cursor of this tool");
		goto out;
	}
	if (w->category &&
	    targets_one(c, TARGET_CHANNEL, w->category, &found, e) < 0)
		goto out;
	if (structure_read(&s, c, e) < 0)
		goto out;
	jsonw_object(data, NULL);
	jsonw_array(data, "places");
	list_places(&s, w, found.count ? found.at[0].id : 0, after, data,
	    cursor);
	jsonw_end_array(data);
	jsonw_end_object(data);
	buf_fmt(summary, "%zu channels, threads and categories are known%s",
	    s.count, cursor->len ? "; the cursor leads to more" : "");
	result = 0;
out:
	structure_release(&s);
	targets_release(&found);
	return result;
}
