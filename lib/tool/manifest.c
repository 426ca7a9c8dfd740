#include "tool/manifest.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/buf.h"
#include "core/err.h"
#include "core/file.h"
#include "core/home.h"
#include "core/mem.h"
#include "ext/json.h"
#include "tool/fault.h"
#include "tool/schema.h"

enum {
	FILE_MAX = 64 << 10, /* bytes of a manifest */
	NAME_MAX_LEN = 64,   /* what every provider takes */
	DESCRIPTION_MAX = 1024,
	TIME_LIMIT_MAX_S = 86400,
};

static const struct {
	const char *word;
	enum need need;
} needs[] = {
    {"discord", NEED_DISCORD},
    {"model", NEED_MODEL},
    {"search", NEED_SEARCH},
    {"network", NEED_NETWORK},
    {"container", NEED_CONTAINER},
    {"index", NEED_INDEX},
    {"task", NEED_TASK},
};

enum { NEEDS = sizeof(needs) / sizeof(needs[0]) };

const char *
manifest_need_word(int index, enum need *need)
{
	if (index < 0 || index >= NEEDS)
		return NULL;
	*need = needs[index].need;
	return needs[index].word;
}

static void
wrong(struct faults *f, const char *field, const char *why)
{
	fault_add(f, &(struct fault_place){NULL, field, 0}, "%s", why);
}

/* The file is called after its tool, so that one can be put in its place. */
static bool
named_after(const char *path, const char *name)
{
	const char *slash = strrchr(path, '/');
	const char *base = slash ? slash + 1 : path;
	size_t len = strlen(name);

	return strncmp(base, name, len) == 0 &&
	       strcmp(base + len, ".json") == 0;
}

static void
read_name(struct manifest *m, struct faults *f)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789_";

	m->name = json_string(m->root, "name");
	if (!m->name || !*m->name || strlen(m->name) > NAME_MAX_LEN ||
	    m->name[strspn(m->name, letters)])
		wrong(f, "name", "must be 1 to 64 of a-z, 0-9 and _");
	else if (!named_after(m->path, m->name))
		wrong(f, "name", "must be the file's name without .json");
}

static void
read_description(struct manifest *m, struct faults *f)
{
	m->description = json_string(m->root, "description");
	if (!m->description || !*m->description ||
	    strlen(m->description) > DESCRIPTION_MAX)
		wrong(f, "description", "must be a text of 1 to 1024 bytes");
}

static void
read_parameters(struct manifest *m, struct faults *f)
{
	const struct fault_place at = {NULL, "parameters", 0};
	const char *type;

	m->parameters = json_get(m->root, "parameters");
	if (!m->parameters) {
		fault_add(f, &at, "is missing");
		return;
	}
	schema_check(f, &at, m->parameters);
	type = json_string(m->parameters, "type");
	if (type && strcmp(type, "object") != 0)
		fault_add(f, &at, "must be of the type object");
}

static void
read_tier(struct manifest *m, struct faults *f)
{
	const char *word = json_string(m->root, "tier");

	for (int t = TIER_READ; word && t <= TIER_DESTRUCTIVE; t++)
		if (strcmp(word, tier_word((enum tier)t)) == 0) {
			m->tier = (enum tier)t;
			return;
		}
	wrong(f, "tier", "must be read, scratch, write or destructive");
}

static void
read_command(struct manifest *m, struct faults *f)
{
	const struct json *list = json_get(m->root, "command"), *v;
	size_t count = json_count(list), n = 0;
	const char *program;

	m->argv = mem_array(MANIFEST_COMMAND_MAX + 1, sizeof(*m->argv));
	m->command = m->argv;
	if (json_kind(list) != JSON_ARRAY || !count ||
	    count > MANIFEST_COMMAND_MAX) {
		wrong(f, "command", "must be a list of 1 to 16 texts");
		return;
	}
	for (v = json_first(list); v; v = json_next(v)) {
		if (json_kind(v) != JSON_STRING) {
			wrong(f, "command", "must be a list of texts");
			return;
		}
		m->argv[n++] = json_text(v);
	}
	program = m->argv[0];
	if (!*program || (strchr(program, '/') && *program != '/' &&
			     strncmp(program, "./", 2) != 0))
		wrong(f, "command",
		    "must begin with a name, an absolute path, or ./");
}

static unsigned
need_of(const char *word)
{
	for (int i = 0; word && i < NEEDS; i++)
		if (strcmp(word, needs[i].word) == 0)
			return needs[i].need;
	return 0;
}

static void
read_needs(struct manifest *m, struct faults *f)
{
	const struct json *list = json_get(m->root, "needs");
	struct fault_place at = {&(struct fault_place){NULL, "needs", 0}, NULL,
	    0};

	if (json_kind(list) != JSON_ARRAY)
		wrong(f, "needs", "must be a list, even if empty");
	for (const struct json *v = json_first(list); v; v = json_next(v)) {
		unsigned need = need_of(json_text(v));

		if (!need)
			fault_add(f, &at,
			    "is none of discord, model, search, "
			    "network, container, index, task");
		m->needs |= need;
		at.index++;
	}
}

static void
read_limit(struct manifest *m, struct faults *f)
{
	const struct json *v = json_get(m->root, "time_limit_s");
	int64_t n = 0;

	if (json_kind(v) != JSON_NUMBER || json_whole(v, &n) < 0 || n < 1 ||
	    n > TIME_LIMIT_MAX_S)
		wrong(f, "time_limit_s", "must be from 1 to 86400");
	else
		m->time_limit_s = (int)n;
}

static bool
read_flag(const struct manifest *m, const char *field, struct faults *f)
{
	const struct json *v = json_get(m->root, field);

	if (json_kind(v) != JSON_BOOL)
		wrong(f, field, "must be true or false");
	return json_true(v);
}

static void
read_publish(struct manifest *m, struct faults *f)
{
	const struct json *v = json_get(m->root, "publish");

	m->publish = json_string(m->root, "publish");
	if (v && !m->publish)
		wrong(f, "publish", "must be a text");
}

/*
 * A program that has never heard of checks would act when it is asked to look,
 * with nobody's consent: so one that changes something says that it knows.
 */
static void
read_check(const struct manifest *m, struct faults *f)
{
	const struct json *v = json_get(m->root, "check");

	if (v && json_kind(v) != JSON_BOOL)
		wrong(f, "check", "must be true or false");
	else if (m->tier >= TIER_WRITE && !json_true(v))
		wrong(f, "check",
		    "must be true for a tool that changes something");
	else if (m->tier < TIER_WRITE && json_true(v))
		wrong(f, "check", "is for tools that change something");
}

static void
refuse_unknown(const struct manifest *m, struct faults *f)
{
	static const char *const known[] = {"name", "description", "parameters",
	    "tier", "command", "serve", "needs", "time_limit_s", "visible",
	    "publish", "check", "attach", NULL};

	for (const struct json *v = json_first(m->root); v; v = json_next(v)) {
		int i = 0;

		while (known[i] && strcmp(known[i], json_key(v)) != 0)
			i++;
		if (!known[i])
			wrong(f, json_key(v), "is no field of a manifest");
	}
}

static int
read_file(struct manifest *m, const char *path, struct err *e)
{
	struct buf text = {.limit = FILE_MAX};
	int result;

	*m = (struct manifest){.file = mem_dup(path)};
	m->path = m->file;
	result = file_read(&text, path, e);
	if (result == 0 &&
	    json_object(&m->root, buf_text(&text), text.len, e) < 0)
		result = err_in(e, "%s", path);
	buf_release(&text);
	return result;
}

int
manifest_examine(struct manifest *m, const char *path, struct faults *f)
{
	size_t before = f->count;
	struct err e = {0};

	if (read_file(m, path, &e) < 0) {
		f->lead = NULL; /* the path is in the text already */
		fault_add(f, NULL, "%s", e.text);
		return -1;
	}
	f->lead = path;
	read_name(m, f);
	read_description(m, f);
	read_parameters(m, f);
	read_tier(m, f);
	read_command(m, f);
	m->serve = read_flag(m, "serve", f);
	read_needs(m, f);
	read_limit(m, f);
	m->visible = read_flag(m, "visible", f);
	read_publish(m, f);
	read_check(m, f);
	if (json_get(m->root, "attach"))
		m->attach = read_flag(m, "attach", f);
	refuse_unknown(m, f);
	f->lead = NULL;
	return f->count == before ? 0 : -1;
}

void
manifest_release(struct manifest *m)
{
	json_free(m->root);
	free(m->argv);
	free(m->file);
	*m = (struct manifest){0};
}

bool
manifest_is_loop(const struct manifest *m)
{
	return strcmp(m->command[0], "sophia-loop") == 0;
}

/* Whether DIR/NAME can be executed; dir is so many bytes. */
static bool
found(char out[PATH_MAX], const char *dir, size_t len, const char *name)
{
	int n = snprintf(out, PATH_MAX, "%.*s/%s", (int)len, dir, name);

	return n > 0 && n < PATH_MAX && access(out, X_OK) == 0;
}

int
manifest_program(const struct manifest *m, char out[PATH_MAX], struct err *e)
{
	const char *name = m->command[0];
	const char *slash = strrchr(m->path, '/');
	bool good;

	if (*name == '/')
		good = found(out, "", 0, name + 1);
	else if (strncmp(name, "./", 2) == 0)
		good = slash ? found(out, m->path, (size_t)(slash - m->path),
				   name + 2)
			     : found(out, ".", 1, name + 2);
	else
		good = found(out, home_bin(), strlen(home_bin()), name) ||
		       home_in_path(out, name);
	if (good)
		return 0;
	return err_set(e, ERR_CONFIG, "%s: command: %s is no program to run",
	    m->path, name);
}
