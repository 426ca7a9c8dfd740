#include <limits.h>
#include <string.h>

#include "core/buf.h"
#include "core/clock.h"
#include "core/crash.h"
#include "core/err.h"
#include "core/file.h"
#include "core/home.h"
#include "core/lock.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "store/audit.h"
#include "store/setting.h"
#include "store/settings.h"

enum { WAIT_MS = 5000 };

struct change {
	const struct setting *one; /* this one becomes value, or else */
	const char *value;         /* NULL: has its default again */
	const char *category;      /* all of this one have their defaults */
	size_t len;                /* of its name */
};

static bool
in_category(const struct setting *k, const struct change *c)
{
	const char *dot = strchr(k->name, '.');

	if (!c->category)
		return false;
	if (!dot)
		return strcmp(c->category, "general") == 0;
	return strncmp(k->name, c->category, c->len) == 0 &&
	       !c->category[c->len] && k->name + c->len == dot;
}

/* The object that the setting is in is open in b; *open is its category. */
static void
move_to(struct buf *b, const char **open, const char *name)
{
	const char *dot = strchr(name, '.');
	size_t len = dot ? (size_t)(dot - name) : 0;
	char category[64];

	if (*open && dot && strncmp(*open, name, len + 1) == 0)
		return;
	if (*open)
		jsonw_end_object(b);
	*open = dot ? name : NULL;
	if (!dot)
		return;
	memcpy(category, name, len);
	category[len] = '\0';
	jsonw_object(b, category);
}

/* All that is set, with the change, as JSON. */
static void
write_all(struct buf *b, const struct settings *s, const struct change *c)
{
	const struct setting *k;
	const char *open = NULL, *value;
	struct buf old = {0};

	jsonw_object(b, NULL);
	jsonw_int(b, "version", 1);
	for (int i = 0; (k = settings_known(i)) != NULL; i++) {
		value = NULL;
		buf_clear(&old);
		settings_value(&old, s, k);
		if (settings_has(s, k->name))
			value = buf_text(&old);
		if (in_category(k, c))
			value = NULL;
		if (k == c->one)
			value = c->value;
		if (!value)
			continue;
		move_to(b, &open, k->name);
		setting_write(b, open ? strchr(k->name, '.') + 1 : k->name, k,
		    value);
	}
	if (open)
		jsonw_end_object(b);
	jsonw_end_object(b);
	buf_release(&old);
}

/* A member a line, for a person with an editor. */
static void
lay_out(struct buf *b, const char *json)
{
	bool text = false;
	int depth = 0;

	for (; *json; json++) {
		if (*json == '"')
			text = !text;
		if (!text && *json == '}')
			buf_fmt(b, "\n%.*s", --depth, "\t\t\t");
		buf_char(b, *json);
		if (text && *json == '\\') {
			buf_char(b, *++json);
			continue;
		}
		if (!text && *json == '{')
			depth++;
		if (!text && (*json == '{' || *json == ','))
			buf_fmt(b, "\n%.*s", depth, "\t\t\t");
		if (!text && *json == ':')
			buf_char(b, ' ');
	}
	buf_char(b, '\n');
}

/* Would the text do as the setting's value? */
static int
check_value(const struct setting *k, const char *value, struct err *e)
{
	struct buf b = {0};
	struct json *v = NULL;
	int rc;

	setting_write(&b, NULL, k, value);
	rc = json_read(&v, buf_text(&b), b.len, e);
	if (rc == 0)
		rc = setting_check(k, v, e);
	json_free(v);
	buf_release(&b);
	if (rc < 0)
		e->kind = ERR_INPUT; /* it's the value given, not the file */
	return rc;
}

/* After an error: is the file as it was, not as it should be? */
static bool
is_undone(const struct settings *wanted)
{
	struct settings now = {0};
	struct buf lacking = {0};
	struct err e = {0};
	bool undone;

	if (settings_open(&now, &e) == 0)
		audit_write(&lacking, &now, wanted, "local", 0);
	undone = lacking.len > 0;
	settings_close(&now);
	buf_release(&lacking);
	return undone;
}

/* First the audit, then the file: see audit. */
static int
replace(const struct settings *old, const char *json, const char *by,
    struct err *e)
{
	struct settings new = {0};
	struct buf file = {0}, lines = {0};
	char path[PATH_MAX];
	int64_t end = 0;
	int rc = -1;

	lay_out(&file, json);
	if (home_path(path, "settings.json", e) < 0 ||
	    settings_read(&new, buf_text(&file), file.len, e) < 0)
		goto out;
	audit_write(&lines, old, &new, by, clock_now_ms());
	if (lines.len && audit_add(buf_text(&lines), &end, e) < 0)
		goto out;
	CRASH_POINT("settings.replace");
	rc = file_replace(path, buf_text(&file), file.len, e);
	CRASH_POINT("settings.replace.done");
	if (rc < 0 && lines.len && is_undone(&new))
		audit_take_back(end);
out:
	settings_close(&new);
	buf_release(&file);
	buf_release(&lines);
	return rc;
}

/* 1, 0 if it is to stay as it is, or -1. */
static int
find_value(const struct settings_change *c, const struct settings *now,
    struct change *x, struct buf *value, struct err *e)
{
	int rc = 1;

	x->value = c->value;
	if (c->edit) {
		rc = c->edit(c->ctx, now, value, e);
		x->value = buf_text(value);
	}
	if (rc > 0 && x->one && x->value &&
	    check_value(x->one, x->value, e) < 0)
		rc = -1;
	return rc;
}

static int
change_file(const struct settings_change *c, struct change *x, struct err *e)
{
	struct settings old = {0};
	struct buf before = {0}, after = {0}, value = {0};
	const struct change none = {0};
	int rc = -1;

	if (settings_open(&old, e) < 0 ||
	    (rc = find_value(c, &old, x, &value, e)) <= 0)
		goto out;
	write_all(&before, &old, &none);
	write_all(&after, &old, x);
	rc = strcmp(buf_text(&before), buf_text(&after)) != 0;
	if (rc &&
	    replace(&old, buf_text(&after), c->by ? c->by : "local", e) < 0)
		rc = -1;
out:
	settings_close(&old);
	buf_release(&before);
	buf_release(&after);
	buf_release(&value);
	return rc;
}

static int
change(const struct settings_change *c, struct change *x, struct err *e)
{
	const char *home = home_state(e);
	struct lock lock = {0};
	char path[PATH_MAX];
	int rc;

	if (!home || file_mkdirs(home, e) < 0 ||
	    home_path(path, "run/settings", e) < 0 ||
	    lock_take(&lock, path, LOCK_EXCLUSIVE, WAIT_MS, e) < 0)
		return -1;
	rc = change_file(c, x, e);
	lock_drop(&lock);
	return rc;
}

static int
reset(const struct settings_change *c, struct err *e)
{
	struct change x = {.category = c->category, .len = strlen(c->category)};
	const struct setting *k;
	bool found = false;

	for (int i = 0; (k = settings_known(i)) != NULL; i++)
		found |= in_category(k, &x);
	if (!found)
		return err_set(e, ERR_INPUT,
		    "there is no category %.100s of settings", c->category);
	return change(c, &x, e);
}

int
settings_change(const struct settings_change *c, struct err *e)
{
	struct change x = {0};

	if (c->category)
		return reset(c, e);
	x.one = settings_find(c->name);
	if (!x.one)
		return err_set(e, ERR_INPUT, "there is no setting %.100s",
		    c->name);
	return change(c, &x, e);
}

int
settings_set(const char *name, const char *value, struct err *e)
{
	const struct settings_change c = {.name = name, .value = value};

	return settings_change(&c, e);
}

int
settings_reset(const char *category, struct err *e)
{
	const struct settings_change c = {.category = category};

	return settings_change(&c, e);
}
