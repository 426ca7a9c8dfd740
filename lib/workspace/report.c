#include "workspace/report.h"

#include <inttypes.h>

#include "ext/jsonw.h"
#include "record/result.h"
#include "store/artifact.h"
#include "tool/serve.h"
#include "workspace/attic.h"
#include "workspace/run.h"

enum { NAMED = 5 /* of files and artifacts, in a summary */ };

static void
add_name(struct buf *b, size_t n, const char *name)
{
	if (n < NAMED)
		buf_fmt(b, "%s%s", n ? ", " : "", name);
	else if (n == NAMED)
		buf_str(b, ", ...");
}

void
report_artifact(struct report *r, const struct artifact *a)
{
	struct buf name = {0};

	if (!r->count)
		jsonw_array(&r->artifacts, NULL);
	artifact_describe(&r->artifacts, NULL, a);
	buf_fmt(&name, "%s (version %" PRId64 ")", a->filename, a->version);
	add_name(&r->names, r->count++, buf_text(&name));
	buf_release(&name);
}

void
report_attic(struct report *r, const struct attic *attic)
{
	for (size_t i = 0; i < attic->count; i++) {
		struct artifact a;

		attic_artifact(&a, &attic->items[i]);
		report_artifact(r, &a);
	}
}

static void
write_files(struct buf *b, const struct run *r)
{
	jsonw_array(b, "files");
	for (size_t i = 0; i < r->harvest.changed.count; i++) {
		const struct bundle_file *f = &r->harvest.changed.files[i];

		jsonw_object(b, NULL);
		jsonw_str(b, "path", f->path);
		jsonw_int(b, "size", (int64_t)f->bytes.len);
		jsonw_end_object(b);
	}
	jsonw_end_array(b);
	jsonw_array(b, "removed");
	for (size_t i = 0; i < r->files->count; i++)
		if (harvest_gone(&r->harvest, i))
			jsonw_str(b, NULL, r->files->files[i].path);
	jsonw_end_array(b);
}

/* Whether it is all of it. */
static bool
write_printed(struct buf *b, const char *key, const struct excerpt *x,
    size_t most)
{
	bool all;

	jsonw_object(b, key);
	all = excerpt_write(b, "text", x, most);
	jsonw_int(b, "bytes", (int64_t)x->bytes);
	jsonw_bool(b, "cut", !all);
	jsonw_end_object(b);
	return all;
}

/* What is longer than is shown: more of it, as far as that is kept. */
static void
write_more(struct buf *b, const struct report *r, bool out, bool error)
{
	if (!out && !error)
		return;
	jsonw_object(b, NULL);
	if (out)
		excerpt_write(b, "stdout", &r->out, REPORT_MORE_OUT);
	if (error)
		excerpt_write(b, "stderr", &r->error, REPORT_MORE_ERROR);
	jsonw_end_object(b);
}

static void
sum_up_files(struct buf *b, const struct run *r)
{
	size_t n = 0;

	for (size_t i = 0; i < r->harvest.changed.count; i++) {
		if (i == 0)
			buf_str(b, " Files changed: ");
		add_name(b, i, r->harvest.changed.files[i].path);
	}
	buf_str(b, r->harvest.changed.count ? "." : "");
	for (size_t i = 0; i < r->files->count; i++) {
		if (!harvest_gone(&r->harvest, i))
			continue;
		if (n == 0)
			buf_str(b, " Removed: ");
		add_name(b, n++, r->files->files[i].path);
	}
	buf_str(b, n ? "." : "");
}

static void
sum_up(struct buf *b, const struct report *r, bool cut)
{
	if (r->why)
		buf_fmt(b, "Stopped: %s. The files are as they were before.",
		    r->why->text);
	else
		buf_fmt(b, "The code ended with exit code %d.", r->run->status);
	if (!r->why)
		sum_up_files(b, r->run);
	if (r->count)
		buf_fmt(b, " Handed over: %s.", buf_text(&r->names));
	if (cut)
		buf_str(b, " What it printed is cut.");
	if (cut && r->call)
		buf_fmt(b,
		    " query_json with call %s reads more of it, at "
		    ".more.stdout and .more.stderr.",
		    r->call);
}

void
report_answer(struct report *r, struct answer_parts *a)
{
	bool out, error;

	jsonw_object(&a->data, NULL);
	if (r->why)
		jsonw_str(&a->data, "stopped", r->why->text);
	if (r->run->how == RUN_EXITED)
		jsonw_int(&a->data, "exit", r->run->status);
	out = write_printed(&a->data, "stdout", &r->out, REPORT_OUT);
	error = write_printed(&a->data, "stderr", &r->error, REPORT_ERROR);
	if (!r->why)
		write_files(&a->data, r->run);
	jsonw_end_object(&a->data);
	write_more(&a->more, r, !out, !error);
	if (r->count) {
		buf_add(&a->artifacts, r->artifacts.data, r->artifacts.len);
		jsonw_end_array(&a->artifacts);
	}
	sum_up(&a->summary, r, a->more.len > 0);
	a->partly = r->why != NULL;
}

void
report_write(struct buf *b, struct report *r)
{
	struct answer_parts a = {0};
	struct result x = {.ok = !r->why};

	report_answer(r, &a);
	x.summary = buf_text(&a.summary);
	x.data.text = buf_text(&a.data);
	x.artifacts.text = a.artifacts.len ? buf_text(&a.artifacts) : NULL;
	x.more.text = a.more.len ? buf_text(&a.more) : NULL;
	result_write(b, &x);
	buf_release(&a.summary);
	buf_release(&a.data);
	buf_release(&a.artifacts);
	buf_release(&a.more);
}

void
report_text(struct buf *b, const struct run *r, const struct attic *a,
    const char *out)
{
	if (r->status)
		buf_fmt(b, "exit code %d\n", r->status);
	if (r->out_bytes > RUN_PRINT_MOST || r->err_bytes > RUN_PRINT_MOST)
		buf_str(b, "what it printed was cut after 1 MiB\n");
	for (size_t i = 0; i < r->harvest.changed.count; i++) {
		const struct bundle_file *f = &r->harvest.changed.files[i];

		buf_fmt(b, "changed   %s (%zu bytes)\n", f->path, f->bytes.len);
	}
	for (size_t i = 0; i < r->files->count; i++)
		if (harvest_gone(&r->harvest, i))
			buf_fmt(b, "removed   %s\n", r->files->files[i].path);
	for (size_t i = 0; i < a->count; i++)
		buf_fmt(b, "attached  %s, version %d (%s, %zu bytes)\n",
		    a->items[i].filename, a->items[i].version,
		    a->items[i].media, a->items[i].bytes.len);
	if (!out && (r->harvest.changed.count || a->count))
		buf_str(b, "none of it is kept: --out names no folder\n");
}

void
report_release(struct report *r)
{
	excerpt_release(&r->out);
	excerpt_release(&r->error);
	buf_release(&r->artifacts);
	buf_release(&r->names);
}
