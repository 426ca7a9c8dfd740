#ifndef CONVERSE_MENU_H
#define CONVERSE_MENU_H
/*
 * menu - what can be asked for by a command, a button or a modal.
 *
 * The commands as Discord shows them are data, share/discord/commands.json;
 * here each has its work. A button's custom id is "VERB:TASK".
 */

#include <stdbool.h>

#include "core/id.h"
#include "record/context.h"

struct buf;
struct err;
struct visit;

enum menu_way {
	MENU_NONE,
	MENU_CLOSED, /* to this person */
	MENU_WORK,
	MENU_COMPLETE,
	MENU_MODAL,
	MENU_FORM,
};

/* Which way the visit goes; for MENU_WORK, its work and who sees the answer. */
enum menu_way menu_find(struct visit *v);

/* Offer the ids of one's tasks; with !allowed, nothing. */
int menu_complete(struct visit *v, bool allowed, struct err *e);

/* Open the form in which a correction is written. */
int menu_modal(struct visit *v, struct err *e);

/* Open a form with that data. */
int menu_open(struct visit *v, const char *data, struct err *e);

/* Is it about the card of an approval? Then it is noted which, and what. */
bool menu_is_card(struct visit *v);

/*
 * Open the form to correct what a card asks for: 1; or 0, and why not in
 * v->text.
 */
int menu_card_form(struct visit *v, struct err *e);

/* Who asks, and where; borrowed from the visit. */
struct context menu_who(const struct visit *v);

/* The task meant: given, pressed, or the one at work here; "" for none. */
int menu_task(struct visit *v, char task[ID_LEN + 1], struct err *e);

/* What can be told to the person is their answer; -1 for anything else. */
int menu_excuse(struct visit *v, struct err *e);

/* What of a task waits for its owner: added to v->text. */
int menu_waits(struct visit *v, const char *task, struct err *e);

/* Move a task of theirs here, for them alone. */
int menu_take_over(struct visit *v, const char *task, struct err *e);

/* A file or artifact of a task goes with the answer, for its owner alone. */
int menu_file(struct visit *v, const char *which, struct err *e);

/* What /tasks does to one, by the word of its option. */
int menu_act(struct visit *v, const char *word, struct err *e);

/* The works. Each adds its answer to v->text. */
int menu_talk(struct visit *v, struct err *e);
int menu_resume(struct visit *v, struct err *e);
int menu_steer(struct visit *v, struct err *e);
int menu_stop(struct visit *v, struct err *e);
int menu_tasks(struct visit *v, struct err *e);
int menu_details(struct visit *v, struct err *e);
int menu_nth(struct visit *v, struct err *e);
int menu_ping(struct visit *v, struct err *e);
int menu_index(struct visit *v, struct err *e);
int menu_card(struct visit *v, struct err *e);

/*
 * Those of operators, which nobody else gets at, and whose answers nobody else
 * sees. Who changed what is in the audit (store/audit), under the id that
 * Discord gave for this interaction.
 */
int menu_access(struct visit *v, struct err *e);
int menu_protect(struct visit *v, struct err *e);
int menu_settings(struct visit *v, struct err *e);

/* A command with subcommands: a row of {0} ends the table. */
struct menu_sub {
	const char *name;
	int (*work)(struct visit *v, struct err *e);
};

int menu_sub(struct visit *v, const struct menu_sub *subs, struct err *e);

/* Tell an operator what went wrong; -1 for what is our bug. */
int menu_admit(struct visit *v, struct err *e);

/* Choices for a name of a setting, or a category, that is being typed. */
void menu_settings_choices(struct buf *b, bool category, const char *typed,
    int most);

#endif
