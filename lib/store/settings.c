#include "store/settings.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/buf.h"
#include "core/err.h"
#include "core/file.h"
#include "core/home.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "store/setting.h"

enum { FILE_MAX = 1 << 20, VERSION = 1 };

/* The member that holds the setting, or NULL. */
static const struct json *
member(const struct json *root, const char *name)
{
	const char *dot = strchr(name, '.');
	char category[64] = "";

	if (!dot)
		return json_get(root, name);
	memcpy(category, name, (size_t)(dot - name));
	return json_get(json_get(root, category), dot + 1);
}

static int
check_member(const char *category, const struct json *v, struct err *e)
{
	struct buf name = {0};
	const struct setting *known;
	int rc;

	if (category)
		buf_fmt(&name, "%s.", category);
	buf_str(&name, json_key(v));
	known = settings_find(buf_text(&name));
	if (known)
		rc = setting_check(known, v, e);
	else
		rc = err_set(e, ERR_CONFIG, "there is no setting %.100s",
		    buf_text(&name));
	buf_release(&name);
	return rc;
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
		if (json_kind(v) != JSON_OBJECT)
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

static int
load(struct settings *s, const char *path, struct err *e)
{
	struct buf text = {.limit = FILE_MAX};
	int rc;

	if (access(path, F_OK) < 0)
		return 0;
	rc = file_read(&text, path, e);
	if (rc == 0 && settings_read(s, buf_text(&text), text.len, e) < 0)
		rc = err_in(e, "%s", path);
	buf_release(&text);
	return rc;
}

int
settings_open(struct settings *s, struct err *e)
{
	char path[PATH_MAX];

	*s = (struct settings){0};
	return home_path(path, "settings.json", e) < 0 ? -1 : load(s, path, e);
}

void
settings_close(struct settings *s)
{
	json_free(s->root);
	s->root = NULL;
}

bool
settings_has(const struct settings *s, const char *name)
{
	return member(s->root, name) != NULL;
}

const char *
settings_text(const struct settings *s, const char *name)
{
	const struct setting *known = settings_find(name);
	const struct json *v = member(s->root, name);

	assert(known);
	return v ? json_text(v) : known->other;
}

int64_t
settings_int(const struct settings *s, const char *name)
{
	const char *text = settings_text(s, name);

	return strtoll(text, NULL, 10);
}

void
settings_show(struct buf *b, const struct settings *s, const char *name)
{
	const struct json *v = member(s->root, name);

	if (json_kind(v) == JSON_BOOL)
		buf_str(b, json_true(v) ? "true" : "false");
	else
		buf_str(b, settings_text(s, name));
}

void
settings_write(struct buf *b, const struct settings *s,
    const struct setting *known)
{
	struct buf value = {0};

	settings_show(&value, s, known->name);
	jsonw_object(b, NULL);
	jsonw_str(b, "type", "setting");
	jsonw_str(b, "name", known->name);
	setting_write(b, "value", known, buf_text(&value));
	setting_write(b, "default", known, known->other);
	jsonw_bool(b, "set", settings_has(s, known->name));
	jsonw_str(b, "help", known->help);
	jsonw_line(b);
	buf_release(&value);
}
