#include "store/live.h"

#include <stdbool.h>

#include "core/err.h"
#include "ext/db.h"
#include "store/coverage.h"

int
live_load(struct db *db, int shard, struct live *l, struct err *e)
{
	struct stmt s = {0};
	int row;

	*l = (struct live){.shard = shard};
	stmt_start(&s, db,
	    "SELECT number, sequence, at_ms, high FROM live WHERE shard = ?1");
	stmt_int(&s, 1, shard);
	row = stmt_next(&s, e);
	if (row > 0) {
		l->number = row_int(&s, 0);
		l->sequence = row_int(&s, 1);
		l->at_ms = row_int(&s, 2);
		l->high = (uint64_t)row_int(&s, 3);
	}
	stmt_end(&s);
	return row < 0 ? -1 : 0;
}

int
live_save(struct db *db, const struct live *l, struct err *e)
{
	struct stmt s = {0};

	stmt_start(&s, db,
	    "INSERT OR REPLACE INTO live(shard, number, sequence, at_ms, high)"
	    " VALUES (?1, ?2, ?3, ?4, ?5)");
	stmt_int(&s, 1, l->shard);
	stmt_int(&s, 2, l->number);
	stmt_int(&s, 3, l->sequence);
	stmt_int(&s, 4, l->at_ms);
	stmt_int(&s, 5, (int64_t)l->high);
	return stmt_once(&s, e);
}

/* What isn't given is bound to nothing: NULL, or not in the statement. */
static int
run(struct db *db, const char *sql, uint64_t channel, int64_t at_ms,
    uint64_t low, struct err *e)
{
	struct stmt s = {0};

	stmt_start(&s, db, sql);
	stmt_int(&s, 1, (int64_t)channel);
	if (at_ms)
		stmt_int(&s, 2, at_ms);
	if (low)
		stmt_int(&s, 3, (int64_t)low);
	return stmt_once(&s, e);
}

int
live_watch(struct db *db, uint64_t channel, int64_t at_ms, uint64_t low,
    struct err *e)
{
	return run(db,
	    "UPDATE channel SET live_ms = ?2, live_low = ?3"
	    " WHERE id = ?1 AND live_ms IS NULL",
	    channel, at_ms, low, e);
}

int
live_reaches(struct db *db, uint64_t channel, int64_t at_ms, uint64_t low,
    struct err *e)
{
	return run(db,
	    "UPDATE channel SET live_low = ?3 WHERE id = ?1 AND live_ms <= ?2"
	    " AND (live_low IS NULL OR live_low > ?3)",
	    channel, at_ms, low, e);
}

/* Watched channels that a statement finds: end each of them. */
static int
end_all(struct db *db, const char *sql, int64_t which, uint64_t high,
    struct err *e)
{
	struct stmt s = {0};
	int row, result = 0;

	do {
		uint64_t channel = 0, low = 0;

		stmt_start(&s, db, sql);
		stmt_int(&s, 1, which);
		row = stmt_next(&s, e);
		if (row > 0) {
			channel = (uint64_t)row_int(&s, 0);
			low = (uint64_t)row_int(&s, 1);
		}
		stmt_reset(&s);
		if (low)
			result = coverage_add(db, channel, low,
			    high > low ? high : low, "gateway", e);
		if (row > 0 && result == 0)
			result = run(db,
			    "UPDATE channel SET live_ms = NULL, live_low = NULL"
			    " WHERE id = ?1",
			    channel, 0, 0, e);
	} while (row > 0 && result == 0);
	stmt_end(&s);
	return row < 0 ? -1 : result;
}

int
live_end(struct db *db, uint64_t channel, uint64_t high, struct err *e)
{
	return end_all(db,
	    "SELECT id, live_low FROM channel WHERE id = ?1"
	    " AND live_ms IS NOT NULL",
	    (int64_t)channel, high, e);
}

int
live_end_guild(struct db *db, uint64_t guild, uint64_t high, struct err *e)
{
	return end_all(db,
	    "SELECT id, live_low FROM channel WHERE guild = ?1"
	    " AND live_ms IS NOT NULL LIMIT 1",
	    (int64_t)guild, high, e);
}

int
live_end_shard(struct db *db, const struct live *l, struct err *e)
{
	return end_all(db,
	    "SELECT c.id, c.live_low FROM channel c JOIN guild g"
	    " ON g.id = c.guild WHERE coalesce(g.shard, 0) = ?1"
	    " AND c.live_ms IS NOT NULL LIMIT 1",
	    l->shard, l->high, e);
}

int
live_end_threads(struct db *db, uint64_t guild, uint64_t parent, uint64_t high,
    struct err *e)
{
	return parent ? end_all(db,
			    "SELECT id, live_low FROM channel WHERE parent = ?1"
			    " AND kind BETWEEN 10 AND 12"
			    " AND live_ms IS NOT NULL LIMIT 1",
			    (int64_t)parent, high, e)
		      : end_all(db,
			    "SELECT id, live_low FROM channel WHERE guild = ?1"
			    " AND kind BETWEEN 10 AND 12"
			    " AND live_ms IS NOT NULL LIMIT 1",
			    (int64_t)guild, high, e);
}

/* "shard_id = (guild_id >> 22) % num_shards", says Discord. */
int
live_shard_of(struct db *db, uint64_t guild, int *shard, struct err *e)
{
	int64_t shards;

	if (db_int(db, "SELECT count(*) FROM live", 0, &shards, e) < 0)
		return -1;
	*shard = shards > 1 ? (int)((guild >> 22) % (uint64_t)shards) : 0;
	return 0;
}
