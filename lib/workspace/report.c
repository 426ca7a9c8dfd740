#include "workspace/report.h"

#include "core/buf.h"
#include "ext/jsonw.h"
#include "record/result.h"
#include "workspace/attic.h"
#include "workspace/run.h"

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

static void
write_printed(struct buf *b, const char *key, const struct buf *text,
    uint64_t all)
{
	jsonw_object(b, key);
	jsonw_strn(b, "text", buf_text(text), text->len);
	jsonw_int(b, "bytes", (int64_t)all);
	jsonw_bool(b, "cut", all > text->len);
	jsonw_end_object(b);
}

void
report_write(struct buf *b, const struct run *r, const struct attic *a,
    const struct buf *out, const struct buf *error)
{
	struct buf data = {0}, words = {0};
	struct result x = {.ok = r->status == 0};

	jsonw_object(&data, NULL);
	jsonw_int(&data, "exit", r->status);
	write_printed(&data, "stdout", out, r->out_bytes);
	write_printed(&data, "stderr", error, r->err_bytes);
	write_files(&data, r);
	jsonw_array(&data, "attachments");
	for (size_t i = 0; i < a->count; i++)
		attic_describe(&data, NULL, &a->items[i]);
	jsonw_end_array(&data);
	jsonw_end_object(&data);
	buf_fmt(&words, "exit code %d, %zu files changed, %zu attached",
	    r->status, r->harvest.changed.count, a->count);
	x.summary = buf_text(&words);
	x.data = (struct value){.text = buf_text(&data)};
	result_write(b, &x);
	buf_release(&data);
	buf_release(&words);
}

void
report_text(struct buf *b, const struct run *r, const struct attic *a)
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
		    a->items[i].filename, a->items[i].version, a->items[i].type,
		    a->items[i].bytes.len);
}
