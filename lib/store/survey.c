#include "store/survey.h"

#include <sys/stat.h>

#include "core/buf.h"
#include "core/err.h"
#include "ext/text.h"
#include "record/index_status.h"
#include "store/base.h"
#include "store/coverage.h"
#include "store/meta.h"

static int64_t
bytes_of(const char *path)
{
	struct buf wal = {0};
	struct stat st;
	int64_t bytes = stat(path, &st) == 0 ? st.st_size : 0;

	buf_fmt(&wal, "%s-wal", path);
	if (stat(wal.data, &st) == 0)
		bytes += st.st_size;
	buf_release(&wal);
	return bytes;
}

static int
count(struct db *db, struct index_status *s, struct err *e)
{
	static const char sql[] =
	    "SELECT (SELECT count(*) FROM guild), (SELECT count(*) FROM channel),"
	    " (SELECT count(*) FROM author), (SELECT count(*) FROM tombstone),"
	    " (SELECT min(id) FROM message), (SELECT max(id) FROM message)";
	struct stmt q = {0};
	int64_t analyzer, rebuild;
	int row;

	stmt_start(&q, db, sql);
	row = stmt_next(&q, e);
	if (row > 0) {
		s->guilds = row_int(&q, 0);
		s->channels = row_int(&q, 1);
		s->authors = row_int(&q, 2);
		s->tombstones = row_int(&q, 3);
		s->oldest = (uint64_t)row_int(&q, 4);
		s->newest = (uint64_t)row_int(&q, 5);
	}
	stmt_end(&q);
	if (row < 0 || meta_int(db, "messages", 0, &s->messages, e) < 0 ||
	    meta_int(db, "tokens", 0, &s->tokens, e) < 0 ||
	    meta_int(db, "analyzer", text_version(), &analyzer, e) < 0 ||
	    meta_int(db, "rebuild", 0, &rebuild, e) < 0)
		return -1;
	s->stale = analyzer != text_version() || rebuild;
	return 0;
}

int
survey_all(struct store *base, struct index_status *s, char path[PATH_MAX],
    struct err *e)
{
	if (store_path(path, base->name, e) < 0)
		return -1;
	*s = (struct index_status){.path = path, .bytes = bytes_of(path)};
	return count(&base->db, s, e);
}

/* Unknown stretches up to the newest that is known. */
static int
count_gaps(struct db *db, struct index_channel *c, uint64_t high, struct err *e)
{
	struct coverage_gap gap;
	int open = 1;

	for (c->gaps = 0; high && open > 0; c->gaps += open > 0) {
		open = coverage_gap(db, c->id, 0, high, &gap, e);
		high = open > 0 && gap.low ? gap.low - 1 : 0;
	}
	return open;
}

int
survey_channel(struct survey *s, struct db *db, struct index_channel *c,
    struct err *e)
{
	static const char sql
	    [] = "SELECT c.id, c.guild, c.name, c.type, c.language, c.messages,"
		 " (SELECT min(id) FROM message WHERE channel = c.ord),"
		 " (SELECT max(id) FROM message WHERE channel = c.ord),"
		 " count(v.low), max(v.high), c.forbidden,"
		 " c.live_low IS NOT NULL"
		 " FROM channel c LEFT JOIN covered v ON v.channel = c.ord"
		 " WHERE c.id NOT IN (SELECT id FROM tombstone_channel)"
		 " GROUP BY c.ord HAVING c.messages > 0 OR count(v.low) > 0"
		 " OR c.forbidden IS NOT NULL ORDER BY c.guild, c.name, c.id";
	int row;

	if (!s->rows.raw)
		stmt_start(&s->rows, db, sql);
	row = stmt_next(&s->rows, e);
	if (row <= 0)
		return row;
	c->id = (uint64_t)row_int(&s->rows, 0);
	c->guild = (uint64_t)row_int(&s->rows, 1);
	c->name = row_text(&s->rows, 2);
	c->type = row_text(&s->rows, 3);
	c->language = row_text(&s->rows, 4);
	c->messages = row_int(&s->rows, 5);
	c->oldest = (uint64_t)row_int(&s->rows, 6);
	c->newest = (uint64_t)row_int(&s->rows, 7);
	c->ranges = row_int(&s->rows, 8);
	c->forbidden = row_text_opt(&s->rows, 10);
	c->live = row_int(&s->rows, 11) != 0;
	return count_gaps(db, c, (uint64_t)row_int(&s->rows, 9), e) < 0 ? -1
									: 1;
}

void
survey_release(struct survey *s)
{
	stmt_end(&s->rows);
}
