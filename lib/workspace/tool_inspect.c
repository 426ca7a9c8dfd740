#include "workspace/tool_inspect.h"

#include <stdlib.h>
#include <string.h>

#include "core/crash.h"
#include "core/err.h"
#include "core/media.h"
#include "core/mem.h"
#include "core/path.h"
#include "core/poll.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "model/gallery.h"
#include "record/call.h"
#include "record/exhibit.h"
#include "store/content.h"
#include "store/picture.h"
#include "store/task.h"
#include "workspace/outcome.h"
#include "workspace/preview.h"
#include "workspace/seconds.h"
#include "workspace/senses.h"
#include "workspace/shelf.h"
#include "workspace/toolbox.h"

struct job {
	struct toolbox *box;
	struct serve_talk *talk;
	int64_t call;
	const char *paths[PREVIEW_MOST];
	size_t path_count, time_count;
	int64_t at_ms[PREVIEW_MOST];
	struct bundle files;
	struct preview preview;
	struct picture kept[PREVIEW_MOST]; /* n is 0: it couldn't be had */
	bool runs;
	struct outcome outcome;
};

static void
on_cancelled(void *ctx)
{
	struct job *j = ctx;

	if (j->runs)
		preview_cancel(&j->preview);
}

/* ---- what is asked ---- */

static int
read_paths(struct job *j, const struct json *list, struct err *e)
{
	for (const struct json *v = json_first(list); v; v = json_next(v)) {
		const char *path = json_text(v);

		if (json_kind(v) != JSON_STRING)
			return err_set(e, ERR_INPUT, "paths: must be texts");
		if (path_check(path, strlen(path), e) < 0)
			return err_in(e, "paths");
		if (j->path_count == PREVIEW_MOST)
			return err_set(e, ERR_INPUT,
			    "paths: at most %d pictures at once", PREVIEW_MOST);
		j->paths[j->path_count++] = path;
	}
	if (!j->path_count)
		return err_set(e, ERR_INPUT, "paths: none is given");
	return 0;
}

static int
read_times(struct job *j, const struct json *list, struct err *e)
{
	for (const struct json *v = json_first(list); v; v = json_next(v)) {
		const char *text = json_text(v);

		if (j->time_count == PREVIEW_MOST)
			return err_set(e, ERR_INPUT,
			    "times: at most %d frames at once", PREVIEW_MOST);
		if (seconds_read(&j->at_ms[j->time_count++], text ? text : "",
			e) < 0)
			return err_in(e, "times");
	}
	if (j->time_count && j->path_count > 1)
		return err_set(e, ERR_INPUT, "times: are for one video alone");
	return 0;
}

static int
read_call(struct job *j, struct err *e)
{
	const struct call *c = j->talk->call;
	const char *dot = strrchr(c->id, '.');

	j->call = dot ? strtoll(dot + 1, NULL, 10) : 0;
	if (read_paths(j, json_get(c->arguments.tree, "paths"), e) < 0)
		return -1;
	return read_times(j, json_get(c->arguments.tree, "times"), e);
}

/* ---- the files ---- */

static int
take_files(struct job *j, struct err *e)
{
	const struct call *c = j->talk->call;
	const struct shelf_pick pick = {j->paths, j->path_count};

	if (task_may_keep(&j->box->tasks, &c->context, e) < 0)
		return -1;
	return shelf_take(&j->files, &j->box->tasks, c->context.task, j->call,
	    &pick, e);
}

static int
refuse_kind(const char *path, const char *type, bool at_times, struct err *e)
{
	if (at_times)
		return err_set(e, ERR_INPUT, "%s is no video: it is %s", path,
		    type);
	if (strcmp(media_kind(type), "video") == 0)
		return err_set(e, ERR_INPUT,
		    "%s is a video: read its duration with ffprobe, then give "
		    "times",
		    path);
	return err_set(e, ERR_INPUT, "%s is no picture: it is %s", path, type);
}

/* It is what was asked for, as far as its first bytes say. */
static int
ask_for(struct job *j, const char *path, struct err *e)
{
	const struct bundle_file *f = bundle_find(&j->files, path,
	    strlen(path));
	const char *type, *kind;

	if (!f)
		return err_set(e, ERR_INPUT, "%s is a folder", path);
	type = media_type(buf_text(&f->bytes), f->bytes.len, path);
	kind = media_kind(type);
	if (!j->time_count)
		return strcmp(kind, "image") == 0
			   ? preview_picture(&j->preview, f->bytes.data,
				 f->bytes.len, e)
			   : refuse_kind(path, type, false, e);
	if (strcmp(kind, "video") != 0 && strcmp(type, "image/gif") != 0)
		return refuse_kind(path, type, true, e);
	for (size_t i = 0; i < j->time_count; i++)
		if (preview_frame(&j->preview, f->bytes.data, f->bytes.len,
			j->at_ms[i], e) < 0)
			return -1;
	return 0;
}

static int
execute(struct job *j, struct err *e)
{
	j->preview.engine = settings_text(&j->box->settings, "sandbox.engine");
	j->preview.image = settings_text(&j->box->settings, "sandbox.image");
	j->preview.ended = outcome_take;
	j->preview.ctx = &j->outcome;
	for (size_t i = 0; i < j->path_count; i++)
		if (ask_for(j, j->paths[i], e) < 0)
			return -1;
	if (preview_start(&j->preview, j->talk->poll, e) < 0)
		return -1;
	j->runs = true;
	return outcome_wait(&j->outcome, j->talk->poll, e);
}

/* ---- what comes of it ---- */

static const char *
name_of(const struct job *j, size_t i)
{
	return j->paths[j->time_count ? 0 : i];
}

static int
add_pictures(struct job *j, struct err *e)
{
	const struct context *who = &j->talk->call->context;

	if (task_may_keep(&j->box->tasks, who, e) < 0)
		return -1;
	for (size_t i = 0; i < j->preview.count; i++) {
		const struct preview_copy *c = &j->preview.copies[i];
		struct picture *p = &j->kept[i];

		if (c->why.kind)
			continue;
		*p = (struct picture){.frame = j->time_count > 0,
		    .name = name_of(j, i),
		    .media = c->shape.type,
		    .offset_ms = j->at_ms[i]};
		if (picture_add(&j->box->tasks, who->task, j->call, p,
			c->bytes.data, c->bytes.len, e) < 0)
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
		rc = add_pictures(j, e);
	CRASH_POINT("inspect.keep");
	if (rc == 0)
		rc = store_commit(s, e);
	CRASH_POINT("inspect.keep.done");
	store_rollback(s);
	content_unstage(&staged);
	return rc;
}

static void
tell_one(const struct job *j, size_t i, struct answer_parts *a)
{
	const struct preview_copy *c = &j->preview.copies[i];
	struct buf at = {0};

	jsonw_object(&a->data, NULL);
	jsonw_str(&a->data, "path", name_of(j, i));
	if (j->time_count) {
		seconds_write(&at, j->at_ms[i]);
		jsonw_raw(&a->data, "time", buf_text(&at), at.len);
	}
	if (c->why.kind) {
		jsonw_str(&a->data, "error", c->why.text);
	} else {
		jsonw_int(&a->data, "width", c->shape.width);
		jsonw_int(&a->data, "height", c->shape.height);
	}
	jsonw_end_object(&a->data);
	buf_release(&at);
}

static void
show_one(const struct picture *p, struct answer_parts *a)
{
	const struct exhibit x = {
	    .kind = p->frame ? EXHIBIT_FRAME : EXHIBIT_IMAGE,
	    .type = p->media,
	    .name = p->name,
	    .blob = p->hash,
	    .at_ms = p->offset_ms,
	};

	if (p->n)
		exhibit_write(&a->media, &x);
}

static int
tell(const struct job *j, struct answer_parts *a, struct err *e)
{
	const char *what = j->time_count ? "frame" : "picture";
	const size_t all = j->preview.count;
	size_t shown = 0;

	for (size_t i = 0; i < all; i++)
		shown += j->kept[i].n != 0;
	if (!shown)
		return err_set(e, ERR_INPUT, "%s: %s", name_of(j, 0),
		    j->preview.copies[0].why.text);
	jsonw_object(&a->data, NULL);
	jsonw_array(&a->data, j->time_count ? "frames" : "pictures");
	jsonw_array(&a->media, NULL);
	for (size_t i = 0; i < all; i++) {
		tell_one(j, i, a);
		show_one(&j->kept[i], a);
	}
	jsonw_end_array(&a->media);
	jsonw_end_array(&a->data);
	jsonw_end_object(&a->data);
	buf_fmt(&a->summary, "%zu %s%s to be seen next", shown, what,
	    shown == 1 ? "" : "s");
	if (shown > GALLERY_MOST)
		buf_fmt(&a->summary,
		    "; only the last %d of them go into one request",
		    GALLERY_MOST);
	if (shown < all)
		buf_fmt(&a->summary, "; %zu could not be had: see data",
		    all - shown);
	return 0;
}

static void
release(struct job *j)
{
	preview_release(&j->preview);
	bundle_release(&j->files);
	free(j);
}

int
tool_inspect(void *ctx, struct serve_talk *t, struct answer_parts *a,
    struct err *e)
{
	struct job *j = mem_new(sizeof(*j));
	int result = -1;

	j->box = ctx;
	j->talk = t;
	t->cancelled = on_cancelled;
	t->ctx = j;
	if (toolbox_settings(j->box, e) == 0 && read_call(j, e) == 0 &&
	    toolbox_tasks(j->box, e) == 0 &&
	    senses_need_images(&j->box->tasks, &t->call->context, e) == 0 &&
	    take_files(j, e) == 0 && execute(j, e) == 0 && keep(j, e) == 0)
		result = tell(j, a, e);
	t->cancelled = NULL;
	release(j);
	return result;
}
