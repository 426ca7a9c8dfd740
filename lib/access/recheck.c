#include "access/recheck.h"

#include <stdlib.h>

#include "access/index.h"
#include "access/venue.h"
#include "core/err.h"
#include "core/id.h"
#include "core/mem.h"
#include "ext/db.h"
#include "record/context.h"
#include "store/base.h"

static int
not_known(struct err *e)
{
	return err_set(e, ERR_AGAIN,
	    "it isn't known just now who may read what this task has read");
}

/* Its sources in that channel, or in none. */
static int
add_messages(struct recheck *r, struct store *tasks, const char *task,
    const char *channel, struct err *e)
{
	struct stmt s = {0};
	uint64_t id;
	int row;

	stmt_start(&s, &tasks->db,
	    "SELECT DISTINCT message FROM source WHERE task = ?1"
	    " AND channel IS ?2 AND gone_ms IS NULL AND message IS NOT NULL");
	stmt_text(&s, 1, task);
	stmt_text(&s, 2, channel);
	while ((row = stmt_next(&s, e)) > 0) {
		if (snowflake_read(&id, row_text(&s, 0)) < 0)
			continue;
		r->messages = mem_resize(r->messages, r->count + 1,
		    sizeof(*r->messages));
		r->messages[r->count++] = id;
	}
	stmt_end(&s);
	return row;
}

/* One channel: its sources are added if they may not be shown. */
static int
look(struct recheck *r, struct venue *v, struct store *tasks, struct stmt *row,
    struct err *e)
{
	uint64_t id = 0;
	int may, knows = 1;

	if (row_null(row, 0) || snowflake_read(&id, row_text(row, 0)) < 0)
		return add_messages(r, tasks, v->context->task,
		    row_text_opt(row, 0), e);
	may = venue_takes(v, id, e);
	if (may == 0)
		knows = venue_knows(v, id, e);
	if (may < 0 || knows < 0)
		return -1;
	if (!knows)
		return not_known(e);
	return may ? 0
		   : add_messages(r, tasks, v->context->task, row_text(row, 0),
			 e);
}

static int
look_all(struct recheck *r, struct venue *v, struct store *tasks, struct err *e)
{
	struct stmt s = {0};
	int row, result = 0;

	stmt_start(&s, &tasks->db,
	    "SELECT DISTINCT channel FROM source WHERE task = ?1"
	    " AND gone_ms IS NULL AND NOT (kind = 'page' AND channel IS NULL)");
	stmt_text(&s, 1, v->context->task);
	while (result == 0 && (row = stmt_next(&s, e)) > 0)
		result = v->everything ? 0 : look(r, v, tasks, &s, e);
	stmt_end(&s);
	return result < 0 ? -1 : row;
}

/* Has it read anything that somebody may not be allowed to read? */
static int
has_sources(struct store *tasks, const char *task, struct err *e)
{
	struct stmt s = {0};
	int row;

	stmt_start(&s, &tasks->db,
	    "SELECT 1 FROM source WHERE task = ?1 AND gone_ms IS NULL"
	    " AND NOT (kind = 'page' AND channel IS NULL) LIMIT 1");
	stmt_text(&s, 1, task);
	row = stmt_next(&s, e);
	stmt_end(&s);
	return row;
}

int
recheck_task(struct recheck *r, struct store *tasks, struct db *index,
    const struct context *c, struct err *e)
{
	struct store messages = {0};
	struct venue v = {0};
	int result = has_sources(tasks, c->task, e);

	*r = (struct recheck){0};
	if (result <= 0)
		return result;
	result = index ? 0 : index_open(&messages, &index, e);
	if (result == 0)
		result = venue_open_here(&v, index, c, e);
	if (result < 0 && e->kind == ERR_DENIED)
		(void)not_known(e);
	if (result == 0)
		result = look_all(r, &v, tasks, e);
	venue_close(&v);
	store_close(&messages);
	if (result < 0)
		recheck_release(r);
	return result;
}

void
recheck_release(struct recheck *r)
{
	free(r->messages);
	*r = (struct recheck){0};
}
