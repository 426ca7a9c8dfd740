#include "retrieve/chrono.h"

#include <stdlib.h>
#include <string.h>

#include "core/err.h"
#include "core/mem.h"
#include "ext/db.h"
#include "retrieve/corpus.h"
#include "retrieve/scope.h"

enum {
	FEW = 5000, /* chosen messages are looked up; more are met on a walk */
};

/* Where rows are read from: all ?3, or of one channel or author. */
enum source { FROM_ALL, FROM_CHANNEL, FROM_AUTHOR };

#define COLUMNS "SELECT id, ord, channel, author, flags FROM message "
#define BETWEEN "id > ?1 AND id < ?2 ORDER BY id"

static const char *const walks[][2] = {
    [FROM_ALL] = {COLUMNS "WHERE " BETWEEN, COLUMNS "WHERE " BETWEEN " DESC"},
    [FROM_CHANNEL] = {COLUMNS "WHERE channel = ?3 AND " BETWEEN,
	COLUMNS "WHERE channel = ?3 AND " BETWEEN " DESC"},
    [FROM_AUTHOR] = {COLUMNS "WHERE author = ?3 AND " BETWEEN,
	COLUMNS "WHERE author = ?3 AND " BETWEEN " DESC"},
};

struct reading {
	struct chrono *c;
	struct scope *s;
	const struct chrono_stretch *stretch;
	uint64_t after, before; /* of scope and stretch together */
	struct stmt walk;
};

static bool
comes_first(const struct reading *r, uint64_t a, uint64_t b)
{
	return r->stretch->newest ? a > b : a < b;
}

/* Put a row where it belongs; the last one falls off when it is full. */
static void
insert(struct reading *r, struct chrono_row row)
{
	struct chrono *c = r->c;
	size_t i = c->count, limit = r->stretch->limit;

	while (i && comes_first(r, row.id, c->at[i - 1].id))
		i--;
	if (c->count == limit)
		c->more = true;
	if (i == limit)
		return;
	if (c->count < limit)
		c->count++;
	memmove(&c->at[i + 1], &c->at[i], (c->count - 1 - i) * sizeof(row));
	c->at[i] = row;
}

/* Whether nothing after id can be on the page. */
static bool
past(const struct reading *r, uint64_t id)
{
	const struct chrono *c = r->c;

	return c->more && !comes_first(r, id, c->at[c->count - 1].id);
}

static int
read_walk(struct reading *r, enum source source, uint32_t of, struct err *e)
{
	struct stmt *q = &r->walk;
	struct chrono_row row;
	int found;

	stmt_start(q, r->s->corpus->db, walks[source][r->stretch->newest]);
	stmt_int(q, 1, (int64_t)r->after);
	stmt_int(q, 2, r->before > INT64_MAX ? INT64_MAX : (int64_t)r->before);
	if (source != FROM_ALL)
		stmt_int(q, 3, of);
	while ((found = stmt_next(q, e)) > 0) {
		struct scope_row about = {.id = (uint64_t)row_int(q, 0),
		    .channel = (uint32_t)row_int(q, 2),
		    .author = (uint32_t)row_int(q, 3),
		    .flags = (unsigned)row_int(q, 4)};

		row = (struct chrono_row){about.id, (uint32_t)row_int(q, 1)};
		if (past(r, row.id))
			break;
		if (scope_holds(r->s, row.ord, &about))
			insert(r, row);
	}
	stmt_reset(q);
	return found < 0 ? -1 : 0;
}

static int
read_chosen(struct reading *r, struct err *e)
{
	const struct ords *only = &r->s->only;
	struct scope_row about;
	int found;

	r->c->inside = 0;
	for (size_t i = 0; i < only->count; i++) {
		found = scope_row(r->s, only->at[i], &about, e);
		if (found < 0)
			return -1;
		if (!found || !scope_holds(r->s, only->at[i], &about))
			continue;
		r->c->inside++;
		if (about.id > r->after && about.id < r->before)
			insert(r, (struct chrono_row){about.id, only->at[i]});
	}
	return 0;
}

static int
read_each(struct reading *r, enum source source, const struct ords *of,
    struct err *e)
{
	for (size_t i = 0; i < of->count; i++)
		if (read_walk(r, source, of->at[i], e) < 0)
			return -1;
	return 0;
}

static int
read_all(struct reading *r, struct err *e)
{
	const struct scope *s = r->s;

	if (s->chosen && s->only.count <= FEW)
		return read_chosen(r, e);
	if (s->authors.count)
		return read_each(r, FROM_AUTHOR, &s->authors, e);
	if (!s->all_channels)
		return read_each(r, FROM_CHANNEL, &s->channels, e);
	return read_walk(r, FROM_ALL, 0, e);
}

int
chrono_find(struct chrono *c, struct scope *s,
    const struct chrono_stretch *stretch, struct err *e)
{
	struct reading r = {.c = c, .s = s, .stretch = stretch};
	int result = 0;

	*c = (struct chrono){
	    .at = mem_array(stretch->limit + 1, sizeof(*c->at)),
	    .inside = -1};
	r.after = stretch->after > s->after ? stretch->after : s->after;
	r.before = stretch->before < s->before ? stretch->before : s->before;
	if (stretch->limit)
		result = read_all(&r, e);
	stmt_end(&r.walk);
	return result;
}

void
chrono_release(struct chrono *c)
{
	free(c->at);
	*c = (struct chrono){0};
}
