#include "retrieve/structure.h"

#include <stdlib.h>

#include "core/err.h"
#include "core/mem.h"
#include "ext/db.h"
#include "retrieve/corpus.h"

/* Depth first by the tree of parents; a loop of parents ends at depth 3. */
static const char sql[] =
    "WITH RECURSIVE tree(ord, depth, path) AS ("
    " SELECT ord, 0, printf('%s %020d %d %s %020d', g.name, c.guild,"
    "   c.type NOT LIKE '%Category', c.name, c.id)"
    "  FROM channel c JOIN guild g ON g.id = c.guild"
    "  WHERE (c.parent IS NULL"
    "   OR c.parent NOT IN (SELECT id FROM channel))"
    "   AND c.id NOT IN (SELECT id FROM tombstone_channel)"
    " UNION ALL"
    " SELECT c.ord, depth + 1, printf('%s/%s %020d', path, c.name, c.id)"
    "  FROM tree t JOIN channel p ON p.ord = t.ord"
    "  JOIN channel c ON c.parent = p.id WHERE depth < 3"
    "   AND c.id NOT IN (SELECT id FROM tombstone_channel))"
    "SELECT c.messages, c.id, c.parent, c.guild, t.depth, c.name, c.type, c.topic,"
    " g.name FROM tree t JOIN channel c ON c.ord = t.ord"
    " JOIN guild g ON g.id = c.guild ORDER BY t.path";

static void
fill(struct place *p, struct stmt *q)
{
	p->messages = row_int(q, 0);
	p->id = (uint64_t)row_int(q, 1);
	p->parent = (uint64_t)row_int(q, 2);
	p->guild = (uint64_t)row_int(q, 3);
	p->depth = (int)row_int(q, 4);
	p->name = mem_dup(row_text(q, 5));
	p->type = mem_dup(row_text(q, 6));
	p->topic = mem_dup(row_text_opt(q, 7));
	p->guild_name = mem_dup(row_text(q, 8));
}

int
structure_read(struct structure *s, struct corpus *c, struct err *e)
{
	struct stmt q = {0};
	size_t room = 0;
	int row;

	*s = (struct structure){0};
	stmt_start(&q, c->db, sql);
	while ((row = stmt_next(&q, e)) > 0) {
		if (s->count == room) {
			room = room ? 2 * room : 64;
			s->at = mem_resize(s->at, room, sizeof(*s->at));
		}
		fill(&s->at[s->count++], &q);
	}
	stmt_end(&q);
	return row;
}

void
structure_release(struct structure *s)
{
	for (size_t i = 0; i < s->count; i++) {
		free(s->at[i].name);
		free(s->at[i].type);
		free(s->at[i].topic);
		free(s->at[i].guild_name);
	}
	free(s->at);
	*s = (struct structure){0};
}
