#include "record/result.h"

#include <stddef.h>
#include <stdlib.h>

#include "core/err.h"
#include "ext/jsonw.h"
#include "record/exhibit.h"
#include "record/field.h"

/* A tool shows what we keep: it names no address to fetch. */
static int
check_media(const struct json *array, struct err *e)
{
	struct exhibit *list;
	size_t count;
	int result = 0;

	if (exhibits_read(&list, &count, array, e) < 0)
		return err_in(e, "result");
	for (size_t i = 0; i < count && result == 0; i++)
		if (!list[i].blob)
			result = err_set(e, ERR_INPUT,
			    "result: media: a url, where only blobs go");
	free(list);
	return result;
}

int
result_read(struct result *r, const struct json *root, struct err *e)
{
	struct field f;

	*r = (struct result){0};
	field_start(&f, root, "result", e);
	r->id = field_str_opt(&f, "id");
	r->ok = field_bool(&f, "ok");
	r->summary = field_str(&f, "summary");
	r->data.tree = field_any_opt(&f, "data");
	r->sources.tree = field_array_opt(&f, "sources");
	r->cursor = field_str_opt(&f, "cursor");
	r->coverage.tree = field_object_opt(&f, "coverage");
	r->reveal.tree = field_array_opt(&f, "reveal");
	r->artifacts.tree = field_array_opt(&f, "artifacts");
	r->media.tree = field_array_opt(&f, "media");
	r->more.tree = field_object_opt(&f, "more");
	return field_end(&f) < 0 ? -1 : check_media(r->media.tree, e);
}

void
result_write(struct buf *b, const struct result *r)
{
	jsonw_object(b, NULL);
	jsonw_str(b, "type", "result");
	jsonw_opt(b, "id", r->id);
	jsonw_bool(b, "ok", r->ok);
	jsonw_str(b, "summary", r->summary);
	value_write(b, "data", &r->data);
	value_write(b, "sources", &r->sources);
	jsonw_opt(b, "cursor", r->cursor);
	value_write(b, "coverage", &r->coverage);
	value_write(b, "reveal", &r->reveal);
	value_write(b, "artifacts", &r->artifacts);
	value_write(b, "media", &r->media);
	value_write(b, "more", &r->more);
	jsonw_line(b);
}
