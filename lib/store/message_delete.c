/* The deleting functions of store/message.h. */
#include "core/err.h"
#include "record/message.h"
#include "store/message.h"

static int
entomb(struct messages *s, enum grave_kind kind, const char *sql, uint64_t id,
    int64_t at_ms, struct err *e)
{
	graves_add(&s->graves,
	    &(struct grave){.kind = kind, .id = id, .at_ms = at_ms});
	stmt_start(&s->mark, s->db, sql);
	stmt_int(&s->mark, 1, (int64_t)id);
	stmt_int(&s->mark, 2, at_ms);
	s->tombstones = true;
	return stmt_run(&s->mark, e);
}

/* What is kept about a message besides its row. */
static int
drop_marks(struct messages *s, uint64_t id, struct err *e)
{
	stmt_start(&s->mark, s->db, "DELETE FROM reaction WHERE message = ?1");
	stmt_int(&s->mark, 1, (int64_t)id);
	if (stmt_run(&s->mark, e) < 0)
		return -1;
	stmt_start(&s->mark, s->db, "DELETE FROM touched WHERE message = ?1");
	stmt_int(&s->mark, 1, (int64_t)id);
	return stmt_run(&s->mark, e);
}

/* Take all that there is of a message: 1, or 0 if there is none. */
static int
take_away(struct messages *s, uint64_t id, struct err *e)
{
	struct message old = {0};
	struct message_row r;
	int tokens, result;

	result = message_row_find(&s->rows, s->db, id, &old, &r, e);
	if (result <= 0)
		goto out;
	result = -1;
	tokens = tokens_make(&s->tokens, &old, r.language, e);
	if (tokens < 0 || tokens_drop(&s->tokens, r.ord, tokens, e) < 0 ||
	    chunks_set(&s->tokens.chunks, r.ord, 0, 0, e) < 0 ||
	    message_row_drop(&s->rows, s->db, r.ord, e) < 0 ||
	    drop_marks(s, id, e) < 0)
		goto out;
	s->count--;
	s->deleted = true;
	result = 1;
out:
	message_row_done(&s->rows);
	message_release(&old);
	return result;
}

int
messages_delete(struct messages *s, uint64_t id, int64_t at_ms, struct err *e)
{
	static const char sql
	    [] = "INSERT OR IGNORE INTO tombstone(id, at_ms) VALUES (?1, ?2)";

	return entomb(s, GRAVE_MESSAGE, sql, id, at_ms, e) < 0
		   ? -1
		   : take_away(s, id, e);
}

int
messages_delete_channel(struct messages *s, uint64_t id, int64_t at_ms,
    struct err *e)
{
	static const char sql[] = "INSERT OR IGNORE INTO tombstone_channel"
				  "(id, at_ms) VALUES (?1, ?2)";

	return entomb(s, GRAVE_CHANNEL, sql, id, at_ms, e);
}

/* Some that are left in deleted channels: how many. */
static int
find_left(struct messages *s, uint64_t ids[MESSAGES_SWEEP], struct err *e)
{
	int row, count = 0;

	stmt_start(&s->some, s->db,
	    "SELECT m.id FROM tombstone_channel t JOIN channel c ON c.id = t.id"
	    " JOIN message m ON m.channel = c.ord LIMIT ?1");
	stmt_int(&s->some, 1, MESSAGES_SWEEP);
	while ((row = stmt_next(&s->some, e)) > 0 && count < MESSAGES_SWEEP)
		ids[count++] = (uint64_t)row_int(&s->some, 0);
	stmt_reset(&s->some);
	return row < 0 ? -1 : count;
}

int
messages_sweep(struct messages *s, struct err *e)
{
	uint64_t ids[MESSAGES_SWEEP];
	int count = s->tombstones ? find_left(s, ids, e) : 0;

	for (int i = 0; i < count; i++)
		if (take_away(s, ids[i], e) < 0)
			return -1;
	return count;
}
