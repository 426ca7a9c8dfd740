#include "tool/meant.h"

#include <stdio.h>
#include <string.h>

#include "core/buf.h"
#include "core/err.h"
#include "core/utf8.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "record/call.h"
#include "store/base.h"
#include "tool/serve.h"

enum { CANDIDATES = 10, NAME = 100 /* bytes of an objective */ };

static bool
is_own(const struct call *c, const struct task *t)
{
	const struct context *who = &c->context;
	char place[PLACE_LEN];

	place_text(place, &who->location);
	return strcmp(t->owner, who->actor.id ? who->actor.id : "local") == 0 &&
	       strcmp(t->place, place) == 0 &&
	       (t->visibility == VISIBILITY_PUBLIC ||
		   who->visibility == VISIBILITY_PRIVATE);
}

static bool
is_itself(const struct call *c, const char *id)
{
	return c->context.task && strcmp(c->context.task, id) == 0;
}

static void
take(struct meant *m, const struct task *t)
{
	snprintf(m->id, sizeof(m->id), "%s", t->id);
	m->state = t->state;
	m->visibility = t->visibility;
	m->approval = t->approval;
}

int
meant_by_id(struct meant *m, struct store *s, const struct call *c,
    const char *id, struct err *e)
{
	struct task_scan scan = {0};
	struct task t;
	int rc = task_get(&scan, s, id, &c->context, &t, e);

	if (rc == 0 && !is_own(c, &t))
		rc = task_missing(id, e);
	else if (rc == 0 && is_itself(c, id))
		rc = err_set(e, ERR_INPUT, "that is this task itself");
	else if (rc == 0)
		take(m, &t);
	task_end(&scan);
	return rc;
}

bool
meant_fits(enum meant_for action, enum task_state state)
{
	if (action == MEANT_CONTINUE)
		return state != TASK_RUNNING;
	return state == TASK_RUNNING || state == TASK_PAUSED;
}

static void
put_candidate(struct buf *b, const struct task *t)
{
	jsonw_object(b, NULL);
	jsonw_str(b, "task", t->id);
	jsonw_str(b, "state", task_state_word(t->state));
	jsonw_time(b, "changed_at", t->changed_ms);
	jsonw_strn(b, "objective", t->objective,
	    utf8_cut(t->objective, strlen(t->objective), NAME));
	jsonw_end_object(b);
}

/* All that the words fit, of which the first ones are kept; returns how many.
 */
static int
search(struct meant *m, struct store *s, const struct call *c,
    const char *words, enum meant_for action, struct buf *b, struct err *e)
{
	const struct task_filter f = {.words = words};
	struct task_scan scan = {0};
	struct task t;
	int row, n = 0;

	jsonw_array(b, NULL);
	task_list(&scan, s, &f, &c->context);
	while ((row = task_next(&scan, &t, e)) > 0) {
		if (!is_own(c, &t) || is_itself(c, t.id) ||
		    !meant_fits(action, t.state))
			continue;
		take(m, &t);
		if (n++ < CANDIDATES)
			put_candidate(b, &t);
	}
	task_end(&scan);
	jsonw_end_array(b);
	return row < 0 ? -1 : n;
}

int
meant_by_words(struct meant *m, struct store *s, const struct call *c,
    enum meant_for action, struct answer_parts *a, struct err *e)
{
	struct buf found = {0};
	const char *words = json_string(c->arguments.tree, "words");
	int n;

	if (!words || !*words)
		return err_set(e, ERR_INPUT,
		    "say which task: its id as task, or words of it");
	n = search(m, s, c, words, action, &found, e);
	if (n > 1) {
		err_set(e, ERR_INPUT,
		    "%d tasks fit these words: ask which one is meant", n);
		buf_add(&a->candidates, found.data, found.len);
	} else if (n == 0) {
		err_set(e, ERR_INPUT, "no such task is here to be %s",
		    action == MEANT_CONTINUE ? "continued"
		    : action == MEANT_STOP   ? "stopped"
					     : "corrected");
	}
	buf_release(&found);
	return n == 1 ? 0 : -1;
}
