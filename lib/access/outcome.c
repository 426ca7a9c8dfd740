#include "access/outcome.h"

#include <stdio.h>

#include "access/publication.h"
#include "core/err.h"
#include "ext/db.h"
#include "record/context.h"
#include "store/base.h"
#include "store/task.h"

/* Whose a task is, and where. */
struct owner {
	char id[24], guild[24], channel[24];
	struct context context; /* of these */
};

static void
read_place(struct owner *o, const char *place)
{
	struct location *at = &o->context.location;

	at->guild = o->guild;
	at->channel = o->channel;
	if (sscanf(place, "guild:%20[0-9]:%20[0-9]", o->guild, o->channel) == 2)
		at->kind = LOCATION_GUILD;
	else if (sscanf(place, "dm:%20[0-9]", o->channel) == 1)
		at->kind = LOCATION_DM;
}

static int
find_owner(struct owner *o, struct store *tasks, const char *task,
    struct err *e)
{
	struct stmt s = {0};
	int row;

	stmt_start(&s, &tasks->db,
	    "SELECT owner, location, visibility = 'public' FROM task"
	    " WHERE id = ?1");
	stmt_text(&s, 1, task);
	row = stmt_next(&s, e);
	if (row > 0) {
		snprintf(o->id, sizeof(o->id), "%.20s", row_text(&s, 0));
		o->context.actor.id = o->id;
		read_place(o, row_text(&s, 1));
		o->context.visibility = row_int(&s, 2) ? VISIBILITY_PUBLIC
						       : VISIBILITY_PRIVATE;
	}
	stmt_end(&s);
	return row == 0 ? task_missing(task, e) : row < 0 ? -1 : 0;
}

int
outcome_check(struct store *tasks, const char *task, const char *place,
    struct err *e)
{
	struct owner o = {0};

	if (find_owner(&o, tasks, task, e) < 0)
		return -1;
	return publication_check(tasks, NULL, &o.context, task, place, e);
}
