#include "store/notice.h"

#include <stdbool.h>
#include <stdlib.h>

#include "core/buf.h"
#include "core/crash.h"
#include "core/err.h"
#include "core/mem.h"
#include "ext/jsonw.h"
#include "record/context.h"
#include "record/message.h"
#include "store/base.h"
#include "store/message_row.h"
#include "store/tell.h"

enum { NOTICES_MOST = 100, TASKS_MOST = 100 }; /* in a turn; of a message */

struct notice {
	int64_t id;
	bool gone;
	char *url;
	char revision[MESSAGE_REVISION]; /* as it is now; "" if gone */
};

struct notices {
	struct notice at[NOTICES_MOST];
	size_t count;
	struct message_rows rows;
};

int
notice_add(struct db *db, uint64_t message, struct err *e)
{
	struct stmt s = {0};

	stmt_start(&s, db,
	    "INSERT INTO notice(guild, channel, message)"
	    " SELECT c.guild, c.id, m.id FROM message m"
	    " JOIN channel c ON c.ord = m.channel WHERE m.id = ?1");
	stmt_int(&s, 1, (int64_t)message);
	return stmt_once(&s, e);
}

/* Its link, and its revision; what was deleted since tells of itself. */
static int
describe(struct notices *n, struct db *db, struct stmt *s, struct err *e)
{
	struct notice *x = &n->at[n->count];
	struct message m = {.id = (uint64_t)row_int(s, 3),
	    .guild.id = (uint64_t)row_int(s, 1),
	    .channel.id = (uint64_t)row_int(s, 2)};
	struct message_row r;
	struct buf link = {0};
	int row;

	message_link(&link, &m);
	*x = (struct notice){.id = row_int(s, 0), .url = buf_take(&link)};
	n->count++;
	row = message_row_find(&n->rows, db, m.id, &m, &r, e);
	if (row > 0)
		message_revision(x->revision, &m);
	x->gone = row == 0;
	message_row_done(&n->rows);
	message_release(&m);
	return row < 0 ? -1 : 0;
}

static int
read_notices(struct notices *n, struct db *db, struct err *e)
{
	struct stmt s = {0};
	int row, result = 0;

	stmt_start(&s, db,
	    "SELECT id, guild, channel, message FROM notice ORDER BY id"
	    " LIMIT ?1");
	stmt_int(&s, 1, NOTICES_MOST);
	while (result == 0 && (row = stmt_next(&s, e)) > 0)
		result = describe(n, db, &s, e);
	stmt_end(&s);
	return result < 0 || row < 0 ? -1 : 0;
}

static int
tell_one(struct store *tasks, const char *task, const struct notice *x,
    struct err *e)
{
	const struct context nobody = {0};
	struct buf data = {0};
	int64_t id;
	int result;

	jsonw_object(&data, NULL);
	jsonw_str(&data, "url", x->url);
	jsonw_str(&data, "revision", x->revision);
	jsonw_end_object(&data);
	result = tell(tasks, task, TOLD_INVALIDATE, &nobody, NULL,
	    buf_text(&data), &id, e);
	buf_release(&data);
	return result;
}

/* The tasks that have read another revision of it, and are not over. */
static int
tell_tasks(struct store *tasks, const struct notice *x, struct err *e)
{
	char *task[TASKS_MOST];
	struct stmt s = {0};
	int row, count = 0, result = 0;

	stmt_start(&s, &tasks->db,
	    "SELECT DISTINCT t.id FROM source s JOIN task t ON t.id = s.task"
	    " WHERE s.url = ?1 AND s.gone_ms IS NULL AND s.revision <> ?2"
	    " AND t.state IN ('running', 'paused') LIMIT ?3");
	stmt_text(&s, 1, x->url);
	stmt_text(&s, 2, x->revision);
	stmt_int(&s, 3, TASKS_MOST);
	while ((row = stmt_next(&s, e)) > 0 && count < TASKS_MOST)
		task[count++] = mem_dup(row_text(&s, 0));
	stmt_end(&s);
	for (int i = 0; i < count; i++) {
		if (row >= 0 && result == 0)
			result = tell_one(tasks, task[i], x, e);
		mem_drop(task[i]);
	}
	return row < 0 || result < 0 ? -1 : count;
}

/* All of them in one turn of the task store: how many tasks were told. */
static int
tell_all(const struct notices *n, struct err *e)
{
	struct store tasks = {0};
	int there = store_exists("tasks", e), told = 0, sum = 0;

	if (there <= 0)
		return there;
	if (store_open(&tasks, "tasks", STORE_WRITE, e) < 0 ||
	    store_begin(&tasks, e) < 0) {
		store_close(&tasks);
		return -1;
	}
	for (size_t i = 0; i < n->count && told >= 0; i++) {
		told = n->at[i].gone ? 0 : tell_tasks(&tasks, &n->at[i], e);
		sum += told;
	}
	CRASH_POINT("notice.tell");
	if (told >= 0 && store_commit(&tasks, e) < 0)
		told = -1;
	CRASH_POINT("notice.tell.done");
	store_close(&tasks);
	return told < 0 ? -1 : sum;
}

static int
drop_to(struct store *messages, int64_t last, struct err *e)
{
	struct stmt s = {0};
	int result;

	if (store_begin(messages, e) < 0)
		return -1;
	stmt_start(&s, &messages->db, "DELETE FROM notice WHERE id <= ?1");
	stmt_int(&s, 1, last);
	result = stmt_once(&s, e);
	if (result < 0) {
		store_rollback(messages);
		return -1;
	}
	CRASH_POINT("notice.drop");
	return store_commit(messages, e);
}

int
notice_deliver(struct store *messages, struct err *e)
{
	struct notices *n = mem_new(sizeof(*n));
	int told = 0, sum = 0;
	size_t count;

	do {
		told = read_notices(n, &messages->db, e);
		count = n->count;
		if (told == 0 && count)
			told = tell_all(n, e);
		if (told >= 0 && count &&
		    drop_to(messages, n->at[count - 1].id, e) < 0)
			told = -1;
		sum += told > 0 ? told : 0;
		while (n->count)
			mem_drop(n->at[--n->count].url);
	} while (told >= 0 && count == NOTICES_MOST);
	message_rows_release(&n->rows);
	free(n);
	return told < 0 ? -1 : sum;
}
