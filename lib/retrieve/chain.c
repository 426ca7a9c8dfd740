#include "retrieve/chain.h"

#include "core/err.h"
#include "ext/db.h"
#include "retrieve/corpus.h"
#include "retrieve/scope.h"

/* The ids met so far; the first `done` of them have been asked for answers. */
struct met {
	uint64_t id[CHAIN_MAX];
	size_t count, done;
};

static void
meet(struct met *m, struct ords *found, uint64_t id, uint32_t ord)
{
	for (size_t i = 0; i < m->count; i++)
		if (m->id[i] == id)
			return;
	if (m->count == CHAIN_MAX)
		return;
	m->id[m->count++] = id;
	ords_add(found, ord);
}

/* Climb from id; what was met last is where it all began. */
static int
climb(struct corpus *c, uint64_t id, struct met *m, struct ords *found,
    struct err *e)
{
	static const char
	    sql[] = "SELECT ord, reply FROM message WHERE id = ?1";
	struct stmt q = {0};
	size_t before;
	int row;

	do {
		before = m->count;
		stmt_start(&q, c->db, sql);
		stmt_int(&q, 1, (int64_t)id);
		row = stmt_next(&q, e);
		if (row > 0) {
			meet(m, found, id, (uint32_t)row_int(&q, 0));
			id = (uint64_t)row_int(&q, 1);
		}
	} while (row > 0 && id && m->count > before);
	stmt_end(&q);
	return row < 0 ? -1 : 0;
}

int
chain_find(struct corpus *c, uint64_t id, struct ords *found, struct err *e)
{
	static const char
	    sql[] = "SELECT id, ord FROM message WHERE reply = ?1 ORDER BY id";
	struct met m = {0};
	struct stmt q = {0};
	int row = 0;

	if (climb(c, id, &m, found, e) < 0)
		return -1;
	while (m.done < m.count) {
		stmt_start(&q, c->db, sql);
		stmt_int(&q, 1, (int64_t)m.id[m.done++]);
		while ((row = stmt_next(&q, e)) > 0)
			meet(&m, found, (uint64_t)row_int(&q, 0),
			    (uint32_t)row_int(&q, 1));
		if (row < 0)
			break;
	}
	stmt_end(&q);
	ords_sort(found);
	return row < 0 ? -1 : 0;
}
