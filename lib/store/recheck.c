#include "store/recheck.h"

#include <inttypes.h>
#include <stdio.h>

#include "core/clock.h"
#include "core/crash.h"
#include "core/err.h"
#include "store/base.h"

enum { AT_ONCE = 64 };

struct where {
	int64_t guild, user;
};

static int
put(struct db *db, const char *sql, const struct where *w, struct err *e)
{
	struct stmt s = {0};

	stmt_start(&s, db, sql);
	stmt_int(&s, 1, w->guild);
	stmt_int(&s, 2, w->user);
	return stmt_once(&s, e);
}

int
recheck_add(struct db *db, uint64_t guild, uint64_t user, struct err *e)
{
	return put(db,
	    "INSERT OR IGNORE INTO recheck(guild, user) VALUES (?1, ?2)",
	    &(struct where){(int64_t)guild, (int64_t)user}, e);
}

static int
read_some(struct where at[AT_ONCE], struct db *db, struct err *e)
{
	struct stmt s = {0};
	int row, n = 0;

	stmt_start(&s, db, "SELECT guild, user FROM recheck LIMIT ?1");
	stmt_int(&s, 1, AT_ONCE);
	while (n < AT_ONCE && (row = stmt_next(&s, e)) > 0)
		at[n++] = (struct where){row_int(&s, 0), row_int(&s, 1)};
	stmt_end(&s);
	return row < 0 ? -1 : n;
}

static int
tell(struct store *tasks, const struct where *w, struct err *e)
{
	static const char sql[] =
	    "INSERT INTO control (task, kind, actor, actor_name, data, at_ms)"
	    " SELECT DISTINCT t.id, 'invalidate', 'local', '',"
	    "  json_object('url', s.url), ?4 FROM task t"
	    " JOIN source s ON s.task = t.id WHERE s.gone_ms IS NULL"
	    " AND t.state IN ('running', 'paused') AND s.url LIKE ?1"
	    " AND (?2 = '0' OR t.owner = ?2)";
	char links[96], user[24];
	struct stmt s = {0};

	snprintf(links, sizeof(links),
	    "https://discord.com/channels/%" PRId64 "/%%", w->guild);
	snprintf(user, sizeof(user), "%" PRId64, w->user);
	stmt_start(&s, &tasks->db, sql);
	stmt_text(&s, 1, links);
	stmt_text(&s, 2, user);
	stmt_int(&s, 4, clock_now_ms());
	return stmt_once(&s, e);
}

static int
tell_all(const struct where *at, int n, struct err *e)
{
	struct store tasks = {0};
	int rc = store_exists("tasks", e);

	if (rc <= 0)
		return rc;
	rc = store_open(&tasks, "tasks", STORE_WRITE, e);
	if (rc == 0)
		rc = store_begin(&tasks, e);
	for (int i = 0; i < n && rc == 0; i++)
		rc = tell(&tasks, &at[i], e);
	CRASH_POINT("recheck.tell");
	if (rc == 0)
		rc = store_commit(&tasks, e);
	CRASH_POINT("recheck.tell.done");
	store_close(&tasks);
	return rc;
}

static int
drop(struct store *messages, const struct where *at, int n, struct err *e)
{
	int rc = store_begin(messages, e);

	for (int i = 0; i < n && rc == 0; i++)
		rc = put(&messages->db,
		    "DELETE FROM recheck WHERE guild = ?1 AND user = ?2",
		    &at[i], e);
	if (rc == 0)
		return store_commit(messages, e);
	store_rollback(messages);
	return -1;
}

int
recheck_deliver(struct store *messages, struct err *e)
{
	struct where at[AT_ONCE];
	int n;

	while ((n = read_some(at, &messages->db, e)) > 0)
		if (tell_all(at, n, e) < 0 || drop(messages, at, n, e) < 0)
			return -1;
	return n;
}
