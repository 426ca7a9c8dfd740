#include "retrieve/exchange.h"

#include <stdlib.h>
#include <string.h>

#include "core/buf.h"
#include "core/err.h"
#include "core/id.h"
#include "core/mem.h"
#include "ext/db.h"
#include "retrieve/corpus.h"
#include "retrieve/party.h"
#include "retrieve/relevance.h"
#include "retrieve/scope.h"

/* How a message in the window is tied to the hit; lower is closer. */
enum tie { TIE_REPLY, TIE_NAMED, TIE_NAMES, TIE_SAME, TIE_NEAR };

struct near {
	uint64_t id;
	uint32_t ord;
	enum tie tie;
	bool shown;
};

struct hit {
	const struct ranked *row;
	uint32_t author;
	uint64_t reply;
	struct buf text;
};

struct finding {
	struct exchange *x;
	struct corpus *corpus;
	struct party party;
	struct stmt hit, earlier, later;
	int context;
	uint32_t high;
};

static void
add(struct exchange *x, struct exchange_row row)
{
	if (x->count == x->room) {
		x->room = x->room ? 2 * x->room : 64;
		x->at = mem_resize(x->at, x->room, sizeof(*x->at));
	}
	x->at[x->count++] = row;
}

static int
read_hit(struct finding *f, struct hit *h, struct err *e)
{
	static const char
	    sql[] = "SELECT author, reply, text FROM message WHERE ord = ?1";
	int row;

	stmt_start(&f->hit, f->corpus->db, sql);
	stmt_int(&f->hit, 1, h->row->ord);
	row = stmt_next(&f->hit, e);
	if (row > 0) {
		h->author = (uint32_t)row_int(&f->hit, 0);
		h->reply = (uint64_t)row_int(&f->hit, 1);
		buf_clear(&h->text);
		buf_str(&h->text, row_text(&f->hit, 2));
	}
	stmt_reset(&f->hit);
	return row < 0 ? -1 : 0;
}

/* Columns: id, ord, author, reply, text. */
static int
judge(struct finding *f, const struct hit *h, struct stmt *q, struct near *n,
    struct err *e)
{
	uint32_t author = (uint32_t)row_int(q, 2);
	const struct person *who;

	*n = (struct near){.id = (uint64_t)row_int(q, 0),
	    .ord = (uint32_t)row_int(q, 1),
	    .tie = TIE_NEAR};
	if (n->id == h->reply || (uint64_t)row_int(q, 3) == h->row->id) {
		n->tie = TIE_REPLY;
		return 0;
	}
	if (author == h->author) {
		n->tie = TIE_SAME;
		return 0;
	}
	if (!(who = party_get(&f->party, author, e)))
		return -1;
	if (party_names(who, buf_text(&h->text))) {
		n->tie = TIE_NAMED;
		return 0;
	}
	if (!(who = party_get(&f->party, h->author, e)))
		return -1;
	if (party_names(who, row_text(q, 4)))
		n->tie = TIE_NAMES;
	return 0;
}

static int
show(struct near *n, size_t count, enum tie tie, int places)
{
	int shown = 0;

	for (size_t i = 0; i < count && shown < places; i++)
		if (n[i].tie <= tie && !n[i].shown) {
			n[i].shown = true;
			shown++;
		}
	return shown;
}

/* Choose from the window, which is in order of distance. */
static void
choose(struct near *n, size_t count, int places)
{
	int ties = (places + 1) / 2;
	int shown = show(n, count, TIE_REPLY, places);

	for (enum tie t = TIE_NAMED; t <= TIE_NAMES && shown < ties; t++)
		shown += show(n, count, t, ties - shown);
	for (size_t i = 0; i < count && shown < places; i++)
		if (n[i].tie == TIE_SAME) {
			shown += !n[i].shown;
			n[i].shown = true;
			break;
		}
	show(n, count, TIE_NEAR, places - shown);
}

/* The silence between two messages ends an exchange. */
static bool
is_silence(uint64_t a, uint64_t b)
{
	int64_t between = snowflake_ms(a) - snowflake_ms(b);

	return between > EXCHANGE_SILENCE_MS || between < -EXCHANGE_SILENCE_MS;
}

/* Read the window on one side of a hit into n: how many belong, or -1. */
static int
read_window(struct finding *f, const struct hit *h, struct stmt *q,
    struct near n[EXCHANGE_WINDOW], struct err *e)
{
	uint64_t last = h->row->id;
	bool silent = false;
	int count = 0, row;

	while ((row = stmt_next(q, e)) > 0 && count < EXCHANGE_WINDOW) {
		if (judge(f, h, q, &n[count], e) < 0)
			return -1;
		silent = silent || is_silence(last, n[count].id);
		last = n[count].id;
		if (!silent || n[count].tie == TIE_REPLY)
			count++;
	}
	stmt_reset(q);
	return row < 0 ? -1 : count;
}

/* Read one side of a hit, and keep what is to be shown. */
static int
look(struct finding *f, const struct hit *h, struct stmt *q, const char *sql,
    uint32_t group, struct err *e)
{
	struct near n[EXCHANGE_WINDOW];
	int count;

	stmt_start(q, f->corpus->db, sql);
	stmt_int(q, 1, h->row->channel);
	stmt_int(q, 2, (int64_t)h->row->id);
	stmt_int(q, 3, f->high);
	stmt_int(q, 4, EXCHANGE_WINDOW);
	if ((count = read_window(f, h, q, n, e)) < 0)
		return -1;
	choose(n, (size_t)count, f->context);
	for (int i = 0; i < count; i++)
		if (n[i].shown)
			add(f->x, (struct exchange_row){.id = n[i].id,
				      .ord = n[i].ord,
				      .group = group});
	return 0;
}

/* The message that the hit replies to is shown however far it is. */
static int
add_parent(struct finding *f, const struct hit *h, uint32_t group,
    struct err *e)
{
	uint32_t ord;

	for (size_t i = 0; i < f->x->count; i++)
		if (f->x->at[i].group == group && f->x->at[i].id == h->reply)
			return 0;
	if (scope_ord(f->corpus, h->reply, &ord, e) < 0)
		return -1;
	if (ord && ord <= f->high)
		add(f->x, (struct exchange_row){.id = h->reply,
			      .ord = ord,
			      .group = group});
	return 0;
}

static int
surround(struct finding *f, struct hit *h, uint32_t group, struct err *e)
{
	static const char
	    earlier[] = "SELECT id, ord, author, reply, text FROM message"
			" WHERE channel = ?1 AND id < ?2 AND ord <= ?3"
			" ORDER BY id DESC LIMIT ?4";
	static const char
	    later[] = "SELECT id, ord, author, reply, text FROM message"
		      " WHERE channel = ?1 AND id > ?2 AND ord <= ?3"
		      " ORDER BY id LIMIT ?4";

	add(f->x, (struct exchange_row){.id = h->row->id,
		      .ord = h->row->ord,
		      .group = group,
		      .hit = true,
		      .score = h->row->score});
	if (!f->context)
		return 0;
	if (read_hit(f, h, e) < 0 ||
	    look(f, h, &f->earlier, earlier, group, e) < 0)
		return -1;
	if (h->reply && add_parent(f, h, group, e) < 0)
		return -1;
	return look(f, h, &f->later, later, group, e);
}

static void
rename_group(struct exchange *x, uint32_t from, uint32_t to)
{
	for (size_t i = 0; i < x->count; i++)
		if (x->at[i].group == from)
			x->at[i].group = to;
}

static int
by_ord(const void *a, const void *b)
{
	const struct exchange_row *x = a, *y = b;

	if (x->ord != y->ord)
		return x->ord < y->ord ? -1 : 1;
	return y->hit - x->hit;
}

static int
by_group(const void *a, const void *b)
{
	const struct exchange_row *x = a, *y = b;

	if (x->group != y->group)
		return x->group < y->group ? -1 : 1;
	return (x->id > y->id) - (x->id < y->id);
}

/* Two hits are together if one is among the other's rows. */
static void
join(struct exchange *x)
{
	qsort(x->at, x->count, sizeof(*x->at), by_ord);
	for (size_t i = 0; i < x->count;) {
		size_t first = i;

		for (i++; i < x->count && x->at[i].ord == x->at[first].ord;
		     i++) {
			uint32_t a = x->at[first].group, b = x->at[i].group;

			if (x->at[first].hit && a != b)
				rename_group(x, a > b ? a : b, a > b ? b : a);
		}
	}
}

/* Each message once; the better group keeps it, a hit before a neighbour. */
static void
finish(struct exchange *x)
{
	uint32_t group = 0, last = 0;
	size_t kept = 0;

	for (size_t i = 0; i < x->count; i++) {
		struct exchange_row *old = kept ? &x->at[kept - 1] : NULL;

		if (!old || old->ord != x->at[i].ord)
			x->at[kept++] = x->at[i];
		else if (x->at[i].group < old->group && !old->hit)
			old->group = x->at[i].group;
	}
	x->count = kept;
	qsort(x->at, x->count, sizeof(*x->at), by_group);
	for (size_t i = 0; i < x->count; i++) {
		group += x->at[i].group != last;
		last = x->at[i].group;
		x->at[i].group = group;
	}
}

int
exchange_find(struct exchange *x, struct corpus *c, const struct ranked *hits,
    size_t count, int context, uint32_t high, struct err *e)
{
	struct finding f = {.x = x,
	    .corpus = c,
	    .party = {.db = c->db},
	    .context = context,
	    .high = high};
	struct hit h = {0};
	int result = 0;

	*x = (struct exchange){0};
	for (size_t i = 0; i < count && result == 0; i++) {
		h.row = &hits[i];
		result = surround(&f, &h, (uint32_t)i + 1, e);
	}
	if (result == 0 && x->count) {
		join(x);
		finish(x);
	}
	buf_release(&h.text);
	stmt_end(&f.hit);
	stmt_end(&f.earlier);
	stmt_end(&f.later);
	party_release(&f.party);
	return result;
}

void
exchange_release(struct exchange *x)
{
	free(x->at);
	*x = (struct exchange){0};
}
