#include "workspace/preview.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "core/file.h"
#include "core/home.h"
#include "store/content.h"

enum { SCRIPT_MOST = 65536, REASON_MOST = 16 };

static const struct container_limits limits = {
    .memory_mb = 896,
    .files_mb = 64,
    .processes = 32,
    .cpus = 1,
};

static int
put_in(struct preview *p, const char *bytes, size_t len, struct err *e)
{
	char path[32];
	struct bundle_file *f;

	snprintf(path, sizeof(path), "in/%zu", p->files.count);
	f = bundle_add(&p->files, path, strlen(path), len, e);
	if (!f)
		return -1;
	buf_add(&f->bytes, bytes, len);
	return 0;
}

static int
check_room(const struct preview *p, struct err *e)
{
	if (p->count < PREVIEW_MOST)
		return 0;
	return err_set(e, ERR_REFUSED, "more than %d pictures at once",
	    PREVIEW_MOST);
}

int
preview_picture(struct preview *p, const char *bytes, size_t len, struct err *e)
{
	if (check_room(p, e) < 0 || put_in(p, bytes, len, e) < 0)
		return -1;
	p->count++;
	return 0;
}

int
preview_frame(struct preview *p, const char *bytes, size_t len, int64_t at_ms,
    struct err *e)
{
	if (at_ms < 0)
		return err_set(e, ERR_INPUT, "a time before the beginning");
	if (check_room(p, e) < 0 ||
	    (p->count == 0 && put_in(p, bytes, len, e) < 0))
		return -1;
	p->of_video = true;
	p->at_ms[p->count++] = at_ms;
	return 0;
}

/* What the script's one word means; it may be any. */
static const char *
reason(const char *word)
{
	static const struct {
		const char *word, *text;
	} known[] = {
	    {"large", "it is too large to be decoded: scale it down first"},
	    {"slow", "it took too long, or too much memory"},
	    {"blind", "there are no pictures in it"},
	    {"after", "it ends before that time"},
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (strcmp(word, known[i].word) == 0)
			return known[i].text;
	return "it is broken, or of no known format";
}

static const struct bundle_file *
come_out(const struct preview *p, size_t i, const char *end)
{
	char path[32];

	snprintf(path, sizeof(path), "out/%zu%s", i, end);
	return bundle_find(&p->run.harvest.changed, path, strlen(path));
}

static int
check_shape(struct preview_copy *c, struct err *e)
{
	if (shape_read(&c->shape, c->bytes.data, c->bytes.len, e) < 0)
		return -1;
	if (c->shape.width > PREVIEW_SIDE || c->shape.height > PREVIEW_SIDE)
		return err_set(e, ERR_REFUSED, "it is wider or higher");
	return 0;
}

static int
take(const struct preview *p, size_t i, struct preview_copy *c, struct err *e)
{
	const struct bundle_file *made = come_out(p, i, ""), *why;
	char word[REASON_MOST + 1] = "";
	struct err odd = {0};

	if (!made) {
		why = come_out(p, i, ".why");
		if (why && why->bytes.len <= REASON_MOST && why->bytes.len)
			memcpy(word, why->bytes.data, why->bytes.len);
		return err_set(e, ERR_INPUT, "%s", reason(word));
	}
	if (!made->bytes.len || made->bytes.len > PREVIEW_BYTES)
		return err_set(e, ERR_INPUT,
		    "its copy can't be used: it has %zu bytes",
		    made->bytes.len);
	buf_add(&c->bytes, made->bytes.data, made->bytes.len);
	if (check_shape(c, &odd) < 0)
		return err_set(e, ERR_INPUT, "its copy can't be used: %s",
		    odd.text);
	return 0;
}

static void
take_all(struct preview *p)
{
	for (size_t i = 0; i < p->count; i++) {
		struct preview_copy *c = &p->copies[i];

		if (take(p, i, c, &c->why) == 0)
			continue;
		buf_release(&c->bytes);
		c->shape = (struct shape){0};
	}
}

static void
on_ended(void *ctx, const struct err *why)
{
	struct preview *p = ctx;
	struct err odd = {0};

	if (!why && p->run.status != 0) {
		err_set(&odd, ERR_INTERNAL, "share/sandbox/preview.py failed");
		why = &odd;
	}
	if (!why)
		take_all(p);
	p->ended(p->ctx, why);
}

/* What is to be done, then the script that does it. */
static int
write_code(struct preview *p, struct err *e)
{
	const size_t each = BUNDLE_BYTES_MOST / p->count;
	char path[PATH_MAX];

	buf_str(&p->code, "TIMES = ");
	for (size_t i = 0; i < p->count && p->of_video; i++)
		buf_fmt(&p->code, "%s%" PRId64, i ? ", " : "[", p->at_ms[i]);
	buf_str(&p->code, p->of_video ? "]" : "None");
	buf_fmt(&p->code, "; COUNT = %zu; SIDE = %d; BYTES = %zu; ", p->count,
	    PREVIEW_SIDE, each < PREVIEW_BYTES ? each : PREVIEW_BYTES);
	buf_fmt(&p->code, "UNTIL = %d; ONE = %d\n", PREVIEW_TIME_S,
	    PREVIEW_ONE_S);
	p->code.limit = p->code.len + SCRIPT_MOST;
	if (home_share_path(path, "sandbox/preview.py", e) < 0)
		return -1;
	return file_read(&p->code, path, e);
}

int
preview_start(struct preview *p, struct poll *poll, struct err *e)
{
	if (!p->count)
		return err_set(e, ERR_INPUT, "no pictures were given");
	buf_clear(&p->code);
	if (write_code(p, e) < 0)
		return -1;
	p->run = (struct run){.engine = p->engine,
	    .image = p->image,
	    .language = 'p',
	    .code = p->code.data,
	    .len = p->code.len,
	    .files = &p->files,
	    .time_s = PREVIEW_TIME_S + PREVIEW_ONE_S,
	    .limits = &limits,
	    .ended = on_ended,
	    .ctx = p};
	return run_start(&p->run, poll, e);
}

int
preview_stage(const struct preview *p, struct content_stage *staged,
    struct err *e)
{
	for (size_t i = 0; i < p->count; i++) {
		const struct preview_copy *c = &p->copies[i];

		if (!c->why.kind &&
		    content_stage(staged, c->bytes.data, c->bytes.len, e) < 0)
			return -1;
	}
	return 0;
}

void
preview_cancel(struct preview *p)
{
	run_cancel(&p->run);
}

void
preview_release(struct preview *p)
{
	const struct preview clean = {.engine = p->engine,
	    .image = p->image,
	    .ended = p->ended,
	    .ctx = p->ctx};

	run_release(&p->run);
	bundle_release(&p->files);
	buf_release(&p->code);
	for (size_t i = 0; i < PREVIEW_MOST; i++)
		buf_release(&p->copies[i].bytes);
	*p = clean;
}
