#include "workspace/glance.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/mem.h"
#include "core/poll.h"
#include "core/signals.h"
#include "ext/jsonw.h"
#include "record/result.h"
#include "store/settings.h"
#include "workspace/enabled.h"
#include "workspace/outcome.h"
#include "workspace/preview.h"
#include "workspace/seconds.h"

struct job {
	const struct glance *ask;
	struct settings settings;
	struct poll poll;
	struct signals signals;
	struct preview preview;
	struct buf data, lines;
	int made;
	struct outcome outcome;
};

static void
on_signal(void *ctx, int sig)
{
	struct job *j = ctx;

	(void)sig;
	preview_cancel(&j->preview);
}

static int
add(struct job *j, const char *path, struct err *e)
{
	const struct glance *g = j->ask;
	struct buf b = {.limit = BUNDLE_BYTES_MOST};
	int rc = file_read(&b, path, e);

	if (rc == 0 && !g->times)
		rc = preview_picture(&j->preview, buf_text(&b), b.len, e);
	for (size_t i = 0; rc == 0 && i < g->times; i++)
		rc = preview_frame(&j->preview, buf_text(&b), b.len,
		    g->at_ms[i], e);
	buf_release(&b);
	return rc;
}

static int
execute(struct job *j, struct err *e)
{
	int rc;

	j->preview.engine = settings_text(&j->settings, "sandbox.engine");
	j->preview.image = settings_text(&j->settings, "sandbox.image");
	j->preview.ended = outcome_take;
	j->preview.ctx = &j->outcome;
	for (size_t i = 0; i < j->ask->count; i++)
		if (add(j, j->ask->paths[i], e) < 0)
			return -1;
	j->signals = (struct signals){.got = on_signal, .ctx = j};
	if (signals_start(&j->signals, &j->poll, e) < 0 ||
	    preview_start(&j->preview, &j->poll, e) < 0)
		return -1;
	rc = outcome_wait(&j->outcome, &j->poll, e);
	signals_stop(&j->signals);
	return rc;
}

static const char *
path_of(const struct job *j, size_t i)
{
	return j->ask->paths[j->ask->times ? 0 : i];
}

static void
name_copy(const struct job *j, size_t i, struct buf *b)
{
	const char *path = path_of(j, i), *slash = strrchr(path, '/');
	const char *type = j->preview.copies[i].shape.type;

	buf_fmt(b, "%s/%s", j->ask->folder, slash ? slash + 1 : path);
	if (j->ask->times) {
		buf_char(b, '.');
		seconds_write(b, j->ask->at_ms[i]);
	}
	buf_str(b, strcmp(type, "image/png") == 0 ? ".png" : ".jpg");
}

static int
put(struct job *j, size_t i, struct err *e)
{
	const struct preview_copy *c = &j->preview.copies[i];
	struct buf to = {0};
	int rc = 0;

	jsonw_object(&j->data, NULL);
	jsonw_str(&j->data, "path", path_of(j, i));
	if (c->why.kind) {
		jsonw_str(&j->data, "error", c->why.text);
		buf_fmt(&j->lines, "%s: %s\n", path_of(j, i), c->why.text);
	} else {
		name_copy(j, i, &to);
		rc = file_replace(buf_text(&to), c->bytes.data, c->bytes.len,
		    e);
		jsonw_str(&j->data, "copy", buf_text(&to));
		jsonw_int(&j->data, "width", c->shape.width);
		jsonw_int(&j->data, "height", c->shape.height);
		buf_fmt(&j->lines, "%s\n", buf_text(&to));
		j->made++;
	}
	jsonw_end_object(&j->data);
	buf_release(&to);
	return rc;
}

static int
put_all(struct job *j, struct err *e)
{
	int rc = 0;

	jsonw_object(&j->data, NULL);
	jsonw_array(&j->data, j->ask->times ? "frames" : "pictures");
	for (size_t i = 0; rc == 0 && i < j->preview.count; i++)
		rc = put(j, i, e);
	jsonw_end_array(&j->data);
	jsonw_end_object(&j->data);
	return rc;
}

static void
tell(const struct job *j, struct buf *record)
{
	struct buf words = {0};

	buf_fmt(&words, "%d of %zu copies were made", j->made,
	    j->preview.count);
	result_write(record, &(struct result){.ok = j->made > 0,
				 .summary = buf_text(&words),
				 .data = {.text = buf_text(&j->data)}});
	buf_release(&words);
}

int
glance_make(const struct glance *g, struct buf *told, bool json, struct err *e)
{
	struct job *j = mem_new(sizeof(*j));
	int result = -1;

	j->ask = g;
	if (enabled_open(&j->settings, e) == 0 &&
	    file_mkdirs(g->folder, e) == 0 && execute(j, e) == 0 &&
	    put_all(j, e) == 0) {
		if (json)
			tell(j, told);
		else
			buf_str(told, buf_text(&j->lines));
		result = j->made;
	}
	preview_release(&j->preview);
	signals_stop(&j->signals);
	poll_release(&j->poll);
	settings_close(&j->settings);
	buf_release(&j->data);
	buf_release(&j->lines);
	free(j);
	return result;
}
