#include "store/task.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "core/buf.h"
#include "core/err.h"
#include "ext/jsonw.h"
#include "store/base.h"

/* What is seen: ?1 is 1 for the local operator, ?2 the actor, ?3 the place. */
#define SEEN "(?1 OR (t.owner = ?2 AND t.location = ?3))"
#define COLUMNS                                                                \
	"t.id, t.owner, t.owner_name, t.location, t.objective, t.profile,"     \
	" t.reason, t.state, t.visibility, t.approval, t.calls,"               \
	" (SELECT count(*) FROM turn n WHERE n.task = t.id),"                  \
	" t.created_ms, t.changed_ms,"                                         \
	" (SELECT n.id FROM turn n WHERE n.task = t.id"                        \
	"   ORDER BY n.n DESC LIMIT 1)"

static const char *const states[TASK_STATES] = {"running", "paused",
    "completed", "cancelled", "failed"};

const char *
task_state_word(enum task_state state)
{
	return states[state];
}

int
task_state_of(const char *word)
{
	for (int i = 0; i < TASK_STATES; i++)
		if (strcmp(states[i], word) == 0)
			return i;
	return -1;
}

void
place_text(char out[PLACE_LEN], const struct location *l)
{
	const char *guild = l->guild ? l->guild : "";
	const char *channel = l->channel ? l->channel : "";

	switch (l->kind) {
	case LOCATION_LOCAL: snprintf(out, PLACE_LEN, "local"); break;
	case LOCATION_DM: snprintf(out, PLACE_LEN, "dm:%s", channel); break;
	case LOCATION_GUILD:
		snprintf(out, PLACE_LEN, "guild:%s:%s", guild, channel);
		break;
	}
}

void
place_read(struct location *l, const char *place, char ids[PLACE_LEN])
{
	char *colon;

	*l = (struct location){0};
	snprintf(ids, PLACE_LEN, "%s", place);
	colon = strrchr(ids, ':');
	if (!colon)
		return;
	*colon = '\0';
	l->channel = colon + 1;
	l->kind = LOCATION_DM;
	if (strncmp(ids, "guild:", 6) != 0)
		return;
	l->kind = LOCATION_GUILD;
	l->guild = ids + 6;
}

int
task_missing(const char *id, struct err *e)
{
	return err_set(e, ERR_INPUT, "there is no task %.40s", id);
}

static bool
is_operator(const struct context *who)
{
	return who->location.kind == LOCATION_LOCAL &&
	       (!who->actor.id || strcmp(who->actor.id, "local") == 0);
}

static void
bind_who(struct stmt *s, const struct context *who)
{
	char place[PLACE_LEN];

	place_text(place, &who->location);
	stmt_int(s, 1, is_operator(who));
	stmt_text(s, 2, who->actor.id);
	stmt_text(s, 3, place);
}

static void
fill(struct task *t, struct stmt *s)
{
	int state = task_state_of(row_text(s, 7));

	*t = (struct task){
	    .id = row_text(s, 0),
	    .owner = row_text(s, 1),
	    .owner_name = row_text(s, 2),
	    .place = row_text(s, 3),
	    .objective = row_text(s, 4),
	    .profile = row_text(s, 5),
	    .reason = row_text_opt(s, 6),
	    .state = (enum task_state)state,
	    .visibility = strcmp(row_text(s, 8), "public") == 0
			      ? VISIBILITY_PUBLIC
			      : VISIBILITY_PRIVATE,
	    .approval = strcmp(row_text(s, 9), "auto") == 0 ? APPROVAL_AUTO
							    : APPROVAL_ASK,
	    .calls = row_int(s, 10),
	    .turns = row_int(s, 11),
	    .created_ms = row_int(s, 12),
	    .changed_ms = row_int(s, 13),
	    .turn = row_text(s, 14),
	};
}

int
task_get(struct task_scan *scan, struct store *s, const char *id,
    const struct context *who, struct task *t, struct err *e)
{
	static const char sql[] = "SELECT " COLUMNS
				  " FROM task t WHERE t.id = ?4 AND " SEEN;
	int row;

	stmt_start(&scan->rows, &s->db, sql);
	bind_who(&scan->rows, who);
	stmt_text(&scan->rows, 4, id);
	row = task_next(scan, t, e);
	if (row > 0)
		return 0;
	task_end(scan);
	return row < 0 ? -1 : task_missing(id, e);
}

/* The words as a JSON array, which SQL can take apart. */
static void
words_json(struct buf *b, const char *words)
{
	jsonw_array(b, NULL);
	while (words && *words) {
		size_t n = 0;

		while (words[n] && !isspace((unsigned char)words[n]))
			n++;
		if (n)
			jsonw_strn(b, NULL, words, n);
		words += n + (words[n] != '\0');
	}
	jsonw_end_array(b);
}

void
task_list(struct task_scan *scan, struct store *s, const struct task_filter *f,
    const struct context *who)
{
	static const char sql[] =
	    "SELECT " COLUMNS " FROM task t"
	    " WHERE " SEEN " AND (?4 IS NULL OR t.state = ?4)"
	    "   AND NOT EXISTS (SELECT 1 FROM json_each(?5) w WHERE"
	    "     instr(lower(t.objective), lower(w.value)) = 0"
	    "     AND NOT EXISTS (SELECT 1 FROM turn n WHERE n.task = t.id"
	    "       AND instr(lower(n.text || ' ' || ifnull(n.answer, '')),"
	    "         lower(w.value)) > 0))"
	    " ORDER BY t.changed_ms DESC, t.id DESC LIMIT ?6";
	struct buf words = {0};

	words_json(&words, f->words);
	stmt_start(&scan->rows, &s->db, sql);
	bind_who(&scan->rows, who);
	stmt_text(&scan->rows, 4, f->state);
	stmt_text(&scan->rows, 5, buf_text(&words));
	stmt_int(&scan->rows, 6, f->limit ? f->limit : -1);
	buf_release(&words);
}

int
task_next(struct task_scan *scan, struct task *t, struct err *e)
{
	int row = stmt_next(&scan->rows, e);

	if (row > 0)
		fill(t, &scan->rows);
	return row;
}

void
task_end(struct task_scan *scan)
{
	stmt_end(&scan->rows);
}

void
task_write(struct buf *b, const struct task *t)
{
	jsonw_object(b, NULL);
	jsonw_str(b, "type", "task");
	jsonw_str(b, "id", t->id);
	jsonw_str(b, "turn", t->turn);
	jsonw_str(b, "state", task_state_word(t->state));
	jsonw_opt(b, "reason", t->reason);
	jsonw_str(b, "objective", t->objective);
	jsonw_object(b, "owner");
	jsonw_str(b, "id", t->owner);
	jsonw_str(b, "name", t->owner_name);
	jsonw_end_object(b);
	jsonw_str(b, "place", t->place);
	visibility_write(b, t->visibility);
	jsonw_str(b, "profile", t->profile);
	jsonw_int(b, "turns", t->turns);
	jsonw_int(b, "calls", t->calls);
	jsonw_time(b, "created_at", t->created_ms);
	jsonw_time(b, "changed_at", t->changed_ms);
	jsonw_line(b);
}

int
task_at_work(struct store *s, const struct context *c, struct err *e)
{
	static const char
	    sql[] = "SELECT EXISTS (SELECT 1 FROM turn n WHERE n.id = ?5"
		    "   AND n.task = t.id AND n.state = 'running')"
		    " FROM task t WHERE t.id = ?4 AND " SEEN;
	struct stmt q = {0};
	int row, works;

	if (!c->task)
		return err_set(e, ERR_INPUT, "this works on a task only");
	stmt_start(&q, &s->db, sql);
	bind_who(&q, c);
	stmt_text(&q, 4, c->task);
	stmt_text(&q, 5, c->turn);
	row = stmt_next(&q, e);
	works = row > 0 && (row_int(&q, 0) || (!c->turn && is_operator(c)));
	stmt_end(&q);
	if (row < 0)
		return -1;
	if (row == 0)
		return task_missing(c->task, e);
	return works ? 0 : err_set(e, ERR_INPUT, "this turn has ended");
}

int
task_may_keep(struct store *s, const struct context *c, struct err *e)
{
	static const char
	    sql[] = "SELECT 1 FROM control WHERE task = ?1"
		    " AND kind = 'invalidate'"
		    " AND id > (SELECT control FROM task WHERE id = ?1)";
	struct stmt q = {0};
	int row;

	if (task_at_work(s, c, e) < 0)
		return -1;
	if (!c->turn)
		return 0; /* a person's own words */
	stmt_start(&q, &s->db, sql);
	stmt_text(&q, 1, c->task);
	row = stmt_next(&q, e);
	stmt_end(&q);
	if (row > 0)
		return err_set(e, ERR_REFUSED,
		    "a source was edited or deleted meanwhile: nothing was "
		    "kept");
	return row;
}
