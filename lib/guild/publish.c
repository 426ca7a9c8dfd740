/* sandbox_publish */
#include <inttypes.h>
#include <string.h>

#include "core/buf.h"
#include "core/err.h"
#include "core/utf8.h"
#include "discord/attempt.h"
#include "discord/compose.h"
#include "discord/permission.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "guild/change.h"
#include "guild/changes.h"
#include "guild/post.h"
#include "guild/seek.h"
#include "record/call.h"
#include "store/base.h"
#include "store/content.h"
#include "store/holding.h"
#include "store/task.h"
#include "tool/serve.h"

/* Discord takes 10 MiB of a bot; less in all, so that a form fits. */
enum { TEXT_MOST = 2000, FILE_MOST = 8 << 20, NAME_SHOWN = 256 };

static int
find_file(struct holding *f, struct store *s, const char *task,
    const char *path, struct err *e)
{
	int got = holding_file(f, s, task, path, e);

	if (got == 0)
		return err_set(e, ERR_INPUT, "this task has no file '%.200s'",
		    path);
	return got < 0 ? -1 : 0;
}

static int
find_artifact(struct holding *f, struct store *s, const char *task,
    const char *which, int64_t version, struct err *e)
{
	int got = holding_artifact(f, s, task, which, version, e);

	if (got == 0)
		return err_set(e, ERR_INPUT,
		    "this task has no artifact '%.200s', or not in that "
		    "version",
		    which);
	return got < 0 ? -1 : 0;
}

/* What the arguments name, of the task at work. */
static int
find(struct holding *f, struct store *s, const struct change *c, struct err *e)
{
	const struct context *at = &c->call->context;
	const char *path = json_string(c->in, "path");
	const char *artifact = json_string(c->in, "artifact");

	if (!path == !artifact)
		return err_set(e, ERR_INPUT,
		    "either path or artifact says what is published");
	if (task_at_work(s, at, e) < 0)
		return -1;
	return path ? find_file(f, s, at->task, path, e)
		    : find_artifact(f, s, at->task, artifact,
			  json_int(c->in, "version", 0), e);
}

/* ---- check ---- */

/* What it is goes into the plan: nothing else will be sent. */
static void
propose(struct change *c, const struct holding *f, const char *text)
{
	char shown[NAME_SHOWN];

	jsonw_object(&c->p->plan, "file");
	jsonw_str(&c->p->plan, "hash", f->hash);
	jsonw_int(&c->p->plan, "size", f->size);
	jsonw_end_object(&c->p->plan);
	utf8_tame(shown, sizeof(shown), f->name);
	buf_fmt(&c->p->text,
	    ", the file %s (%s, %" PRId64 " bytes, SHA-256 %.16s)", shown,
	    f->media, f->size, f->hash);
	if (*text)
		buf_fmt(&c->p->text, ":\n%s", text);
}

static int
check_channel(struct change *c, struct err *e)
{
	struct place p;

	if (post_place(c, &p, e) < 0 || change_need(&p, PERMIT_ATTACH, e) < 0)
		return -1;
	post_propose(c, &p, "publish in ");
	return 0;
}

static int
check_direct(struct change *c, struct err *e)
{
	if (json_get(c->in, "channel"))
		return err_set(e, ERR_INPUT, "a direct message has no channel");
	return post_propose_direct(c, "publish in a direct message to ", e);
}

static int
check_size(const struct holding *f, struct err *e)
{
	if (f->size > FILE_MOST)
		return err_set(e, ERR_REFUSED,
		    "%.200s has %" PRId64 " bytes, and at most 8 MiB can be "
		    "published",
		    f->name, f->size);
	if (!f->size)
		return err_set(e, ERR_REFUSED,
		    "%.200s is empty: Discord takes no empty file", f->name);
	return 0;
}

int
publish_check(struct change *c, struct err *e)
{
	const char *text = change_words(c, "text", 0, TEXT_MOST, e);
	const bool direct = json_bool(c->in, "direct", false);
	struct store tasks = {0};
	struct holding f = {0};
	int result = -1;

	if (text && store_open(&tasks, "tasks", STORE_READ, e) == 0 &&
	    find(&f, &tasks, c, e) == 0)
		result = check_size(&f, e);
	store_close(&tasks);
	if (result == 0)
		result = direct ? check_direct(c, e) : check_channel(c, e);
	if (result == 0)
		propose(c, &f, text);
	holding_release(&f);
	return result;
}

/* ---- act ---- */

static int
send(struct change *c, uint64_t channel, const struct rest_file *file,
    struct err *e)
{
	const char *text = json_string(c->in, "text");
	const struct compose message = {
	    .content = text && *text ? text : NULL,
	    .nonce = c->call->nonce,
	    .file = file->name,
	};
	struct buf body = {0};
	int result;

	compose_write(&body, &message);
	result = post_send(c, channel, &body, file, e);
	buf_release(&body);
	return result;
}

/* The bytes that were approved, if they are still what the arguments name. */
static int
read_bytes(struct change *c, struct holding *f, struct buf *to, struct err *e)
{
	const char *hash = json_string(json_get(c->plan, "file"), "hash");
	struct store tasks = {0};
	int result = -1;

	to->limit = FILE_MOST;
	if (store_open(&tasks, "tasks", STORE_READ, e) < 0 ||
	    find(f, &tasks, c, e) < 0)
		goto out;
	if (hash && strcmp(f->hash, hash) == 0)
		result = content_get(&tasks, hash, to, e);
	else
		err_set(e, ERR_REFUSED,
		    "%.200s isn't what it was when it was to be published: "
		    "it must be checked again",
		    f->name);
out:
	store_close(&tasks);
	return result;
}

int
publish_act(struct change *c, struct err *e)
{
	uint64_t channel = change_id(c->plan, "channel");
	struct buf bytes = {0};
	struct holding f = {0};
	int result = -1;

	if (read_bytes(c, &f, &bytes, e) == 0 &&
	    (channel || post_open_direct(c, &channel, e) == 0))
		result = send(c, channel,
		    &(struct rest_file){.name = f.name,
			.type = f.media,
			.bytes = buf_text(&bytes),
			.len = bytes.len},
		    e);
	holding_release(&f);
	buf_release(&bytes);
	return result;
}

/* ---- verify ---- */

/* The same text, and one file of that size: Discord may change its name. */
static bool
is_it(void *ctx, const struct json *m)
{
	const struct change *c = ctx;
	const struct json *files = json_get(m, "attachments");
	const char *said = json_string(m, "content");
	const char *text = json_string(c->in, "text");
	int64_t size = json_int(json_get(c->plan, "file"), "size", -1);

	return json_count(files) == 1 &&
	       json_int(json_first(files), "size", 0) == size && said &&
	       change_alike(said, text ? text : "");
}

int
publish_verify(struct change *c, struct err *e)
{
	struct seek s = {
	    .guild = change_id(c->plan, "guild"),
	    .channel = change_id(c->plan, "channel"),
	    .is = is_it,
	};

	if (!s.channel && post_open_direct(c, &s.channel, e) < 0)
		return -1;
	return seek_message(c, &s, e);
}
