#include "store/chunk.h"

#include <string.h>

#include "core/err.h"

void
chunks_begin(struct chunks *c, struct db *db)
{
	c->db = db;
	c->loaded = c->dirty = false;
	tally_forget(&c->tally);
}

int
chunk_length(int64_t tokens)
{
	return tokens > 255 ? 255 : (int)tokens;
}

int
chunks_flush(struct chunks *c, struct err *e)
{
	if (!c->dirty)
		return 0;
	if (tally_flush(&c->tally, c->db, e) < 0)
		return -1;
	stmt_start(&c->save, c->db,
	    "INSERT INTO chunk(no, lengths, channels) VALUES (?1, ?2, ?3)"
	    " ON CONFLICT(no) DO UPDATE SET lengths = excluded.lengths,"
	    " channels = excluded.channels");
	stmt_int(&c->save, 1, c->no);
	stmt_blob_ref(&c->save, 2, c->lengths, sizeof(c->lengths));
	stmt_blob_ref(&c->save, 3, c->channels, sizeof(c->channels));
	c->dirty = false;
	return stmt_run(&c->save, e);
}

/* Copy a blob of the row; what a short one lacks stays 0. */
static void
copy(struct stmt *s, int column, unsigned char *to, size_t room)
{
	size_t len;
	const void *bytes = row_blob(s, column, &len);

	memset(to, 0, room);
	if (len)
		memcpy(to, bytes, len < room ? len : room);
}

static int
load(struct chunks *c, int64_t no, struct err *e)
{
	int row;

	if (c->loaded && c->no == no)
		return 0;
	if (chunks_flush(c, e) < 0)
		return -1;
	memset(c->lengths, 0, sizeof(c->lengths));
	memset(c->channels, 0, sizeof(c->channels));
	stmt_start(&c->load, c->db,
	    "SELECT lengths, channels FROM chunk WHERE no = ?1");
	stmt_int(&c->load, 1, no);
	row = stmt_next(&c->load, e);
	if (row > 0) {
		copy(&c->load, 0, c->lengths, sizeof(c->lengths));
		copy(&c->load, 1, c->channels, sizeof(c->channels));
	}
	stmt_reset(&c->load);
	c->no = no;
	c->loaded = row >= 0;
	return row < 0 ? -1 : 0;
}

int
chunks_get(struct chunks *c, int64_t ord, int *length, uint32_t *channel,
    struct err *e)
{
	size_t at = (size_t)(ord % CHUNK_SIZE);

	if (load(c, ord / CHUNK_SIZE, e) < 0)
		return -1;
	*length = c->lengths[at];
	*channel = 0;
	for (size_t i = 0; i < 4; i++)
		*channel |= (uint32_t)c->channels[at * 4 + i] << (8 * i);
	return 0;
}

int
chunks_set(struct chunks *c, int64_t ord, int64_t tokens, uint32_t channel,
    struct err *e)
{
	size_t at = (size_t)(ord % CHUNK_SIZE);
	uint32_t old;
	int length;

	if (chunks_get(c, ord, &length, &old, e) < 0)
		return -1;
	if (old != channel &&
	    (tally_add(&c->tally, c->db, old, -1, e) < 0 ||
		tally_add(&c->tally, c->db, channel, 1, e) < 0))
		return -1;
	c->lengths[at] = (unsigned char)chunk_length(tokens);
	for (size_t i = 0; i < 4; i++)
		c->channels[at * 4 + i] = (channel >> (8 * i)) & 0xff;
	c->dirty = true;
	return 0;
}

void
chunks_release(struct chunks *c)
{
	stmt_end(&c->load);
	stmt_end(&c->save);
	tally_release(&c->tally);
	c->loaded = c->dirty = false;
}
