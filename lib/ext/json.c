#include "ext/json.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <yajl/yajl_parse.h>

#include "core/buf.h"
#include "core/err.h"
#include "core/mem.h"
#include "ext/json_tree.h"

/* What a parse in progress knows: where the next value is to be hung. */
struct reader {
	struct json_doc *doc;
	struct json *open[JSON_DEPTH]; /* the containers we are inside */
	struct json **tail[JSON_DEPTH];
	const char *key;
	int depth;
	bool deep; /* it was nested too deeply */
};

static struct json *
hang(struct reader *r, enum json_kind kind)
{
	struct json *v = &r->doc->root;

	if (r->depth) {
		v = json_doc_new(r->doc, sizeof(*v));
		*v = (struct json){.key = r->key};
		*r->tail[r->depth - 1] = v;
		r->tail[r->depth - 1] = &v->next;
		r->open[r->depth - 1]->count++;
		r->key = NULL;
	}
	v->kind = kind;
	return v;
}

static int
open_container(struct reader *r, enum json_kind kind)
{
	struct json *v;

	if (r->depth == JSON_DEPTH) {
		r->deep = true;
		return 0;
	}
	v = hang(r, kind);
	r->open[r->depth] = v;
	r->tail[r->depth++] = &v->u.first;
	return 1;
}

static int
on_null(void *ctx)
{
	hang(ctx, JSON_NULL);
	return 1;
}

static int
on_bool(void *ctx, int value)
{
	hang(ctx, JSON_BOOL)->count = value ? 1 : 0;
	return 1;
}

static int
on_number(void *ctx, const char *text, size_t len)
{
	struct reader *r = ctx;
	struct json *v = hang(r, JSON_NUMBER);

	v->u.text = json_doc_text(r->doc, (const unsigned char *)text, len);
	return 1;
}

static int
on_string(void *ctx, const unsigned char *text, size_t len)
{
	struct reader *r = ctx;
	struct json *v = hang(r, JSON_STRING);

	v->u.text = json_doc_text(r->doc, text, len);
	return 1;
}

static int
on_key(void *ctx, const unsigned char *text, size_t len)
{
	struct reader *r = ctx;

	r->key = json_doc_text(r->doc, text, len);
	return 1;
}

static int
on_object(void *ctx)
{
	return open_container(ctx, JSON_OBJECT);
}

static int
on_array(void *ctx)
{
	return open_container(ctx, JSON_ARRAY);
}

static int
on_close(void *ctx)
{
	struct reader *r = ctx;

	r->depth--;
	return 1;
}

static const yajl_callbacks callbacks = {
    .yajl_null = on_null,
    .yajl_boolean = on_bool,
    .yajl_number = on_number,
    .yajl_string = on_string,
    .yajl_map_key = on_key,
    .yajl_start_map = on_object,
    .yajl_end_map = on_close,
    .yajl_start_array = on_array,
    .yajl_end_array = on_close,
};

/* The four hex digits at p as a number, or -1. */
static int
hex4(const char *p, const char *end)
{
	int n = 0;

	if (end - p < 4)
		return -1;
	for (int i = 0; i < 4; i++) {
		unsigned char c = (unsigned char)p[i];

		if (!isxdigit(c))
			return -1;
		n = n * 16 + (isdigit(c) ? c - '0' : (c | 32) - 'a' + 10);
	}
	return n;
}

/* How long the escape at p is, and whether it is half a surrogate pair. */
static size_t
escape_len(const char *p, const char *end, bool *lone)
{
	int n, low;

	*lone = false;
	if (end - p < 2 || p[1] != 'u')
		return 2;
	n = hex4(p + 2, end);
	if (n < 0xD800 || n > 0xDFFF)
		return 6;
	if (n < 0xDC00 && end - p >= 8 && p[6] == '\\' && p[7] == 'u') {
		low = hex4(p + 8, end);
		if (low >= 0xDC00 && low <= 0xDFFF)
			return 12;
	}
	*lone = true;
	return 6;
}

/*
 * yajl makes '?' or broken UTF-8 of a surrogate without its other half, so
 * write \ufffd over each one first. False, and nothing copied, if none is
 * there.
 */
static bool
mend_surrogates(struct buf *copy, const char *text, size_t len)
{
	const char *end = text + len, *p = text;

	while (p < end && (p = memchr(p, '\\', (size_t)(end - p))) != NULL) {
		bool lone;
		size_t n = escape_len(p, end, &lone);

		if (lone) {
			if (!copy->data)
				buf_add(copy, text, len);
			for (int i = 0; i < 6; i++)
				copy->data[(p - text) + i] = "\\ufffd"[i];
		}
		p = (size_t)(end - p) > n ? p + n : end;
	}
	return copy->data != NULL;
}

/* Say why yajl stopped, on one line. */
static int
explain(yajl_handle y, const struct reader *r, struct err *e)
{
	unsigned char *why;

	if (r->deep)
		return err_set(e, ERR_INPUT,
		    "bad JSON: nested deeper than %d levels", JSON_DEPTH);
	why = yajl_get_error(y, 0, NULL, 0);
	err_set(e, ERR_INPUT, "bad JSON at byte %zu: %.*s",
	    yajl_get_bytes_consumed(y), (int)strcspn((char *)why, "\n"), why);
	yajl_free_error(y, why);
	return -1;
}

static int
parse(struct reader *r, const char *text, size_t len, struct err *e)
{
	yajl_handle y = yajl_alloc(&callbacks, NULL, r);
	int result = 0;

	if (!y)
		return err_set(e, ERR_INTERNAL, "no memory for a parser");
	if (yajl_parse(y, (const unsigned char *)text, len) != yajl_status_ok ||
	    yajl_complete_parse(y) != yajl_status_ok)
		result = explain(y, r, e);
	yajl_free(y);
	return result;
}

static bool
blank(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!strchr(" \t\r\n", text[i]))
			return false;
	return true;
}

/* With yajl: it reads what json_fast() does not, or says what is wrong. */
static int
read_any(struct json_doc *d, const char *text, size_t len, struct err *e)
{
	struct reader r = {.doc = d};
	struct buf mended = {0};
	int result;

	if (mend_surrogates(&mended, text, len))
		text = mended.data;
	result = blank(text, len) ? err_set(e, ERR_INPUT, "empty line")
				  : parse(&r, text, len, e);
	buf_release(&mended);
	return result;
}

/* Into an empty document. */
static int
read_doc(struct json_doc *d, const char *text, size_t len, struct err *e)
{
	if (len > INT_MAX)
		return err_set(e, ERR_INPUT,
		    "JSON text of %zu bytes is too long", len);
	if (json_fast(d, text, len) == 0)
		return 0;
	json_doc_empty(d, true);
	return read_any(d, text, len, e);
}

int
json_read(struct json **root, const char *text, size_t len, struct err *e)
{
	struct json_doc *d = mem_new(sizeof(*d));
	int result = read_doc(d, text, len, e);

	*root = &d->root;
	if (result < 0) {
		json_free(&d->root);
		*root = NULL;
	}
	return result;
}

struct json_reader {
	struct json_doc doc;
};

struct json_reader *
json_reader_open(void)
{
	return mem_new(sizeof(struct json_reader));
}

void
json_reader_close(struct json_reader *r)
{
	if (r)
		json_free(&r->doc.root);
}

int
json_reader_object(struct json_reader *r, const struct json **root,
    const char *text, size_t len, struct err *e)
{
	*root = NULL;
	json_doc_empty(&r->doc, true);
	if (read_doc(&r->doc, text, len, e) < 0)
		return -1;
	if (r->doc.root.kind != JSON_OBJECT)
		return err_set(e, ERR_INPUT, "not a JSON object");
	*root = &r->doc.root;
	return 0;
}

int
json_object(struct json **root, const char *text, size_t len, struct err *e)
{
	if (json_read(root, text, len, e) < 0)
		return -1;
	if ((*root)->kind == JSON_OBJECT)
		return 0;
	json_free(*root);
	*root = NULL;
	return err_set(e, ERR_INPUT, "not a JSON object");
}

bool
json_is_object(const char *text, size_t len)
{
	struct json *root = NULL;
	struct err ignored = {0};
	bool is = json_object(&root, text, len, &ignored) == 0;

	json_free(root);
	return is;
}

void
json_free(struct json *root)
{
	struct json_doc *d = (struct json_doc *)root;

	if (!d)
		return;
	json_doc_empty(d, false);
	free(d);
}
