#include <string.h>

#include "core/buf.h"
#include "core/err.h"
#include "ext/json.h"
#include "store/setting.h"
#include "store/settings.h"

enum { VERSION = 1 };

/* A name with a dot stands in its category, or nobody would find it there. */
static int
check_member(const char *category, const struct json *v, struct err *e)
{
	struct buf name = {0};
	const struct setting *known = NULL;
	int rc;

	if (category)
		buf_fmt(&name, "%s.", category);
	buf_str(&name, json_key(v));
	if (!strchr(json_key(v), '.'))
		known = settings_find(buf_text(&name));
	if (known)
		rc = setting_check(known, v, e);
	else
		rc = err_set(e, ERR_CONFIG, "there is no setting %.100s",
		    buf_text(&name));
	buf_release(&name);
	return rc;
}

static bool
is_category(const char *name)
{
	const size_t len = strlen(name);
	const struct setting *k;

	for (int i = 0; (k = settings_known(i)) != NULL; i++)
		if (strncmp(k->name, name, len) == 0 && k->name[len] == '.')
			return true;
	return false;
}

static int
check(const struct json *root, struct err *e)
{
	const struct json *v, *w;
	int rc = 0;

	if (json_int(root, "version", 0) != VERSION)
		return err_set(e, ERR_CONFIG, "version: must be %d", VERSION);
	for (v = json_first(root); v && rc == 0; v = json_next(v)) {
		if (strcmp(json_key(v), "version") == 0)
			continue;
		if (json_kind(v) != JSON_OBJECT || !is_category(json_key(v)))
			rc = check_member(NULL, v, e);
		else
			for (w = json_first(v); w && rc == 0; w = json_next(w))
				rc = check_member(json_key(v), w, e);
	}
	return rc;
}

int
settings_read(struct settings *s, const char *text, size_t len, struct err *e)
{
	*s = (struct settings){0};
	if (json_object(&s->root, text, len, e) == 0 && check(s->root, e) == 0)
		return 0;
	settings_close(s);
	e->kind = ERR_CONFIG;
	return -1;
}
