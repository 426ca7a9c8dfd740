#include "tool/saved.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "access/recheck.h"
#include "core/buf.h"
#include "core/err.h"
#include "core/id.h"
#include "ext/json.h"
#include "record/context.h"
#include "record/gap.h"
#include "store/base.h"
#include "store/task.h"
#include "store/transcript.h"

/* The N of TASK.N if it is a call of that task, else 0. */
static int64_t
number_of(const char *call, const char *task)
{
	size_t len = task ? strlen(task) : 0;
	char *end;
	long long n;

	if (!len || strncmp(call, task, len) != 0 || call[len] != '.')
		return 0;
	n = strtoll(call + len + 1, &end, 10);
	return *end || n < 1 ? 0 : n;
}

/* Add the record of call n to out, if there is one. */
static int
find(struct buf *out, struct store *s, const char *task, int64_t n,
    struct err *e)
{
	struct transcript t = {0};
	struct entry x;
	int row;

	transcript_start(&t, s, task);
	while ((row = transcript_next(&t, &x, e)) > 0)
		if (x.kind == ENTRY_CALL && x.n == n) {
			buf_str(out, x.record);
			break;
		}
	transcript_end(&t);
	return row < 0 ? -1 : 0;
}

/* Was it asked for when a model had been shown one that is lost? */
static int
is_derived(struct store *s, const char *task, int64_t n, uint64_t message,
    struct err *e)
{
	static const char
	    sql[] = "SELECT 1 FROM source s JOIN evidence v ON v.source = s.id"
		    " JOIN call c ON c.task = v.task AND c.n = v.call"
		    " WHERE s.task = ?1 AND s.message = ?2 AND c.round <"
		    "  (SELECT round FROM call WHERE task = ?1 AND n = ?3)";
	char id[24];
	struct stmt q = {0};
	int row;

	snprintf(id, sizeof(id), "%" PRIu64, message);
	stmt_start(&q, &s->db, sql);
	stmt_text(&q, 1, task);
	stmt_text(&q, 2, id);
	stmt_int(&q, 3, n);
	row = stmt_next(&q, e);
	stmt_end(&q);
	return row;
}

static bool
is_lost(void *ctx, const char *url)
{
	const struct recheck *lost = ctx;
	const char *last = strrchr(url, '/');
	uint64_t id;

	if (!last || snowflake_read(&id, last + 1) < 0)
		return false;
	for (size_t i = 0; i < lost->count; i++)
		if (lost->messages[i] == id)
			return true;
	return false;
}

/* Leave out of the record what may not be shown any more. */
static int
limit(struct buf *record, struct store *s, int64_t n, const struct context *who,
    struct err *e)
{
	struct recheck lost = {0};
	struct json *root = NULL;
	struct buf less = {0};
	int derived = 0, result = recheck_task(&lost, s, NULL, who, e);

	for (size_t i = 0; i < lost.count && derived == 0; i++)
		derived = is_derived(s, who->task, n, lost.messages[i], e);
	if (derived < 0)
		result = -1;
	if (result == 0 && lost.count && record->len) {
		result = json_object(&root, buf_text(record), record->len, e);
		if (result == 0) {
			gap_record(&less, root, derived, is_lost, &lost);
			buf_release(record);
			*record = less;
		}
	}
	json_free(root);
	recheck_release(&lost);
	return result;
}

static int
look_up(struct buf *out, const char *task, int64_t n, const struct context *who,
    struct err *e)
{
	struct task_scan scan = {0};
	struct store s = {0};
	struct task t;
	int result = -1;

	if (store_open(&s, "tasks", STORE_READ, e) == 0 &&
	    task_get(&scan, &s, task, who, &t, e) == 0)
		result = 0;
	task_end(&scan);
	if (result == 0)
		result = find(out, &s, task, n, e);
	if (result == 0)
		result = limit(out, &s, n, who, e);
	store_close(&s);
	return result;
}

int
saved_result(struct json **root, const char *call, const struct context *who,
    struct err *e)
{
	int64_t n = number_of(call, who->task);
	struct buf record = {0};
	int result = -1;

	if (!n)
		err_set(e, ERR_INPUT, "this task has no call %.80s", call);
	else if (look_up(&record, who->task, n, who, e) == 0)
		result = record.len ? json_object(root, buf_text(&record),
					  record.len, e)
				    : err_set(e, ERR_INPUT,
					  "this task has no call %.80s, or it "
					  "has not ended",
					  call);
	buf_release(&record);
	return result;
}
