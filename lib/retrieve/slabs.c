#include "retrieve/slabs.h"

#include <stdlib.h>
#include <string.h>

#include "core/err.h"
#include "core/mem.h"

/* Little-endian, as the index has them; what the row lacks is not there. */
static void
unpack(struct slab *slab, const unsigned char *bytes, size_t count)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	if (count)
		memcpy(slab->channels, bytes, 4 * count);
#else
	for (size_t i = 0; i < count; i++)
		slab->channels[i] = (uint32_t)bytes[4 * i] |
				    (uint32_t)bytes[4 * i + 1] << 8 |
				    (uint32_t)bytes[4 * i + 2] << 16 |
				    (uint32_t)bytes[4 * i + 3] << 24;
#endif
	for (size_t i = count; i < SLAB_SIZE; i++) {
		slab->lengths[i] = 0;
		slab->channels[i] = 0;
	}
}

static int
fill(struct stmt *s, struct slab *slab, struct err *e)
{
	size_t lengths, channels;
	const void *bytes = row_blob(s, 1, &lengths);

	if (lengths && lengths <= SLAB_SIZE)
		memcpy(slab->lengths, bytes, lengths);
	bytes = row_blob(s, 2, &channels);
	if (lengths > SLAB_SIZE || channels != 4 * lengths)
		return err_set(e, ERR_CONFIG, "the index has a broken chunk");
	unpack(slab, bytes, lengths);
	return 0;
}

/* Step to row no, or past it: 1 if it is there. */
static int
seek(struct slabs *c, size_t no, struct err *e)
{
	static const char sql[] = "SELECT no, lengths, channels FROM chunk"
				  " WHERE no >= ?1 ORDER BY no";
	int row;

	if (!c->find.raw || c->next != no) {
		stmt_start(&c->find, c->db, sql);
		stmt_int(&c->find, 1, (int64_t)no);
	}
	row = stmt_next(&c->find, e);
	c->next = row > 0 ? (size_t)row_int(&c->find, 0) + 1 : 0;
	return row > 0 ? c->next == no + 1 : row;
}

static int
load(struct slabs *c, size_t no, struct slab *slab, struct err *e)
{
	int row = seek(c, no, e);

	if (row > 0)
		return fill(&c->find, slab, e);
	unpack(slab, NULL, 0);
	return row;
}

const struct slab *
slabs_get(struct slabs *c, uint32_t ord, struct err *e)
{
	size_t no = ord / SLAB_SIZE, at = no % SLABS_KEPT;

	if (!c->at)
		c->at = mem_resize(NULL, SLABS_KEPT, sizeof(*c->at));
	if (c->no[at] == no + 1)
		return &c->at[at];
	c->no[at] = 0;
	if (load(c, no, &c->at[at], e) < 0)
		return NULL;
	c->no[at] = no + 1;
	return &c->at[at];
}

void
slabs_pause(struct slabs *c)
{
	if (c->find.raw)
		stmt_reset(&c->find);
	c->next = 0;
}

void
slabs_forget(struct slabs *c)
{
	slabs_pause(c);
	memset(c->no, 0, sizeof(c->no));
}

void
slabs_release(struct slabs *c)
{
	slabs_forget(c);
	free(c->at);
	c->at = NULL;
	stmt_end(&c->find);
}
