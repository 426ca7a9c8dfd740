#include "tool/show.h"

#include <string.h>

#include "core/buf.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "tool/fault.h"
#include "tool/manifest.h"

enum { COLUMN = 26 };

static void
write_needs(struct buf *b, unsigned needs)
{
	const char *word;
	enum need need;

	jsonw_array(b, "needs");
	for (int i = 0; (word = manifest_need_word(i, &need)) != NULL; i++)
		if (needs & need)
			jsonw_str(b, NULL, word);
	jsonw_end_array(b);
}

void
show_record(struct buf *b, const struct manifest *m, bool whole)
{
	jsonw_object(b, NULL);
	jsonw_str(b, "type", "tool");
	jsonw_str(b, "name", m->name);
	jsonw_str(b, "description", m->description);
	if (whole)
		jsonw_value(b, "parameters", m->parameters);
	jsonw_str(b, "tier", tier_word(m->tier));
	jsonw_array(b, "command");
	for (int i = 0; m->command[i]; i++)
		jsonw_str(b, NULL, m->command[i]);
	jsonw_end_array(b);
	jsonw_bool(b, "serve", m->serve);
	write_needs(b, m->needs);
	jsonw_int(b, "time_limit_s", m->time_limit_s);
	jsonw_bool(b, "visible", m->visible);
	jsonw_opt(b, "publish", m->publish);
	jsonw_str(b, "file", m->path);
	jsonw_line(b);
}

/* A column of at least that width, then a text of so many bytes. */
static void
add_row(struct buf *b, const char *name, const char *text, size_t len)
{
	buf_fmt(b, "%-*s ", COLUMN - 1, name);
	buf_add(b, text, len);
	buf_char(b, '\n');
}

void
show_line(struct buf *b, const struct manifest *m)
{
	const char *end = strstr(m->description, ". ");

	add_row(b, m->name, m->description,
	    end ? (size_t)(end - m->description) + 1 : strlen(m->description));
}

static void
add_argument(struct buf *b, const struct json *schema,
    const struct json *argument)
{
	const struct json *v = json_first(json_get(schema, "required"));
	const char *text = json_string(argument, "description");
	char name[80];

	while (v && strcmp(json_text(v), json_key(argument)) != 0)
		v = json_next(v);
	snprintf(name, sizeof(name), "  %.40s (%s%s)", json_key(argument),
	    json_string(argument, "type"), v ? ", needed" : "");
	add_row(b, name, text ? text : "", text ? strlen(text) : 0);
}

void
show_text(struct buf *b, const struct manifest *m)
{
	const struct json *members = json_get(m->parameters, "properties");

	buf_fmt(b, "%s - %s\n\ntier %s, at most %d s, %s\n", m->name,
	    m->description, tier_word(m->tier), m->time_limit_s,
	    m->visible ? "in view from the start" : "found by tool_search");
	if (json_count(members))
		buf_str(b, "arguments:\n");
	for (const struct json *v = json_first(members); v; v = json_next(v))
		add_argument(b, m->parameters, v);
}

void
show_check(struct buf *b, const struct faults *f, int good)
{
	const char *line = buf_text(&f->text), *end;

	jsonw_object(b, NULL);
	jsonw_str(b, "type", "check");
	jsonw_int(b, "tools", good);
	jsonw_array(b, "faults");
	for (; (end = strchr(line, '\n')) != NULL; line = end + 1)
		jsonw_strn(b, NULL, line, (size_t)(end - line));
	jsonw_end_array(b);
	jsonw_line(b);
}
