/* What the commands of operators have in common. */
#include <string.h>

#include "converse/menu.h"
#include "converse/visit.h"
#include "core/err.h"
#include "core/log.h"
#include "discord/escape.h"

int
menu_sub(struct visit *v, const struct menu_sub *subs_of, struct err *e)
{
	for (; v->x.sub && subs_of->name; subs_of++)
		if (strcmp(subs_of->name, v->x.sub) == 0)
			return subs_of->work(v, e);
	buf_str(&v->text, "I don't know that any more.");
	return 0;
}

int
menu_admit(struct visit *v, struct err *e)
{
	if (e->kind == ERR_INTERNAL)
		return -1;
	if (e->kind != ERR_INPUT)
		log_warn("for %s: %s", v->x.user, e->text);
	buf_str(&v->text, "That was not done: ");
	escape_line(&v->text, e->text, 0);
	buf_char(&v->text, '.');
	*e = (struct err){0};
	return 0;
}
