#include "tool/saved.h"

#include <stdlib.h>
#include <string.h>

#include "core/buf.h"
#include "core/err.h"
#include "ext/json.h"
#include "record/context.h"
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
