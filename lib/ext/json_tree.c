/* The tree of ext/json.h: its memory, and looking at it. json.c reads one. */
#include "ext/json_tree.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"

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

void
json_doc_empty(struct json_doc *d, bool keep)
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

const char *
json_doc_text(struct json_doc *d, const unsigned char *text, size_t len)
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
