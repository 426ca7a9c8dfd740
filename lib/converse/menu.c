#include "converse/menu.h"

#include <stdio.h>
#include <string.h>

#include "access/operator.h"
#include "converse/converse.h"
#include "converse/visit.h"
#include "core/err.h"
#include "core/utf8.h"
#include "ext/jsonw.h"
#include "store/task.h"

enum {
	TYPE_CHOICES = 8,
	TYPE_MODAL = 9,
	CHOICES = 25,
	CHOICE_NAME = 90, /* bytes; Discord takes 100 characters */
	INPUT_LABEL = 18,
	INPUT_TEXT = 4,
	INPUT_LONG = 2,
	INPUT_MAX = 4000,
};

static const struct command {
	const char *name;
	visit_fn *work;
	bool ephemeral; /* unless its person says otherwise */
} commands[] = {
    {"talk", menu_talk, false},
    {"steer", menu_steer, false},
    {"stop", menu_stop, false},
    {"tasks", menu_tasks, true},
    {"nth", menu_nth, false},
    {"ping", menu_ping, false},
    {"index", menu_index, true},
};

static const struct command reserved[] = {
    /* for operators, see menu.h */
    {"access", menu_access, true},
    {"protect", menu_protect, true},
    {"settings", menu_settings, true},
};

static const struct button {
	const char *verb;
	visit_fn *work; /* NULL opens the form */
	bool update;
} buttons[] = {
    {"stop", menu_stop, true},
    {"details", menu_details, false},
    {"resume", menu_resume, true},
    {"steer", NULL, false},
};

struct context
menu_who(const struct visit *v)
{
	const struct interaction *x = &v->x;

	return (struct context){
	    .actor = {x->user, x->who},
	    .location = {x->guild ? LOCATION_GUILD : LOCATION_DM, x->guild,
		x->channel},
	};
}

/* The one at work here that changed last. */
static int
at_work(struct visit *v, char task[ID_LEN + 1], struct err *e)
{
	const struct task_filter filter = {.state = "running", .limit = 1};
	const struct context who = menu_who(v);
	struct task_scan scan = {0};
	struct task row;
	int got;

	task_list(&scan, &v->c->tasks, &filter, &who);
	got = task_next(&scan, &row, e);
	if (got > 0)
		snprintf(task, ID_LEN + 1, "%s", row.id);
	task_end(&scan);
	return got;
}

int
menu_task(struct visit *v, char task[ID_LEN + 1], struct err *e)
{
	const char *given = v->x.kind == INTERACTION_COMMAND
				? interaction_option(&v->x, "task_id")
				: strchr(v->x.name, ':');

	task[0] = '\0';
	if (given && *given == ':')
		given++;
	if (!given || !*given)
		return at_work(v, task, e) < 0 ? -1 : 0;
	if (!id_valid(given))
		return task_missing(given, e);
	snprintf(task, ID_LEN + 1, "%s", given);
	return 0;
}

int
menu_excuse(struct visit *v, struct err *e)
{
	const char *text = e->text;

	if (e->kind != ERR_INPUT && e->kind != ERR_REFUSED &&
	    e->kind != ERR_DENIED)
		return -1;
	if (*text >= 'a' && *text <= 'z') /* a sentence of its own here */
		buf_char(&v->text, (char)(*text++ - 'a' + 'A'));
	buf_fmt(&v->text, "%s.", text);
	*e = (struct err){0};
	return 0;
}

/*
 * Does it name a task of one's own that nobody else may read about? If the
 * store can't tell, it does.
 */
static bool
is_private(struct visit *v)
{
	const struct context who = menu_who(v);
	struct task_scan scan = {0};
	struct task row;
	char task[ID_LEN + 1];
	struct err none = {0};
	bool alone = false;

	if (v->x.guild && menu_task(v, task, &none) == 0 && *task &&
	    task_get(&scan, &v->c->tasks, task, &who, &row, &none) == 0)
		alone = row.visibility == VISIBILITY_PRIVATE;
	task_end(&scan);
	return alone || (none.kind && none.kind != ERR_INPUT);
}

static enum menu_way
find_reserved(struct visit *v)
{
	for (size_t i = 0; i < sizeof(reserved) / sizeof(reserved[0]); i++) {
		if (strcmp(reserved[i].name, v->x.name) != 0)
			continue;
		v->work = reserved[i].work;
		v->ephemeral = true;
		return operator_is(v->x.user) ? MENU_WORK : MENU_CLOSED;
	}
	return MENU_NONE;
}

static enum menu_way
find_command(struct visit *v)
{
	const struct command *k = commands;
	const size_t n = sizeof(commands) / sizeof(commands[0]);

	while (k < commands + n && strcmp(k->name, v->x.name) != 0)
		k++;
	if (k == commands + n)
		return find_reserved(v);
	if (k->work == menu_steer && !interaction_option(&v->x, "text"))
		return MENU_MODAL;
	v->work = k->work;
	v->ephemeral = interaction_flag(&v->x, "ephemeral", k->ephemeral) ||
		       interaction_flag(&v->x, "handoff", false) ||
		       is_private(v);
	return MENU_WORK;
}

/* What is done with a card is seen there; only why it isn't is told apart. */
static enum menu_way
find_card(struct visit *v)
{
	v->work = menu_card;
	v->ephemeral = true;
	v->update = true;
	return v->verb == BALLOT_CORRECT && v->x.kind != INTERACTION_MODAL
		   ? MENU_FORM
		   : MENU_WORK;
}

static enum menu_way
find_button(struct visit *v)
{
	const size_t len = strcspn(v->x.name, ":");

	for (size_t i = 0; i < sizeof(buttons) / sizeof(buttons[0]); i++) {
		const struct button *k = &buttons[i];

		if (strlen(k->verb) != len ||
		    strncmp(k->verb, v->x.name, len) != 0)
			continue;
		v->work = k->work;
		v->ephemeral = true;
		v->update = k->update && !is_private(v);
		return k->work ? MENU_WORK : MENU_MODAL;
	}
	return MENU_NONE;
}

enum menu_way
menu_find(struct visit *v)
{
	if ((v->x.kind == INTERACTION_COMPONENT ||
		v->x.kind == INTERACTION_MODAL) &&
	    menu_is_card(v))
		return find_card(v);
	switch (v->x.kind) {
	case INTERACTION_COMMAND: return find_command(v);
	case INTERACTION_COMPONENT: return find_button(v);
	case INTERACTION_COMPLETE: return MENU_COMPLETE;
	case INTERACTION_MODAL:
		v->work = menu_steer;
		v->ephemeral = true;
		return strncmp(v->x.name, "steer:", 6) == 0 ? MENU_WORK
							    : MENU_NONE;
	case INTERACTION_OTHER: break;
	}
	return MENU_NONE;
}

static void
write_choice(struct buf *b, const struct task *t)
{
	const char *text = *t->objective ? t->objective : t->id;
	struct buf name = {0};

	buf_fmt(&name, "%s: ", task_state_word(t->state));
	buf_add(&name, text, utf8_cut(text, strlen(text), CHOICE_NAME));
	jsonw_object(b, NULL);
	jsonw_strn(b, "name", name.data,
	    utf8_cut(name.data, name.len, CHOICE_NAME));
	jsonw_str(b, "value", t->id);
	jsonw_end_object(b);
	buf_release(&name);
}

static int
write_choices(struct visit *v, struct buf *b, struct err *e)
{
	const struct task_filter filter = {.limit = 100};
	const struct context who = menu_who(v);
	const char *name = NULL;
	const char *typed = interaction_typed(&v->x, &name);
	struct task_scan scan = {0};
	struct task row;
	int got = 0, n = 0;

	if (typed && strcmp(v->x.name, "settings") == 0 &&
	    operator_is(v->x.user))
		menu_settings_choices(b, strcmp(name, "category") == 0, typed,
		    CHOICES);
	if (!typed || strcmp(name, "task_id") != 0)
		return 0;
	task_list(&scan, &v->c->tasks, &filter, &who);
	while (n < CHOICES && (got = task_next(&scan, &row, e)) > 0)
		if (strstr(row.id, typed) || strstr(row.objective, typed)) {
			write_choice(b, &row);
			n++;
		}
	task_end(&scan);
	return got < 0 ? -1 : 0;
}

int
menu_complete(struct visit *v, bool allowed, struct err *e)
{
	struct buf data = {0};
	int rc = 0;

	jsonw_object(&data, NULL);
	jsonw_array(&data, "choices");
	if (allowed)
		rc = write_choices(v, &data, e);
	jsonw_end_array(&data);
	jsonw_end_object(&data);
	if (rc == 0)
		rc = visit_answer(v, TYPE_CHOICES, buf_text(&data), e);
	buf_release(&data);
	return rc;
}

static void
write_form(struct buf *b, const char *task)
{
	struct buf id = {0};

	buf_fmt(&id, "steer:%s", task);
	jsonw_object(b, NULL);
	jsonw_str(b, "custom_id", buf_text(&id));
	jsonw_str(b, "title", "Correct the task");
	jsonw_array(b, "components");
	jsonw_object(b, NULL);
	jsonw_int(b, "type", INPUT_LABEL);
	jsonw_str(b, "label", "What should be done otherwise?");
	jsonw_object(b, "component");
	jsonw_int(b, "type", INPUT_TEXT);
	jsonw_str(b, "custom_id", "text");
	jsonw_int(b, "style", INPUT_LONG);
	jsonw_int(b, "min_length", 1);
	jsonw_int(b, "max_length", INPUT_MAX);
	jsonw_end_object(b);
	jsonw_end_object(b);
	jsonw_end_array(b);
	jsonw_end_object(b);
	buf_release(&id);
}

int
menu_open(struct visit *v, const char *data, struct err *e)
{
	return visit_answer(v, TYPE_MODAL, data, e);
}

int
menu_modal(struct visit *v, struct err *e)
{
	char task[ID_LEN + 1];
	struct buf data = {0};
	int rc = menu_task(v, task, e);

	if (rc == 0) {
		write_form(&data, task);
		rc = menu_open(v, buf_text(&data), e);
	}
	buf_release(&data);
	return rc;
}
