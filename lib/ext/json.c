#include "ext/json.h"

#include <ctype.h>
#include <errno.h>
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

void *
json_doc_new(struct json_doc *d, size_t size)
{
	void *p;

	size = (size + 7) & ~(size_t)7;
	if (size > d->left) {
		size_t room = size > JSON_CHUNK ? size : JSON_CHUNK;
		struct json_chunk *c = mem_resize(NULL, sizeof(*c) + room, 1);

		c->older = d->chunks;
		c->size = room;
		d->chunks = c;
		d->at = c->bytes;
		d->left = room;
	}
	p = d->at;
	d->at += size;
	d->left -= size;
	return p;
}

/* Give memory back, but with keep one small chunk, for the next tree. */
static void
doc_empty(struct json_doc *d, bool keep)
{
	while (d->chunks &&
	       (!keep || d->chunks->older || d->chunks->size > JSON_CHUNK)) {
		struct json_chunk *c = d->chunks;

		d->chunks = c->older;
		free(c);
	}
	d->root = (struct json){0};
	d->at = d->chunks ? d->chunks->bytes : NULL;
	d->left = d->chunks ? d->chunks->size : 0;
}

/* Copy text, NUL-terminated, each NUL inside it replaced by U+FFFD. */
static const char *
arena_text(struct json_doc *d, const unsigned char *text, size_t len)
{
	size_t nuls = 0, n = 0;
	char *p;

	if (memchr(text, '\0', len))
		for (size_t i = 0; i < len; i++)
			nuls += text[i] == '\0';
	p = json_doc_new(d, len + 2 * nuls + 1);
	if (!nuls) {
		memcpy(p, text, len);
		p[len] = '\0';
		return p;
	}
	for (size_t i = 0; i < len; i++) {
		if (text[i]) {
			p[n++] = (char)text[i];
		} else {
			memcpy(p + n, "\xef\xbf\xbd", 3);
			n += 3;
		}
	}
	p[n] = '\0';
	return p;
}

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

	v->u.text = arena_text(r->doc, (const unsigned char *)text, len);
	return 1;
}

static int
on_string(void *ctx, const unsigned char *text, size_t len)
{
	struct reader *r = ctx;
	struct json *v = hang(r, JSON_STRING);

	v->u.text = arena_text(r->doc, text, len);
	return 1;
}

static int
on_key(void *ctx, const unsigned char *text, size_t len)
{
	struct reader *r = ctx;

	r->key = arena_text(r->doc, text, len);
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
 * write \ufffd over each one first. False, and nothing copied, if none is there.
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
	doc_empty(d, true);
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
	doc_empty(&r->doc, true);
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
	doc_empty(d, false);
	free(d);
}

enum json_kind
json_kind(const struct json *v)
{
	return v ? v->kind : JSON_NONE;
}

const struct json *
json_get(const struct json *object, const char *key)
{
	const struct json *found = NULL;

	if (json_kind(object) != JSON_OBJECT)
		return NULL;
	for (const struct json *v = object->u.first; v; v = v->next)
		if (v->key[0] == key[0] && strcmp(v->key, key) == 0)
			found = v;
	return found;
}

void
json_pick(const struct json *object, const char *const keys[],
    const struct json *found[], size_t count)
{
	size_t at = count - 1;

	for (size_t i = 0; i < count; i++)
		found[i] = NULL;
	if (json_kind(object) != JSON_OBJECT)
		return;
	for (const struct json *v = object->u.first; v; v = v->next)
		for (size_t i = 0; i < count; i++) {
			at = at + 1 < count ? at + 1 : 0;
			if (v->key[0] == keys[at][0] &&
			    strcmp(v->key, keys[at]) == 0) {
				found[at] = v;
				break;
			}
		}
}

const struct json *
json_first(const struct json *v)
{
	return json_kind(v) >= JSON_ARRAY ? v->u.first : NULL;
}

const struct json *
json_next(const struct json *v)
{
	return v ? v->next : NULL;
}

const char *
json_key(const struct json *member)
{
	return member ? member->key : NULL;
}

size_t
json_count(const struct json *v)
{
	return json_kind(v) >= JSON_ARRAY ? v->count : 0;
}

const char *
json_text(const struct json *v)
{
	enum json_kind kind = json_kind(v);

	return kind == JSON_STRING || kind == JSON_NUMBER ? v->u.text : NULL;
}

bool
json_true(const struct json *v)
{
	return json_kind(v) == JSON_BOOL && v->count;
}

int
json_whole(const struct json *v, int64_t *n)
{
	const char *text = json_text(v);
	char *end;
	long long value;

	if (!text || !(isdigit((unsigned char)*text) || *text == '-'))
		return -1;
	errno = 0;
	value = strtoll(text, &end, 10);
	if (errno || *end || end == text)
		return -1;
	*n = value;
	return 0;
}

const char *
json_string(const struct json *object, const char *key)
{
	const struct json *v = json_get(object, key);

	return json_kind(v) == JSON_STRING ? v->u.text : NULL;
}

int64_t
json_int(const struct json *object, const char *key, int64_t other)
{
	int64_t n;

	return json_whole(json_get(object, key), &n) < 0 ? other : n;
}

bool
json_bool(const struct json *object, const char *key, bool other)
{
	const struct json *v = json_get(object, key);

	return json_kind(v) == JSON_BOOL ? v->count != 0 : other;
}
