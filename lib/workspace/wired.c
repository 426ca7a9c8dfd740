#include "workspace/wired.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/buf.h"
#include "core/crash.h"
#include "core/err.h"
#include "core/mem.h"
#include "core/poll.h"
#include "record/call.h"
#include "record/exhibit.h"
#include "store/artifact.h"
#include "store/content.h"
#include "store/task.h"
#include "tool/serve.h"
#include "workspace/outcome.h"
#include "workspace/preview.h"
#include "workspace/senses.h"
#include "workspace/toolbox.h"

/* A picture that was handed over, and the name of its copy. */
struct original {
	char id[ID_LEN + 1];
	int64_t version;
	struct buf name;
	char hash[CONTENT_HASH + 1], wire[CONTENT_HASH + 1];
};

struct job {
	struct toolbox *box;
	const struct context *who;
	struct original of[PREVIEW_MOST];
	size_t count;
	struct preview preview;
	struct outcome outcome;
};

static void
on_cancelled(void *ctx)
{
	struct job *j = ctx;

	preview_cancel(&j->preview);
}

static bool
takes_pictures(struct job *j, struct err *e)
{
	struct profile p = {0};
	const bool takes = senses_load(&p, &j->box->tasks, j->who, e) == 0 &&
			   (p.inputs & INPUT_IMAGE);

	profile_release(&p);
	return takes;
}

/* The last pictures of the call. */
static int
find(struct job *j, int64_t call, struct err *e)
{
	struct artifact_scan scan = {0};
	struct artifact a;
	int row;

	artifact_list(&scan, &j->box->tasks, j->who->task, call, PREVIEW_MOST);
	while ((row = artifact_next(&scan, &a, e)) > 0) {
		struct original *o = &j->of[j->count];

		if (strcmp(a.kind, "image") != 0)
			continue;
		memcpy(o->id, a.id, sizeof(o->id));
		memcpy(o->hash, a.hash, sizeof(o->hash));
		o->version = a.version;
		buf_str(&o->name, a.filename);
		if (a.version > 1)
			buf_fmt(&o->name, " (version %" PRId64 ")", a.version);
		j->count++;
	}
	artifact_end(&scan);
	return row;
}

/* Give their bytes to the preview. */
static int
load(struct job *j, struct err *e)
{
	struct buf bytes = {.limit = ARTIFACT_BYTES_MOST};
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < j->count; i++) {
		buf_clear(&bytes);
		rc = content_get(&j->box->tasks, j->of[i].hash, &bytes, e);
		if (rc == 0)
			rc = preview_picture(&j->preview, buf_text(&bytes),
			    bytes.len, e);
	}
	buf_release(&bytes);
	return rc;
}

static int
copy(struct job *j, struct poll *poll, struct err *e)
{
	j->preview.engine = settings_text(&j->box->settings, "sandbox.engine");
	j->preview.image = settings_text(&j->box->settings, "sandbox.image");
	j->preview.ended = outcome_take;
	j->preview.ctx = &j->outcome;
	if (load(j, e) < 0 || preview_start(&j->preview, poll, e) < 0)
		return -1;
	return outcome_wait(&j->outcome, poll, e);
}

static int
put(struct job *j, struct err *e)
{
	struct store *s = &j->box->tasks;

	if (task_may_keep(s, j->who, e) < 0)
		return -1;
	for (size_t i = 0; i < j->count; i++) {
		const struct preview_copy *c = &j->preview.copies[i];
		struct original *o = &j->of[i];

		if (c->why.kind)
			continue;
		if (content_put(s, c->bytes.data, c->bytes.len, o->wire, e) <
			0 ||
		    artifact_wire_set(s, o->id, o->version, o->wire,
			c->shape.type, e) < 0)
			return -1;
	}
	return 0;
}

static int
keep(struct job *j, struct err *e)
{
	struct store *s = &j->box->tasks;
	struct content_stage staged = {0};
	int rc = preview_stage(&j->preview, &staged, e);

	if (rc == 0)
		rc = store_begin(s, e);
	if (rc == 0)
		rc = put(j, e);
	CRASH_POINT("wired.keep");
	if (rc == 0)
		rc = store_commit(s, e);
	CRASH_POINT("wired.keep.done");
	store_rollback(s);
	content_unstage(&staged);
	return rc;
}

static void
show(const struct job *j, struct buf *media)
{
	for (size_t i = 0; i < j->count; i++) {
		const struct original *o = &j->of[i];
		const struct exhibit x = {
		    .kind = EXHIBIT_IMAGE,
		    .type = j->preview.copies[i].shape.type,
		    .name = buf_text(&o->name),
		    .blob = o->wire,
		};

		if (*o->wire)
			exhibit_write(media, &x);
	}
}

static void
release(struct job *j)
{
	preview_release(&j->preview);
	for (size_t i = 0; i < j->count; i++)
		buf_release(&j->of[i].name);
	free(j);
}

int
wired_make(struct toolbox *box, struct serve_talk *t, int64_t call,
    struct buf *media, struct err *e)
{
	struct job *j;
	int result = -1;

	if (t->given_up)
		return 0;
	j = mem_new(sizeof(*j));
	j->box = box;
	j->who = &t->call->context;
	t->cancelled = on_cancelled;
	t->ctx = j;
	if (find(j, call, e) == 0)
		result = !j->count || !takes_pictures(j, e) ? 0
			 : copy(j, t->poll, e) < 0          ? -1
							    : keep(j, e);
	if (result == 0)
		show(j, media);
	t->cancelled = NULL;
	release(j);
	return result;
}
