#include "record/exhibit.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/err.h"
#include "core/mem.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "record/field.h"

static const char *const kinds[] = {
    [EXHIBIT_IMAGE] = "image",
    [EXHIBIT_FRAME] = "frame",
    [EXHIBIT_AUDIO] = "audio",
    NULL,
};

static bool
is_blob(const char *text)
{
	return strlen(text) == EXHIBIT_BLOB_LEN &&
	       strspn(text, "0123456789abcdef") == EXHIBIT_BLOB_LEN;
}

/* A content or an address, not both, and such a one. */
static int
check(const struct exhibit *x, struct err *e)
{
	if (!x->blob == !x->url)
		return err_set(e, ERR_INPUT,
		    "media: either a blob or a url, not both");
	if (x->blob && !is_blob(x->blob))
		return err_set(e, ERR_INPUT, "media: blob is no SHA-256");
	if (x->url && strncmp(x->url, "https://", 8) != 0)
		return err_set(e, ERR_INPUT, "media: the url is not https");
	if (x->at_ms < 0)
		return err_set(e, ERR_INPUT, "media: at_ms is before 0");
	return 0;
}

int
exhibit_read(struct exhibit *x, const struct json *v, struct err *e)
{
	struct field f = {.in = v, .record = "media", .e = e};

	*x = (struct exhibit){0};
	x->kind = (enum exhibit_kind)field_word(&f, "kind", kinds);
	x->type = field_str(&f, "type");
	x->name = field_str(&f, "name");
	x->blob = field_str_opt(&f, "blob");
	x->url = field_str_opt(&f, "url");
	x->at_ms = field_int_opt(&f, "at_ms", 0);
	return field_end(&f) < 0 ? -1 : check(x, e);
}

void
exhibit_write(struct buf *b, const struct exhibit *x)
{
	jsonw_object(b, NULL);
	jsonw_str(b, "kind", kinds[x->kind]);
	jsonw_str(b, "type", x->type);
	jsonw_str(b, "name", x->name);
	jsonw_opt(b, "blob", x->blob);
	jsonw_opt(b, "url", x->url);
	if (x->kind == EXHIBIT_FRAME)
		jsonw_int(b, "at_ms", x->at_ms);
	jsonw_end_object(b);
}

int
exhibits_read(struct exhibit **list, size_t *count, const struct json *array,
    struct err *e)
{
	size_t most = json_count(array);

	*list = NULL;
	*count = 0;
	if (!most)
		return 0;
	if (most > EXHIBITS_MAX)
		return err_set(e, ERR_INPUT, "media: %zu of them", most);
	*list = mem_array(most, sizeof(**list));
	for (const struct json *v = json_first(array); v; v = json_next(v))
		if (exhibit_read(&(*list)[(*count)++], v, e) < 0) {
			free(*list);
			*list = NULL;
			*count = 0;
			return -1;
		}
	return 0;
}

void
exhibits_write(struct buf *b, const struct exhibit *list, size_t count)
{
	if (!count)
		return;
	jsonw_array(b, "media");
	for (size_t i = 0; i < count; i++)
		exhibit_write(b, &list[i]);
	jsonw_end_array(b);
}
