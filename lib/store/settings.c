#include "store/settings.h"

#include <assert.h>
#include <errno.h>
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

enum { FILE_MAX = 1 << 20 };

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
load(struct settings *s, const char *path, struct err *e)
{
	struct buf text = {.limit = FILE_MAX};
	int rc;

	if (access(path, F_OK) < 0)
		return errno == ENOENT
			   ? 0
			   : err_sys(e, err_kind_of_errno(ERR_CONFIG), "%s",
				 path);
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

	assert(known && known->kind != SETTING_IDS &&
	       known->kind != SETTING_ITEMS);
	return v ? json_text(v) : known->other;
}

int64_t
settings_int(const struct settings *s, const char *name)
{
	const char *text = settings_text(s, name);

	return strtoll(text, NULL, 10);
}

const char *
settings_id(const struct settings *s, const char *name, int i)
{
	const struct setting *known = settings_find(name);
	const struct json *v = json_first(member(s->root, name));

	assert(known && known->kind == SETTING_IDS);
	for (; v && i > 0; i--)
		v = json_next(v);
	return json_text(v);
}

const struct json *
settings_items(const struct settings *s, const char *name)
{
	const struct setting *known = settings_find(name);

	assert(known && known->kind == SETTING_ITEMS);
	return json_first(member(s->root, name));
}

static void
put_items(struct buf *b, const struct json *v)
{
	struct buf text = {0};

	jsonw_value(&text, NULL, v);
	buf_str(b, buf_text(&text));
	buf_release(&text);
}

void
settings_value(struct buf *b, const struct settings *s,
    const struct setting *known)
{
	const struct json *v = member(s->root, known->name);

	if (known->kind == SETTING_ITEMS && v) {
		put_items(b, v);
		return;
	}
	if (known->kind != SETTING_IDS || !v) {
		buf_str(b, v ? json_text(v) : known->other);
		return;
	}
	for (v = json_first(v); v; v = json_next(v))
		buf_fmt(b, "%s%s", json_text(v), json_next(v) ? "," : "");
}

void
settings_write(struct buf *b, const struct settings *s,
    const struct setting *known)
{
	struct buf value = {0};

	settings_value(&value, s, known);
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
