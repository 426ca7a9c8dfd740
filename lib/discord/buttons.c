#include "discord/buttons.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "ext/jsonw.h"

enum { ACTION_ROW = 1, BUTTON = 2 };             /* types of components */
enum { PRIMARY = 1, SECONDARY = 2, DANGER = 4 }; /* styles of buttons */

static const struct kind {
	enum button which;
	const char *word, *label;
	int style;
} kinds[] = {
    {BUTTON_RESUME, "resume", "Resume", PRIMARY},
    {BUTTON_STOP, "stop", "Stop", DANGER},
    {BUTTON_DETAILS, "details", "Details", SECONDARY},
};

enum { KINDS = sizeof(kinds) / sizeof(*kinds) };

void
buttons_id(char to[BUTTONS_ID], enum button which, const char *task)
{
	size_t i = 0;

	while (i < KINDS - 1 && kinds[i].which != which)
		i++;
	snprintf(to, BUTTONS_ID, "%s:%s", kinds[i].word, task);
}

static void
button_write(struct buf *b, const struct kind *k, const char *task)
{
	char id[BUTTONS_ID];

	buttons_id(id, k->which, task);
	jsonw_object(b, NULL);
	jsonw_int(b, "type", BUTTON);
	jsonw_int(b, "style", k->style);
	jsonw_str(b, "label", k->label);
	jsonw_str(b, "custom_id", id);
	jsonw_end_object(b);
}

void
buttons_write(struct buf *b, unsigned which, const char *task)
{
	jsonw_array(b, "components");
	if (which) {
		jsonw_object(b, NULL);
		jsonw_int(b, "type", ACTION_ROW);
		jsonw_array(b, "components");
		for (size_t i = 0; i < KINDS; i++)
			if (which & kinds[i].which)
				button_write(b, &kinds[i], task);
		jsonw_end_array(b);
		jsonw_end_object(b);
	}
	jsonw_end_array(b);
}
