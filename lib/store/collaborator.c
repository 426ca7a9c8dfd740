#include "store/collaborator.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/buf.h"
#include "core/clock.h"
#include "core/crash.h"
#include "core/err.h"
#include "record/context.h"
#include "store/base.h"
#include "store/event.h"
#include "store/task.h"

static int
check_user(const char *user, struct err *e)
{
	uint64_t id;

	if (!user || snowflake_read(&id, user) < 0)
		return err_set(e, ERR_INPUT,
		    "that is no user: an id is needed");
	return 0;
}

/* Is it one that can have collaborators, and theirs to say so? */
static int
check_task(struct store *s, const char *task, const char *user,
    const struct context *who, struct err *e)
{
	struct task_scan scan = {0};
	struct task t;
	int rc = task_get(&scan, s, task, who, &t, e);

	if (rc == 0 && (t.visibility != VISIBILITY_PUBLIC ||
			   strncmp(t.place, "guild:", 6) != 0))
		rc = err_set(e, ERR_REFUSED,
		    "only a public task of a server has collaborators");
	else if (rc == 0 && strcmp(t.owner, user) == 0)
		rc = err_set(e, ERR_REFUSED, "its owner is no collaborator");
	task_end(&scan);
	return rc;
}

static int
check_room(struct store *s, const char *task, struct err *e)
{
	static const char
	    sql[] = "SELECT count(*) FROM collaborator WHERE task = ?1";
	struct stmt q = {0};
	int64_t n = 0;
	int row;

	stmt_start(&q, &s->db, sql);
	stmt_text(&q, 1, task);
	row = stmt_next(&q, e);
	if (row > 0)
		n = row_int(&q, 0);
	stmt_end(&q);
	if (row >= 0 && n >= COLLABORATORS_MAX)
		return err_set(e, ERR_REFUSED,
		    "a task has at most %d collaborators", COLLABORATORS_MAX);
	return row < 0 ? -1 : 0;
}

static int
write_row(struct store *s, const char *sql, const char *task, const char *user,
    struct err *e)
{
	struct stmt q = {0};
	int rc;

	stmt_start(&q, &s->db, sql);
	stmt_text(&q, 1, task);
	stmt_text(&q, 2, user);
	if (strstr(sql, "?3"))
		stmt_int(&q, 3, clock_now_ms());
	rc = stmt_once(&q, e);
	return rc < 0 ? -1 : db_changes(&s->db) > 0;
}

static int
change(struct store *s, const char *sql, const char *word, const char *task,
    const char *user, const struct context *who, struct err *e)
{
	const bool adds = strcmp(word, "added") == 0;
	int done = -1;

	if (check_user(user, e) < 0 || store_begin(s, e) < 0)
		return -1;
	if (check_task(s, task, user, who, e) == 0 &&
	    (!adds || check_room(s, task, e) == 0))
		done = write_row(s, sql, task, user, e);
	if (done > 0 && event_add(s, task, NULL, "collaborator", word, e) < 0)
		done = -1;
	CRASH_POINT("collaborator.change");
	if (done > 0 && store_commit(s, e) < 0)
		done = -1;
	CRASH_POINT("collaborator.change.done");
	store_rollback(s);
	return done;
}

int
collaborator_add(struct store *s, const char *task, const char *user,
    const struct context *who, struct err *e)
{
	static const char
	    sql[] = "INSERT OR IGNORE INTO collaborator (task, user, at_ms)"
		    " VALUES (?1, ?2, ?3)";

	return change(s, sql, "added", task, user, who, e);
}

int
collaborator_remove(struct store *s, const char *task, const char *user,
    const struct context *who, struct err *e)
{
	static const char
	    sql[] = "DELETE FROM collaborator WHERE task = ?1 AND user = ?2";

	return change(s, sql, "removed", task, user, who, e);
}

int
collaborator_mentions(struct buf *b, struct store *s, const char *task,
    struct err *e)
{
	static const char sql[] = "SELECT user FROM collaborator"
				  " WHERE task = ?1 ORDER BY at_ms, user";
	struct stmt q = {0};
	int row, n = 0;

	stmt_start(&q, &s->db, sql);
	stmt_text(&q, 1, task);
	while ((row = stmt_next(&q, e)) > 0)
		buf_fmt(b, "%s<@%s>", n++ ? ", " : "", row_text(&q, 0));
	stmt_end(&q);
	return row < 0 ? -1 : n;
}

int
collaborator_state(struct store *s, char task[ID_LEN + 1],
    const struct context *who, bool *found, struct err *e)
{
	static const char
	    sql[] = "SELECT t.id, t.state FROM collaborator k JOIN task t"
		    " ON t.id = k.task WHERE k.user = ?1 AND t.location = ?2"
		    " AND t.visibility = 'public'"
		    " AND (t.id = ?3 OR (?3 = '' AND t.state = 'running'))"
		    " ORDER BY t.changed_ms DESC LIMIT 1";
	char place[PLACE_LEN];
	struct stmt q = {0};
	int row, state = -1;

	place_text(place, &who->location);
	stmt_start(&q, &s->db, sql);
	stmt_text(&q, 1, who->actor.id);
	stmt_text(&q, 2, place);
	stmt_text(&q, 3, task);
	row = stmt_next(&q, e);
	*found = row > 0;
	if (row > 0) {
		snprintf(task, ID_LEN + 1, "%s", row_text(&q, 0));
		state = task_state_of(row_text(&q, 1));
	}
	stmt_end(&q);
	return state;
}
