#include "tool/ranking.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/buf.h"
#include "core/err.h"
#include "core/mem.h"
#include "ext/text.h"
#include "tool/toolset.h"

enum { NAME_COUNTS = 3, WEIGHT = 1000, QUERY_WORDS = 64 };

struct candidate {
	const struct manifest *tool;
	struct buf name, text; /* tokens, a space on both sides of each */
	int score;
};

struct ranking {
	struct text *text;
	struct candidate *tools;
	size_t count;
};

/* Tokens of a text in the form that has() looks through. */
static int
tokens(struct ranking *k, struct buf *to, const char *text, struct err *e)
{
	int n;

	buf_char(to, ' ');
	n = text_tokens(k->text, to, text, strlen(text), "en", e);
	buf_char(to, ' ');
	return n;
}

/* A name's words are joined by '_', which would make one token of them. */
static int
name_tokens(struct ranking *k, struct buf *to, const char *name, struct err *e)
{
	char *words = mem_dup(name);
	int n;

	for (char *p = words; (p = strchr(p, '_')) != NULL;)
		*p = ' ';
	n = tokens(k, to, words, e);
	free(words);
	return n;
}

static bool
has(const struct buf *tokens_of, const char *token)
{
	return strstr(buf_text(tokens_of), token) != NULL;
}

/* Add what a token, with spaces around it, is worth to each tool. */
static void
count_token(struct ranking *k, const char *token)
{
	int with = 0;

	for (size_t i = 0; i < k->count; i++)
		with += has(&k->tools[i].name, token) ||
			has(&k->tools[i].text, token);
	for (size_t i = 0; with && i < k->count; i++) {
		struct candidate *t = &k->tools[i];
		int weight = (int)(k->count * WEIGHT) / with;

		if (has(&t->name, token))
			t->score += NAME_COUNTS * weight;
		if (has(&t->text, token))
			t->score += weight;
	}
}

static int
count_query(struct ranking *k, const char *query, struct err *e)
{
	struct buf words = {0}, token = {0};
	const char *p;
	int n = text_query(k->text, &words, query, strlen(query), "en", e);

	p = buf_text(&words);
	for (int i = 0; i < n && i < QUERY_WORDS; i++) {
		size_t len = strcspn(p, " ");

		buf_clear(&token);
		buf_fmt(&token, " %.*s ", (int)len, p);
		count_token(k, buf_text(&token));
		p += len + (p[len] == ' ');
	}
	buf_release(&words);
	buf_release(&token);
	return n < 0 ? -1 : 0;
}

static int
by_score(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;

	if (x->score != y->score)
		return x->score < y->score ? 1 : -1;
	return strcmp(x->tool->name, y->tool->name);
}

static int
read_tools(struct ranking *k, const struct toolset *tools, struct err *e)
{
	k->count = tools->count;
	k->tools = mem_array(k->count + 1, sizeof(*k->tools));
	for (size_t i = 0; i < k->count; i++) {
		struct candidate *t = &k->tools[i];

		t->tool = &tools->tools[i];
		if (name_tokens(k, &t->name, t->tool->name, e) < 0 ||
		    tokens(k, &t->text, t->tool->description, e) < 0)
			return -1;
	}
	return 0;
}

int
ranking_tools(const struct manifest **best, size_t limit,
    const struct toolset *tools, const char *query, struct err *e)
{
	struct ranking k = {.text = text_open()};
	int found = -1;

	if (read_tools(&k, tools, e) < 0 || count_query(&k, query, e) < 0)
		goto out;
	qsort(k.tools, k.count, sizeof(*k.tools), by_score);
	for (found = 0; (size_t)found < limit && (size_t)found < k.count &&
			k.tools[found].score > 0;
	     found++)
		best[found] = k.tools[found].tool;
out:
	for (size_t i = 0; i < k.count; i++) {
		buf_release(&k.tools[i].name);
		buf_release(&k.tools[i].text);
	}
	free(k.tools);
	text_close(k.text);
	return found;
}
