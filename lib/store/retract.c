#include "store/retract.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/buf.h"
#include "core/clock.h"
#include "core/err.h"
#include "core/id.h"
#include "core/mem.h"
#include "ext/jsonw.h"
#include "record/context.h"
#include "record/gap.h"
#include "store/base.h"
#include "store/retract_files.h"
#include "store/retract_text.h"
#include "store/tell.h"

/* The first round of a turn, or of one after it; none yet is the last. */
#define SINCE(task, n)                                                         \
	"ifnull((SELECT min(r.n) FROM round r JOIN turn x ON x.id = r.turn"    \
	" WHERE r.task = " task " AND x.n >= " n "), 9223372036854775807)"

/* Where a source was first shown, or read, in each task that has it. */
#define REACHES(source, reply, request, steer, file)                                               \
	"SELECT task, min(round), min(turn), max(own) FROM ("                                      \
	"SELECT s.task AS task, c.round + 1 AS round, t.n AS turn, 0 AS own"                       \
	" FROM source s JOIN evidence e ON e.source = s.id"                                        \
	" JOIN call c ON c.task = e.task AND c.n = e.call"                                         \
	" JOIN round r ON r.task = c.task AND r.n = c.round"                                       \
	" JOIN turn t ON t.id = r.turn WHERE s.gone_ms IS NULL AND " source                        \
	" UNION ALL SELECT t.task, " SINCE("t.task",                                               \
	    "t.n") ", t.n, 0 FROM turn t WHERE " reply " = ?1"                                     \
		   " AND json_extract(t.record, '$.reply.gone') IS NULL"                           \
		   " UNION ALL SELECT t.task, " SINCE("t.task",                                    \
		       "t.n") ", t.n, 1 FROM address a JOIN turn t ON t.id = a.turn"               \
			      " WHERE " request                                                    \
			      " AND t.text <> ?3 AND ?2 IS NULL"                                   \
			      " UNION ALL SELECT c.task, ifnull((SELECT min(n) FROM round"         \
			      " WHERE task = c.task AND at_ms >= c.at_ms), 9223372036854775807),"  \
			      " ifnull((SELECT max(n) FROM turn WHERE task = c.task"               \
			      " AND started_ms <= c.at_ms), 1), 0 FROM control c"                  \
			      " WHERE c.kind = 'steer' AND " steer                                 \
			      " = ?1 AND ?2 IS NULL"                                               \
			      " AND c.text <> ?3"                                                  \
			      " UNION ALL SELECT task, round, turn, 0 FROM file_reach WHERE " file \
			      " = ?1"                                                              \
			      ") WHERE ?2 IS NULL OR task = ?2 GROUP BY task"

static const char *const reaches[GRAVE_KINDS] = {
    [GRAVE_MESSAGE] = REACHES("s.message = ?1", "t.reply", "a.request = ?1",
	"c.message", "message"),
    [GRAVE_CHANNEL] = REACHES("s.channel = ?1",
	"json_extract(t.record, '$.reply.channel.id')",
	"a.channel = ?1 AND a.request IS NOT NULL",
	"json_extract(c.data, '$.channel')", "channel"),
};

struct reach {
	char task[ID_LEN + 1];
	int64_t round, turn;
	bool own;
};

/* Of all tasks, or with a task of that one. The list is to be freed. */
static int
find(struct reach **list, struct store *tasks, enum grave_kind kind,
    const char *id, const char *task, struct err *e)
{
	struct stmt q = {0};
	int row, n = 0;

	*list = NULL;
	stmt_start(&q, &tasks->db, reaches[kind]);
	stmt_text(&q, 1, id);
	stmt_text(&q, 2, task);
	stmt_text(&q, 3, gap_text);
	while ((row = stmt_next(&q, e)) > 0) {
		*list = mem_resize(*list, (size_t)n + 1, sizeof(**list));
		(*list)[n] = (struct reach){.round = row_int(&q, 1),
		    .turn = row_int(&q, 2),
		    .own = row_int(&q, 3) != 0};
		snprintf((*list)[n++].task, ID_LEN + 1, "%s", row_text(&q, 0));
	}
	stmt_end(&q);
	return row < 0 ? -1 : n;
}

static int
empty_source(struct store *tasks, enum grave_kind kind, const char *id,
    const char *task, struct err *e)
{
	static const char *const sql[GRAVE_KINDS] = {
	    [GRAVE_MESSAGE] = "UPDATE source SET text = '', gone_ms = ?2"
			      " WHERE message = ?1 AND gone_ms IS NULL"
			      " AND task = ?3",
	    [GRAVE_CHANNEL] = "UPDATE source SET text = '', gone_ms = ?2"
			      " WHERE channel = ?1 AND gone_ms IS NULL"
			      " AND task = ?3",
	};
	struct stmt q = {0};

	stmt_start(&q, &tasks->db, sql[kind]);
	stmt_text(&q, 1, id);
	stmt_int(&q, 2, clock_now_ms());
	stmt_text(&q, 3, task);
	return stmt_once(&q, e);
}

/* What is in requests and corrections: theirs, and what they replied to. */
static int
empty_requests(struct store *tasks, enum grave_kind kind, const char *id,
    struct err *e)
{
	static const char *const all[GRAVE_KINDS][3] = {
	    [GRAVE_MESSAGE] =
		{"UPDATE turn SET text = ?2, record ="
		 " json_remove(json_set(record, '$.text', ?2, '$.attachments',"
		 "  json('[]')), '$.more', '$.reply') WHERE id IN"
		 " (SELECT turn FROM address WHERE request = ?1)",
		    "DELETE FROM inbox WHERE turn IN"
		    " (SELECT turn FROM address WHERE request = ?1)",
		    "UPDATE control SET text = ?2 WHERE kind = 'steer'"
		    " AND message = ?1"},
	    [GRAVE_CHANNEL] =
		{"UPDATE turn SET text = ?2, record ="
		 " json_remove(json_set(record, '$.text', ?2, '$.attachments',"
		 "  json('[]')), '$.more', '$.reply') WHERE id IN (SELECT turn"
		 "  FROM address WHERE channel = ?1 AND request IS NOT NULL)",
		    "DELETE FROM inbox WHERE turn IN (SELECT turn"
		    "  FROM address WHERE channel = ?1 AND request IS NOT NULL)",
		    "UPDATE control SET text = ?2 WHERE kind = 'steer'"
		    " AND json_extract(data, '$.channel') = ?1"},
	};
	struct stmt q = {0};
	int rc = 0;

	for (size_t i = 0; i < 3 && rc == 0; i++) {
		stmt_start(&q, &tasks->db, all[kind][i]);
		stmt_text(&q, 1, id);
		if (strstr(all[kind][i], "?2"))
			stmt_text(&q, 2, gap_text);
		rc = stmt_run(&q, e);
	}
	stmt_end(&q);
	return rc;
}

static int
empty_replies(struct store *tasks, enum grave_kind kind, const char *id,
    struct err *e)
{
#define REPLY_GAP                                                              \
	" SET record = json_set(record, '$.reply', json_object("               \
	"'type', 'message', 'id', json_extract(record, '$.reply.id'),"         \
	"'channel', json_extract(record, '$.reply.channel'),"                  \
	"'author', json_extract(record, '$.reply.author'),"                    \
	"'gone', json('true'))) WHERE "
#define NOT_YET " = ?1 AND json_extract(record, '$.reply.gone') IS NULL"
	static const char *const all[GRAVE_KINDS][2] = {
	    [GRAVE_MESSAGE] = {"UPDATE turn" REPLY_GAP "reply" NOT_YET,
		"UPDATE inbox" REPLY_GAP
		"json_extract(record, '$.reply.id')" NOT_YET},
	    [GRAVE_CHANNEL] =
		{"UPDATE turn" REPLY_GAP
		 "json_extract(record, '$.reply.channel.id')" NOT_YET,
		    "UPDATE inbox" REPLY_GAP
		    "json_extract(record, '$.reply.channel.id')" NOT_YET},
	};
	struct stmt q = {0};
	int rc = 0;

	for (size_t i = 0; i < 2 && rc == 0; i++) {
		stmt_start(&q, &tasks->db, all[kind][i]);
		stmt_text(&q, 1, id);
		rc = stmt_run(&q, e);
	}
	stmt_end(&q);
	return rc;
}

/* It is the text of the first request. */
static int
empty_objective(struct store *tasks, const char *task, struct err *e)
{
	static const char sql[] = "UPDATE task SET objective = (SELECT text"
				  " FROM turn WHERE task = ?1 AND n = 1)"
				  " WHERE id = ?1";
	struct stmt q = {0};

	stmt_start(&q, &tasks->db, sql);
	stmt_text(&q, 1, task);
	return stmt_once(&q, e);
}

static int
tell_it(struct store *tasks, const struct reach *r, struct err *e)
{
	static const char sql[] = "SELECT 1 FROM task WHERE id = ?1"
				  " AND state IN ('running', 'paused')";
	const struct context nobody = {0};
	struct buf data = {0};
	struct stmt q = {0};
	int64_t id;
	int rc;

	stmt_start(&q, &tasks->db, sql);
	stmt_text(&q, 1, r->task);
	rc = stmt_next(&q, e);
	stmt_end(&q);
	if (rc <= 0)
		return rc;
	jsonw_object(&data, NULL);
	jsonw_bool(&data, "deleted", true);
	jsonw_int(&data, "from", r->round);
	jsonw_end_object(&data);
	rc = tell(tasks, r->task, TOLD_INVALIDATE, &nobody, NULL,
	    buf_text(&data), &id, e);
	if (rc == 0 && r->own)
		rc = tell(tasks, r->task, TOLD_STOP, &nobody,
		    "the request was deleted", NULL, &id, e);
	buf_release(&data);
	return rc;
}

int
retract_grave(struct store *tasks, const struct grave *g, struct err *e)
{
	struct reach *list;
	char id[24];
	int n, rc = 0;

	snprintf(id, sizeof(id), "%" PRIu64, g->id);
	n = find(&list, tasks, g->kind, id, NULL, e);
	if (n < 0 || empty_requests(tasks, g->kind, id, e) < 0 ||
	    empty_replies(tasks, g->kind, id, e) < 0)
		rc = -1;
	for (int i = 0; i < n && rc == 0; i++) {
		const struct reach *r = &list[i];

		if (empty_source(tasks, g->kind, id, r->task, e) < 0 ||
		    retract_files(tasks, r->task, r->round, g->kind, id, e) <
			0 ||
		    retract_text(tasks, r->task, r->round, r->turn, e) < 0 ||
		    (r->own && empty_objective(tasks, r->task, e) < 0) ||
		    tell_it(tasks, r, e) < 0)
			rc = -1;
	}
	free(list);
	return n < 0 || rc < 0 ? -1 : n;
}

int
retract_from(struct store *tasks, const char *task, uint64_t message,
    int64_t *from, struct err *e)
{
	struct reach *list;
	char id[24];
	int n, rc = 0;

	*from = INT64_MAX;
	snprintf(id, sizeof(id), "%" PRIu64, message);
	n = find(&list, tasks, GRAVE_MESSAGE, id, task, e);
	if (n > 0) {
		*from = list->round;
		rc = empty_source(tasks, GRAVE_MESSAGE, id, task, e);
	}
	if (n > 0 && rc == 0)
		rc = retract_files(tasks, task, list->round, GRAVE_MESSAGE, id,
		    e);
	if (n > 0 && rc == 0)
		rc = retract_text(tasks, task, list->round, list->turn, e);
	free(list);
	return n < 0 || rc < 0 ? -1 : n;
}
