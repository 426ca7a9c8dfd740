#include "tool/inspect.h"

#include <limits.h>
#include <stdbool.h>
#include <string.h>

#include "access/decide.h"
#include "access/explain.h"
#include "core/clock.h"
#include "core/err.h"
#include "core/file.h"
#include "core/home.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "record/call.h"
#include "store/artifact.h"
#include "store/base.h"
#include "store/file.h"
#include "store/settings.h"
#include "store/task.h"
#include "tool/toolset.h"

enum {
	PROFILE_MAX = 256 << 10,
	LISTED = 100, /* files, artifacts */
};

typedef int part_fn(struct buf *b, const struct context *who, struct err *e);

static int
write_version(struct buf *b, const struct context *who, struct err *e)
{
	const char *state = home_state(e), *share = home_share(e);

	(void)who;
	if (!state || !share)
		return -1;
	jsonw_object(b, "version");
	jsonw_str(b, "sophia", SOPHIA_VERSION);
	jsonw_str(b, "state", state);
	jsonw_str(b, "share", share);
	jsonw_end_object(b);
	return 0;
}

static int
write_settings(struct buf *b, const struct context *who, struct err *e)
{
	const struct setting *known;
	struct settings s = {0};
	struct buf value = {0};

	(void)who;
	if (settings_open(&s, e) < 0)
		return -1;
	jsonw_object(b, "settings");
	for (int i = 0; (known = settings_known(i)) != NULL; i++) {
		if (known->kind == SETTING_ITEMS)
			continue; /* about others: see the permissions */
		buf_clear(&value);
		settings_value(&value, &s, known);
		jsonw_str(b, known->name, buf_text(&value));
	}
	jsonw_end_object(b);
	buf_release(&value);
	settings_close(&s);
	return 0;
}

/* Add the task's profile, else the configured one, to name. */
static int
profile_name(struct buf *name, const struct context *who, struct err *e)
{
	struct task_scan scan = {0};
	struct settings settings = {0};
	struct store s = {0};
	struct task t;
	struct err none = {0};

	if (who->task && store_open(&s, "tasks", STORE_READ, &none) == 0 &&
	    task_get(&scan, &s, who->task, who, &t, &none) == 0)
		buf_str(name, t.profile);
	task_end(&scan);
	store_close(&s);
	if (name->len)
		return 0;
	if (settings_open(&settings, e) < 0)
		return -1;
	buf_str(name, settings_text(&settings, "profile"));
	settings_close(&settings);
	return 0;
}

/* The state folder's file hides the shared one of the same name. */
static int
read_profile(struct buf *b, const char *name, struct err *e)
{
	char file[300], path[PATH_MAX];
	struct err first = {0};

	if (strchr(name, '/') || *name == '.' || strlen(name) > 200)
		return err_set(e, ERR_CONFIG, "profile: '%.80s' is no name",
		    name);
	snprintf(file, sizeof(file), "models/%s.json", name);
	if (home_path(path, file, e) == 0 && file_read(b, path, &first) == 0)
		return 0;
	buf_clear(b);
	return home_share_path(path, file, e) < 0 ? -1 : file_read(b, path, e);
}

/* Only fields named here: headers may hold what nobody should see. */
static void
write_profile_fields(struct buf *b, const struct json *root)
{
	static const char *const fields[] = {"protocol", "model", "context",
	    "reserve", "inputs", "effort", NULL};

	for (int i = 0; fields[i]; i++) {
		const struct json *v = json_get(root, fields[i]);

		if (v)
			jsonw_value(b, fields[i], v);
	}
}

static int
write_profile(struct buf *b, const struct context *who, struct err *e)
{
	struct buf name = {0}, text = {.limit = PROFILE_MAX};
	struct json *root = NULL;
	int result = -1;

	if (profile_name(&name, who, e) == 0 &&
	    read_profile(&text, buf_text(&name), e) == 0 &&
	    json_object(&root, buf_text(&text), text.len, e) == 0) {
		jsonw_object(b, "profile");
		jsonw_str(b, "id", buf_text(&name));
		write_profile_fields(b, root);
		jsonw_end_object(b);
		result = 0;
	}
	json_free(root);
	buf_release(&text);
	buf_release(&name);
	return result;
}

/* What access says of calls of a tier, or of one tool, before their targets. */
static struct access_question
question_of(const struct context *who, const struct settings *s,
    const char *name, enum tier tier)
{
	return (struct access_question){
	    .settings = s,
	    .actor = who->actor.id,
	    .location = who->location,
	    .capability = name,
	    .tier = tier,
	    .early = true,
	    .now_ms = clock_now_ms(),
	};
}

static void
write_tier(struct buf *b, const struct context *who, const struct settings *s,
    enum tier tier)
{
	const struct access_question q = question_of(who, s, NULL, tier);
	struct access_decision d;

	access_decide(&d, &q);
	jsonw_object(b, tier_word(tier));
	jsonw_str(b, "decision", access_word(d.verdict));
	explain_lines(b, "because", buf_text(&d.reasons));
	jsonw_bool(b, "roles_matter", access_needs_roles(&q) != NULL);
	jsonw_end_object(b);
	access_release(&d);
}

static void
write_tool(struct buf *b, const struct context *who, const struct settings *s,
    const struct manifest *m)
{
	const struct access_question q = question_of(who, s, m->name, m->tier);
	struct access_decision d;

	access_decide(&d, &q);
	jsonw_object(b, m->name);
	jsonw_str(b, "tier", tier_word(access_tier(m->name, m->tier)));
	jsonw_str(b, "decision", access_word(d.verdict));
	jsonw_end_object(b);
	access_release(&d);
}

/* As it is decided now, without a look at anybody's roles. */
static int
write_permissions(struct buf *b, const struct context *who, struct err *e)
{
	struct settings s = {0};
	struct toolset tools;

	if (settings_open(&s, e) < 0)
		return -1;
	if (toolset_load(&tools, e) < 0) {
		settings_close(&s);
		return -1;
	}
	jsonw_object(b, "permissions");
	jsonw_str(b, "actor", who->actor.id);
	jsonw_object(b, "tiers");
	for (enum tier t = TIER_READ; t <= TIER_DESTRUCTIVE; t++)
		write_tier(b, who, &s, t);
	jsonw_end_object(b);
	jsonw_object(b, "tools");
	for (size_t i = 0; i < tools.count; i++)
		write_tool(b, who, &s, &tools.tools[i]);
	jsonw_end_object(b);
	jsonw_end_object(b);
	toolset_release(&tools);
	settings_close(&s);
	return 0;
}

static void
write_task_fields(struct buf *b, const struct task *t)
{
	jsonw_object(b, "task");
	jsonw_str(b, "id", t->id);
	jsonw_str(b, "owner", t->owner_name);
	jsonw_str(b, "place", t->place);
	jsonw_str(b, "state", task_state_word(t->state));
	jsonw_opt(b, "reason", t->reason);
	jsonw_str(b, "objective", t->objective);
	jsonw_int(b, "turns", t->turns);
	jsonw_int(b, "calls", t->calls);
	jsonw_time(b, "created_at", t->created_ms);
	jsonw_time(b, "changed_at", t->changed_ms);
	jsonw_end_object(b);
}

static int
write_task(struct buf *b, const struct context *who, struct err *e)
{
	struct task_scan scan = {0};
	struct store s = {0};
	struct task t;
	int result = -1;

	if (!who->task) {
		jsonw_null(b, "task");
		return 0;
	}
	if (store_open(&s, "tasks", STORE_READ, e) == 0 &&
	    task_get(&scan, &s, who->task, who, &t, e) == 0) {
		write_task_fields(b, &t);
		result = 0;
	}
	task_end(&scan);
	store_close(&s);
	return result;
}

static void
write_file(struct buf *b, const struct file *f)
{
	jsonw_object(b, NULL);
	jsonw_str(b, "path", f->path);
	jsonw_str(b, "media", f->media);
	jsonw_int(b, "size", f->size);
	if (f->origin.call)
		jsonw_int(b, "call", f->origin.call);
	jsonw_opt(b, "from", f->origin.url);
	jsonw_time(b, "at", f->at_ms);
	jsonw_end_object(b);
}

static int
write_artifacts(struct buf *b, struct store *s, const char *task, struct err *e)
{
	struct artifact_scan scan = {0};
	struct artifact a;
	int row;

	jsonw_array(b, "artifacts");
	artifact_list(&scan, s, task, 0, LISTED);
	while ((row = artifact_next(&scan, &a, e)) > 0)
		artifact_describe(b, NULL, &a);
	artifact_end(&scan);
	jsonw_end_array(b);
	return row;
}

/* How many there are, and the first of them; nothing of what they hold. */
static int
list_files(struct buf *b, struct store *s, const char *task, struct err *e)
{
	struct file_scan scan = {0};
	struct file f;
	int64_t count = 0, bytes = 0;
	int row;

	jsonw_object(b, "files");
	jsonw_array(b, "list");
	file_list(&scan, s, task);
	while ((row = file_next(&scan, &f, e)) > 0) {
		if (count++ < LISTED)
			write_file(b, &f);
		bytes += f.size;
	}
	file_end(&scan);
	jsonw_end_array(b);
	jsonw_int(b, "count", count);
	jsonw_int(b, "bytes", bytes);
	if (row == 0)
		row = write_artifacts(b, s, task, e);
	jsonw_end_object(b);
	return row;
}

static int
write_files(struct buf *b, const struct context *who, struct err *e)
{
	struct task_scan scan = {0};
	struct store s = {0};
	struct task t;
	int result = -1;

	if (!who->task) {
		jsonw_null(b, "files");
		return 0;
	}
	if (store_open(&s, "tasks", STORE_READ, e) == 0)
		result = task_get(&scan, &s, who->task, who, &t, e);
	task_end(&scan);
	if (result == 0)
		result = list_files(b, &s, who->task, e);
	store_close(&s);
	return result;
}

static const struct section {
	const char *name;
	part_fn *write;
} parts[] = {
    {"version", write_version},
    {"settings", write_settings},
    {"profile", write_profile},
    {"permissions", write_permissions},
    {"task", write_task},
    {"files", write_files},
};

int
inspect_runtime(void *ctx, const struct call *call, struct answer_parts *a,
    struct err *e)
{
	const char *only = json_string(call->arguments.tree, "part");
	int count = 0;

	(void)ctx;
	jsonw_object(&a->data, NULL);
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		if (only && strcmp(only, parts[i].name) != 0)
			continue;
		if (parts[i].write(&a->data, &call->context, e) < 0)
			return err_in(e, "%s", parts[i].name);
		count++;
	}
	jsonw_end_object(&a->data);
	if (!count)
		return err_set(e, ERR_INPUT, "arguments.part: '%.40s' is none",
		    only);
	buf_str(&a->summary, only ? only : "the whole runtime");
	return 0;
}
