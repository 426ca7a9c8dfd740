#include "history/watch.h"

#include <stdlib.h>

#include "access/reach.h"
#include "core/err.h"
#include "core/mem.h"
#include "history/ingest.h"
#include "store/base.h"
#include "store/coverage.h"
#include "store/live.h"

enum { WATCH_MOST = 20000 }; /* channels of a guild, active threads included */

int
watch_channel(struct ingest *in, uint64_t channel, uint64_t low, struct err *e)
{
	int reach = reach_channel(in->db, in->bot, channel, in->at_ms, e);
	const char *why = reach == REACH_NOTHING ? WATCH_BLIND
			  : reach == REACH_LIVE  ? WATCH_NO_HISTORY
						 : NULL;

	if (reach < 0 ||
	    coverage_forbid(in->db, channel, why, in->at_ms, e) < 0)
		return -1;
	if (reach == REACH_LIVE || reach == REACH_ALL)
		return live_watch(in->db, channel, in->at_ms, low, e);
	return live_end(in->db, channel, in->live.high, e);
}

static int
watch_each(struct ingest *in, const char *sql, uint64_t of, struct err *e)
{
	uint64_t *ids = mem_array(WATCH_MOST, sizeof(*ids));
	struct stmt s = {0};
	size_t count = 0;
	int row, result = 0;

	stmt_start(&s, in->db, sql);
	stmt_int(&s, 1, (int64_t)of);
	stmt_int(&s, 2, WATCH_MOST);
	while ((row = stmt_next(&s, e)) > 0)
		ids[count++] = (uint64_t)row_int(&s, 0);
	stmt_end(&s);
	if (row < 0)
		result = -1;
	for (size_t i = 0; i < count && result == 0; i++)
		result = watch_channel(in, ids[i], 0, e);
	free(ids);
	return result;
}

int
watch_guild(struct ingest *in, uint64_t guild, struct err *e)
{
	return watch_each(in,
	    "SELECT id FROM channel WHERE guild = ?1 AND as_of_ms IS NOT NULL"
	    " AND kind NOT IN (4, 14, 15, 16) AND archived IS NOT 1 LIMIT ?2",
	    guild, e);
}

int
watch_threads(struct ingest *in, uint64_t parent, struct err *e)
{
	return watch_each(in,
	    "SELECT id FROM channel WHERE parent = ?1 AND kind BETWEEN 10 AND 12"
	    " AND archived IS NOT 1 LIMIT ?2",
	    parent, e);
}
