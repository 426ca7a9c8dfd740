#include "runtime/citations.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/buf.h"
#include "core/mem.h"
#include "ext/json.h"
#include "ext/jsonw.h"

struct citation {
	char *url;
	char *source; /* JSON, without the text */
	bool gone;
};

static const char message_link[] = "https://discord.com/channels/";

static struct citation *
find(const struct citations *c, const char *url, size_t len)
{
	for (size_t i = 0; i < c->count; i++)
		if (strlen(c->list[i].url) == len &&
		    strncmp(c->list[i].url, url, len) == 0)
			return &c->list[i];
	return NULL;
}

void
citations_drop(struct citations *c, const char *url)
{
	struct citation *one = find(c, url, strlen(url));

	if (!one) {
		c->list = mem_resize(c->list, c->count + 1, sizeof(*c->list));
		one = &c->list[c->count++];
		*one = (struct citation){.url = mem_dup(url)};
	}
	one->gone = true;
}

/* Without its text; a newer revision takes the place of one before. */
static void
add(struct citations *c, const struct json *source)
{
	const char *url = json_string(source, "url");
	const char *revision = json_string(source, "revision");
	struct citation *one = url ? find(c, url, strlen(url)) : NULL;
	struct buf b = {0};

	if (!url || (one && one->gone))
		return;
	if (json_bool(source, "gone", false)) {
		citations_drop(c, url);
		return;
	}
	if (one && (!revision || strstr(one->source, revision)))
		return;
	jsonw_object(&b, NULL);
	for (const struct json *m = json_first(source); m; m = json_next(m))
		if (strcmp(json_key(m), "text") != 0)
			jsonw_value(&b, json_key(m), m);
	jsonw_end_object(&b);
	if (!one) {
		c->list = mem_resize(c->list, c->count + 1, sizeof(*c->list));
		one = &c->list[c->count++];
		*one = (struct citation){.url = mem_dup(url)};
	}
	free(one->source);
	one->source = buf_take(&b);
}

void
citations_add(struct citations *c, const struct json *sources)
{
	for (const struct json *s = json_first(sources); s; s = json_next(s))
		add(c, s);
}

/* The next link in text, and how long it is; NULL if there is none. */
static const char *
next_link(const char *text, size_t *len)
{
	const char *at = strstr(text, message_link);

	if (at)
		*len = strlen(message_link) +
		       strspn(at + strlen(message_link), "0123456789/@me");
	return at;
}

/* The place of a source's first mention in the text, or NULL. */
static const char *
mention(const struct citation *c, const char *text)
{
	size_t len = strlen(c->url);
	const char *at = text;

	while ((at = strstr(at, c->url)) != NULL) {
		if (at[len] < '0' || at[len] > '9')
			return at;
		at += len;
	}
	return NULL;
}

/* The source first mentioned after `from`, but for that one itself. */
static const struct citation *
next_mentioned(const struct citations *c, const char *text, const char *from,
    const char **at)
{
	const struct citation *next = NULL;

	*at = NULL;
	for (size_t i = 0; i < c->count; i++) {
		const char *here = c->list[i].gone ? NULL
						   : mention(&c->list[i], text);

		if (here && (!from || here > from) && (!*at || here < *at)) {
			*at = here;
			next = &c->list[i];
		}
	}
	return next;
}

void
citations_write(struct buf *b, const struct citations *c, const char *text)
{
	const struct citation *one;
	const char *from = NULL;

	jsonw_array(b, NULL);
	while ((one = next_mentioned(c, text, from, &from)) != NULL)
		jsonw_raw(b, NULL, one->source, strlen(one->source));
	jsonw_end_array(b);
}

size_t
citations_unseen(const struct citations *c, const char *text, struct buf *b)
{
	size_t len = 0, found = 0;

	while ((text = next_link(text, &len)) != NULL) {
		const struct citation *one = find(c, text, len);

		if (!one || one->gone) {
			buf_add(b, text, len);
			buf_char(b, '\n');
			found++;
		}
		text += len;
	}
	return found;
}

size_t
citations_gone(const struct citations *c, const char *text, struct buf *b)
{
	size_t found = 0;

	for (size_t i = 0; i < c->count; i++)
		if (c->list[i].gone && mention(&c->list[i], text)) {
			buf_str(b, c->list[i].url);
			buf_char(b, '\n');
			found++;
		}
	return found;
}

void
citations_release(struct citations *c)
{
	for (size_t i = 0; i < c->count; i++) {
		free(c->list[i].url);
		free(c->list[i].source);
	}
	free(c->list);
	*c = (struct citations){0};
}
