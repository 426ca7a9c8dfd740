/* /tasks file_path: a file of a task, for its owner alone. */
#include <inttypes.h>

#include "access/outcome.h"
#include "converse/converse.h"
#include "converse/menu.h"
#include "converse/visit.h"
#include "core/err.h"
#include "core/log.h"
#include "core/mem.h"
#include "discord/escape.h"
#include "store/holding.h"
#include "store/task.h"

/* Discord takes 10 MiB of a bot; less in all, so that a form fits. */
enum { FILE_MOST = 8 << 20, NAME_SHOWN = 300 };

/* Is it theirs, and may they still read what it may be made of? */
static int
check(struct visit *v, const char *task, struct err *e)
{
	const struct context who = menu_who(v);
	struct task_scan scan = {0};
	struct task row;
	int rc = task_get(&scan, &v->c->tasks, task, &who, &row, e);

	task_end(&scan);
	if (rc == 0 && v->x.guild && !v->ephemeral)
		rc = err_set(e, ERR_INPUT,
		    "the file is for you alone: leave out ephemeral");
	if (rc == 0 && outcome_check(&v->c->tasks, task, NULL, e) < 0) {
		if (e->kind == ERR_AGAIN)
			e->kind = ERR_REFUSED;
		rc = err_in(e, "it is kept back");
	}
	return rc;
}

static int
attach(struct visit *v, const struct holding *h, struct err *e)
{
	if (h->size > FILE_MOST)
		return err_set(e, ERR_REFUSED,
		    "the file has %" PRId64 " bytes, and Discord takes %d MiB: "
		    "ask me to make it smaller, or to split it",
		    h->size, FILE_MOST >> 20);
	v->file.limit = FILE_MOST;
	if (content_get(&v->c->tasks, h->hash, &v->file, e) < 0) {
		log_complain(e);
		return err_set(e, ERR_REFUSED, "the file can't be read");
	}
	v->file_name = mem_dup(h->name);
	escape_line(&v->text, h->name, NAME_SHOWN);
	buf_fmt(&v->text, " (%s, %" PRId64 " bytes)", h->media, h->size);
	return 0;
}

int
menu_file(struct visit *v, const char *which, struct err *e)
{
	struct holding h = {0};
	char task[ID_LEN + 1];
	int rc;

	if (menu_task(v, task, e) < 0)
		return menu_excuse(v, e);
	rc = *task ? check(v, task, e)
		   : err_set(e, ERR_INPUT, "say which task, by its task_id");
	if (rc == 0)
		rc = holding_find(&h, &v->c->tasks, task, which, 0, e);
	if (rc == 0)
		rc = attach(v, &h, e);
	holding_release(&h);
	return rc < 0 ? menu_excuse(v, e) : 0;
}
