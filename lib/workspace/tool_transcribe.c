#include "workspace/tool_transcribe.h"

#include <stdlib.h>
#include <string.h>

#include "core/crash.h"
#include "core/err.h"
#include "core/lock.h"
#include "core/media.h"
#include "core/mem.h"
#include "core/path.h"
#include "core/poll.h"
#include "ext/json.h"
#include "model/profile.h"
#include "record/call.h"
#include "store/content.h"
#include "store/file.h"
#include "store/sound.h"
#include "store/task.h"
#include "workspace/cut.h"
#include "workspace/cutter.h"
#include "workspace/outcome.h"
#include "workspace/script.h"
#include "workspace/seconds.h"
#include "workspace/senses.h"
#include "workspace/toolbox.h"
#include "workspace/transcriber.h"

enum { SHORT_MS = 20 /* by so much a whole stretch may be shorter */ };

struct job {
	struct toolbox *box;
	struct serve_talk *talk;
	const char *task;
	int64_t call;
	struct profile profile;
	struct cutter cutter; /* with what is asked for */
	struct transcriber transcriber;
	char hash[CONTENT_HASH + 1];
	struct lock lock;
	bool listens;
	struct outcome outcome;
};

/* ---- what is asked ---- */

static int
read_seconds(int64_t *ms, const struct json *a, const char *key, int64_t other,
    struct err *e)
{
	const struct json *v = json_get(a, key);
	const char *text = v ? json_text(v) : NULL;

	*ms = other;
	if (!v)
		return 0;
	return seconds_read(ms, text ? text : "", e) < 0 ? err_in(e, "%s", key)
							 : 0;
}

static int
read_call(struct job *j, struct err *e)
{
	const struct call *c = j->talk->call;
	const struct json *a = c->arguments.tree;
	const char *dot = strrchr(c->id, '.');
	struct cutter *x = &j->cutter;

	j->task = x->task = c->context.task;
	j->call = dot ? strtoll(dot + 1, NULL, 10) : 0;
	x->path = json_string(a, "path");
	if (!x->path)
		return err_set(e, ERR_INPUT, "path: is missing");
	if (path_check(x->path, strlen(x->path), e) < 0 ||
	    read_seconds(&x->start_ms, a, "start", 0, e) < 0 ||
	    read_seconds(&x->length_ms, a, "length", CUT_MOST_MS, e) < 0)
		return -1;
	if (x->length_ms < 1 || x->length_ms > CUT_MOST_MS)
		return err_set(e, ERR_INPUT, "length: at most %d seconds",
		    CUT_MOST_MS / 1000);
	return 0;
}

/* The profile that listens: before anything is decoded, or read. */
static int
choose_profile(struct job *j, struct err *e)
{
	const char *named = settings_text(&j->box->settings,
	    "media.transcriber");

	if (!j->task)
		return err_set(e, ERR_INPUT, "this is for a call of a task");
	if ((*named ? profile_load(&j->profile, named, e)
		    : senses_load(&j->profile, &j->box->tasks,
			  &j->talk->call->context, e)) < 0)
		return -1;
	if (j->profile.inputs & INPUT_AUDIO)
		return 0;
	return err_set(e, ERR_REFUSED,
	    "the profile %s is not declared to take sound: `sophia settings "
	    "set media.transcriber NAME` names one that has \"audio\" in its "
	    "inputs",
	    j->profile.id);
}

/* ---- the recording ---- */

static int
check_kind(const char *path, const char *type, struct err *e)
{
	const char *kind = media_kind(type);

	if (strcmp(kind, "audio") == 0 || strcmp(kind, "video") == 0)
		return 0;
	return err_set(e, ERR_INPUT, "%s is no recording: it is %s", path,
	    type);
}

static int
find_file(struct job *j, struct err *e)
{
	const char *path = j->cutter.path;
	struct file_scan scan = {0};
	struct file f;
	int row = file_find(&scan, &j->box->tasks, j->task, path, &f, e);

	if (row > 0)
		row = check_kind(path, f.media, e);
	else if (row == 0)
		row = err_set(e, ERR_INPUT, "there is no file %s", path);
	file_end(&scan);
	return row;
}

/* From now on the call is one that has read it. */
static int
note_reader(struct job *j, struct err *e)
{
	struct store *s = &j->box->tasks;
	int rc = store_begin(s, e);

	if (rc == 0 &&
	    (task_may_keep(s, &j->talk->call->context, e) < 0 ||
		find_file(j, e) < 0 ||
		file_read_by(s, j->task, j->call, j->cutter.path, e) < 0))
		rc = -1;
	CRASH_POINT("transcribe.read");
	if (rc == 0)
		rc = store_commit(s, e);
	CRASH_POINT("transcribe.read.done");
	store_rollback(s);
	return rc;
}

/* ---- two programs, one after the other ---- */

static void
on_cancelled(void *ctx)
{
	struct job *j = ctx;

	if (j->listens)
		transcriber_cancel(&j->transcriber);
	else
		cutter_cancel(&j->cutter);
}

static int
wait_for(struct job *j, struct err *e)
{
	int rc;

	if (j->talk->given_up)
		on_cancelled(j);
	rc = outcome_wait(&j->outcome, j->talk->poll, e);
	return j->talk->given_up ? err_set(e, ERR_AGAIN, "it was cancelled")
				 : rc;
}

static int
cut_sound(struct job *j, struct err *e)
{
	j->cutter.ended = outcome_take;
	j->cutter.ctx = &j->outcome;
	if (cutter_start(&j->cutter, j->talk->poll, e) < 0)
		return -1;
	return wait_for(j, e);
}

static int
listen(struct job *j, struct err *e)
{
	const struct call *c = j->talk->call;

	j->transcriber = (struct transcriber){.profile = j->profile.id,
	    .call = c->id,
	    .task = j->task,
	    .actor = c->context.actor.id,
	    .hash = j->hash,
	    .ended = outcome_take,
	    .ctx = &j->outcome};
	serve_progress(j->talk, "a model listens to the recording");
	j->outcome = (struct outcome){0};
	if (transcriber_start(&j->transcriber, j->talk->poll, e) < 0)
		return -1;
	j->listens = true;
	return wait_for(j, e);
}

/* ---- what is kept ---- */

static int
put_sound(struct job *j, struct err *e)
{
	const struct cutter *x = &j->cutter;
	struct store *s = &j->box->tasks;

	if (task_may_keep(s, &j->talk->call->context, e) < 0 ||
	    sound_remove(s, j->task, e) < 0)
		return -1;
	return sound_add(s, j->task, j->call, x->path, x->start_ms, x->wav.data,
	    x->wav.len, j->hash, e);
}

static int
keep_sound(struct job *j, struct err *e)
{
	struct store *s = &j->box->tasks;
	struct content_stage staged = {0};
	int rc = content_stage(&staged, j->cutter.wav.data, j->cutter.wav.len,
	    e);

	if (rc == 0)
		rc = store_begin(s, e);
	if (rc == 0)
		rc = put_sound(j, e);
	CRASH_POINT("transcribe.sound");
	if (rc == 0)
		rc = store_commit(s, e);
	CRASH_POINT("transcribe.sound.done");
	store_rollback(s);
	content_unstage(&staged);
	return rc;
}

static int
put_words(struct job *j, const char *path, const struct buf *text,
    struct err *e)
{
	const struct file_origin made = {.kind = FILE_CALL, .call = j->call};
	struct store *s = &j->box->tasks;

	if (task_may_keep(s, &j->talk->call->context, e) < 0 ||
	    file_may_keep(s, j->task, j->call, e) < 0 ||
	    file_put(s, j->task, path, "text/plain", text->data, text->len,
		&made, e) < 0)
		return -1;
	return sound_remove(s, j->task, e);
}

static int
commit_words(struct job *j, const char *path, const struct buf *text,
    struct err *e)
{
	struct store *s = &j->box->tasks;
	int rc = store_begin(s, e);

	if (rc == 0)
		rc = put_words(j, path, text, e);
	CRASH_POINT("transcribe.words");
	if (rc == 0)
		rc = store_commit(s, e);
	CRASH_POINT("transcribe.words.done");
	store_rollback(s);
	return rc;
}

static int
keep_words(struct job *j, const struct script *x, struct err *e)
{
	struct content_stage staged = {0};
	struct buf text = {0}, path = {0};
	int rc = toolbox_lock(&j->lock, j->talk, j->task, e);

	script_path(&path, x);
	script_write(&text, x);
	if (rc == 0)
		rc = content_stage(&staged, text.data, text.len, e);
	if (rc == 0)
		rc = commit_words(j, buf_text(&path), &text, e);
	content_unstage(&staged);
	lock_drop(&j->lock);
	if (rc == 0)
		content_tidy(&j->box->tasks);
	buf_release(&text);
	buf_release(&path);
	return rc;
}

/* No model listens to it any more, and there are no words of it. */
static void
drop_sound(struct job *j)
{
	struct store *s = &j->box->tasks;
	struct err why = {0};

	if (store_begin(s, &why) < 0)
		return;
	if (sound_remove(s, j->task, &why) == 0)
		store_commit(s, &why);
	store_rollback(s);
	content_tidy(s);
}

static int
transcribe(struct job *j, struct answer_parts *a, struct err *e)
{
	const struct cutter *x = &j->cutter;
	struct script script = {.source = x->path,
	    .start_ms = x->start_ms,
	    .end_ms = x->start_ms + x->got_ms,
	    .goes_on = x->got_ms >= x->length_ms - SHORT_MS,
	    .profile = j->profile.id,
	    .model = j->profile.model};
	int result;

	if (keep_sound(j, e) < 0)
		return -1;
	result = listen(j, e);
	if (result == 0) {
		script.words = buf_text(&j->transcriber.words);
		script.cut = j->transcriber.cut;
		result = keep_words(j, &script, e);
	}
	if (result == 0)
		script_tell(a, &script);
	else
		drop_sound(j);
	return result;
}

static void
release(struct job *j)
{
	cutter_release(&j->cutter);
	transcriber_release(&j->transcriber);
	profile_release(&j->profile);
	lock_drop(&j->lock);
	free(j);
}

int
tool_transcribe(void *ctx, struct serve_talk *t, struct answer_parts *a,
    struct err *e)
{
	struct job *j = mem_new(sizeof(*j));
	int result = -1;

	j->box = ctx;
	j->talk = t;
	t->cancelled = on_cancelled;
	t->ctx = j;
	if (toolbox_settings(j->box, e) == 0 && read_call(j, e) == 0 &&
	    toolbox_tasks(j->box, e) == 0 && choose_profile(j, e) == 0 &&
	    note_reader(j, e) == 0 && cut_sound(j, e) == 0)
		result = transcribe(j, a, e);
	t->cancelled = NULL;
	release(j);
	return result;
}
