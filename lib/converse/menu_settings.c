/* What operators see and change of the settings: /settings. */
#include <stdio.h>
#include <string.h>

#include "converse/converse.h"
#include "converse/menu.h"
#include "converse/visit.h"
#include "discord/escape.h"
#include "ext/jsonw.h"
#include "store/settings.h"

enum { VALUE = 300 }; /* bytes that are shown in a list */

/* A list of objects is for /access, a path is of the machine. */
static bool
is_ours(const struct setting *k)
{
	return k->kind != SETTING_ITEMS && k->kind != SETTING_PATH;
}

static void
put(struct buf *b, const struct settings *s, const struct setting *k,
    size_t most)
{
	struct buf value = {0};

	settings_value(&value, s, k);
	buf_fmt(b, "`%s`: ", k->name);
	escape_line(b, value.len ? buf_text(&value) : "(none)", most);
	buf_fmt(b, "%s\n-# %s\n", settings_has(s, k->name) ? "" : " (default)",
	    k->help);
	buf_release(&value);
}

static int
missing(struct visit *v, const char *name)
{
	buf_str(&v->text, "There is no setting ");
	escape_line(&v->text, name ? name : "", 100);
	buf_str(&v->text, " that can be seen here.");
	return 0;
}

static int
show(struct visit *v, struct err *e)
{
	const char *name = interaction_option(&v->x, "setting");
	const struct settings *s = terms_now(&v->c->terms);
	const struct setting *k = name ? settings_find(name) : NULL;

	(void)e;
	if (name && (!k || !is_ours(k)))
		return missing(v, name);
	if (k)
		put(&v->text, s, k, 0);
	for (int i = 0; !name && (k = settings_known(i)) != NULL; i++)
		if (is_ours(k))
			put(&v->text, s, k, VALUE);
	return 0;
}

static int
change(struct visit *v, const struct settings_change *c, struct err *e)
{
	int done = settings_change(c, e);

	if (done < 0)
		return menu_admit(v, e);
	buf_str(&v->text, done ? "Done." : "That is so already.");
	return 0;
}

static int
set(struct visit *v, struct err *e)
{
	const char *name = interaction_option(&v->x, "setting");
	const struct setting *k = name ? settings_find(name) : NULL;
	const struct settings_change c = {
	    .name = name,
	    .value = interaction_option(&v->x, "value"),
	    .by = v->x.user,
	};

	if (!k || !is_ours(k))
		return missing(v, name);
	return change(v, &c, e);
}

static int
reset(struct visit *v, struct err *e)
{
	const char *category = interaction_option(&v->x, "category");
	const struct settings_change c = {
	    .category = category ? category : "",
	    .by = v->x.user,
	};

	return change(v, &c, e);
}

static const struct menu_sub subs[] = {
    {"show", show},
    {"set", set},
    {"reset", reset},
    {0},
};

int
menu_settings(struct visit *v, struct err *e)
{
	return menu_sub(v, subs, e);
}

/* "general" for what has no category, if categories are wanted. */
static void
word_of(char out[64], const struct setting *k, bool category)
{
	const size_t len = strcspn(k->name, ".");

	if (!category)
		snprintf(out, 64, "%s", k->name);
	else if (!k->name[len])
		snprintf(out, 64, "general");
	else
		snprintf(out, 64, "%.*s", (int)len, k->name);
}

void
menu_settings_choices(struct buf *b, bool category, const char *typed, int most)
{
	const struct setting *k;
	char word[64], last[64] = "";

	for (int i = 0; most > 0 && (k = settings_known(i)) != NULL; i++) {
		word_of(word, k, category);
		if (!(category || is_ours(k)) || !strstr(word, typed) ||
		    strcmp(word, last) == 0)
			continue;
		snprintf(last, sizeof(last), "%s", word);
		jsonw_object(b, NULL);
		jsonw_str(b, "name", word);
		jsonw_str(b, "value", word);
		jsonw_end_object(b);
		most--;
	}
}
