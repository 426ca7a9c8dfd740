#include "retrieve/query.h"

#include <assert.h>
#include <string.h>

#include "core/err.h"
#include "ext/text.h"
#include "retrieve/corpus.h"
#include "retrieve/people.h"

struct languages {
	char at[QUERY_LANGUAGES][8];
	size_t count;
};

/* The languages of the channels asked; what has none yet is "". */
static int
find_languages(struct scope *s, struct languages *l, struct err *e)
{
	static const char sql[] =
	    "SELECT DISTINCT language, ord FROM channel WHERE language <> ''"
	    " ORDER BY language";
	struct stmt q = {0};
	int row;

	l->count = 1;
	stmt_start(&q, s->corpus->db, sql);
	while ((row = stmt_next(&q, e)) > 0) {
		const char *code = row_text(&q, 0);
		bool asked = s->all_channels ||
			     ords_have(&s->channels, (uint32_t)row_int(&q, 1));

		if (!asked || strlen(code) >= sizeof(l->at[0]) ||
		    strcmp(l->at[l->count - 1], code) == 0 ||
		    l->count == QUERY_LANGUAGES)
			continue;
		memcpy(l->at[l->count++], code, strlen(code) + 1);
	}
	stmt_end(&q);
	return row;
}

/* Cut the tokens apart, in place. */
static int
cut(struct query_set *set, struct err *e)
{
	char *at = set->text.data, *end;

	for (; at && *at; at = end) {
		end = at + strcspn(at, " ");
		if (*end)
			*end++ = '\0';
		if (set->count == QUERY_WORDS)
			return err_set(e, ERR_INPUT,
			    "the query has more than %d words", QUERY_WORDS);
		set->token[set->count++] = at;
	}
	return 0;
}

static bool
same_set(const struct query_set *a, const struct query_set *b)
{
	if (a->count != b->count)
		return false;
	for (size_t i = 0; i < a->count; i++)
		if (strcmp(a->token[i], b->token[i]) != 0)
			return false;
	return true;
}

/* Analyse in one language; a set that is there already is not kept. */
static int
add_set(struct query *w, struct text *t, const char *query, const char *lang,
    bool exact, struct err *e)
{
	struct query_set *set = &w->set[w->sets];
	size_t len = strlen(query);
	int count;

	assert(w->sets < QUERY_LANGUAGES);
	count = exact ? 0 : text_query(t, &set->text, query, len, lang, e);
	w->sets++;
	if (count == 0)
		count = text_tokens(t, &set->text, query, len, lang, e);
	if (count < 0)
		return -1;
	if (cut(set, e) < 0 && exact)
		return -1;
	for (size_t i = 0; i + 1 < w->sets; i++)
		if (same_set(&w->set[i], set)) {
			buf_release(&set->text);
			*set = (struct query_set){0};
			w->sets--;
			break;
		}
	return 0;
}

/* Every token of every set, each once. */
static void
unite(struct query *w)
{
	for (size_t i = 0; i < w->sets; i++)
		for (size_t k = 0; k < w->set[i].count; k++) {
			const char *token = w->set[i].token[k];
			bool known = false;

			for (size_t n = 0; n < w->count && !known; n++)
				known = strcmp(w->token[n], token) == 0;
			if (!known && w->count < SCORE_WORDS)
				w->token[w->count++] = token;
		}
}

/* Whether a word as written holds no more than a stop word of any language. */
static int
is_stop(struct text *t, const struct languages *l, const char *word, size_t len,
    struct err *e)
{
	static const char signs[] = ".,;:!?\"'()[]";
	struct buf folded = {0};
	bool stop = false;

	while (len && strchr(signs, word[len - 1]))
		len--;
	for (; len && strchr(signs, *word); len--)
		word++;
	if (text_fold(t, &folded, word, len, e) < 0)
		return -1;
	for (size_t i = 0; i < l->count && folded.len && !stop; i++)
		stop = text_is_stop(t, folded.data, folded.len, l->at[i]);
	buf_release(&folded);
	return stop;
}

/*
 * What language a query is in is not known, and the stop words of one are rare
 * words to the analysis of another: they all go.
 */
static int
drop_stops(struct text *t, const struct languages *l, const char *query,
    struct buf *rest, struct err *e)
{
	static const char space[] = " \t\n\r\v\f";

	for (;;) {
		size_t len;
		int stop;

		query += strspn(query, space);
		len = strcspn(query, space);
		if (!len)
			return 0;
		stop = is_stop(t, l, query, len, e);
		if (stop < 0)
			return -1;
		if (!stop) {
			buf_char(rest, ' ');
			buf_add(rest, query, len);
		}
		query += len;
	}
}

static void
forget_sets(struct query *w)
{
	for (size_t i = 0; i < w->sets; i++) {
		buf_release(&w->set[i].text);
		w->set[i] = (struct query_set){0};
	}
	w->sets = 0;
	w->count = 0;
}

/* Take the query in each language, in place of what was taken before. */
static int
take_sets(struct query *w, struct scope *s, const char *query, bool exact,
    struct err *e)
{
	struct languages l = {0};
	struct buf rest = {0};
	int result = find_languages(s, &l, e);

	forget_sets(w); /* there is room for each language once */
	if (result == 0 && !exact && l.count > 1)
		result = drop_stops(s->corpus->text, &l, query, &rest, e);
	if (rest.len)
		query = rest.data;
	for (size_t i = 0; i < l.count && result == 0; i++)
		result = add_set(w, s->corpus->text, query, l.at[i], exact, e);
	unite(w);
	buf_release(&rest);
	return result;
}

int
query_open(struct query *w, struct scope *s, const char *query, bool exact,
    struct err *e)
{
	struct buf rest = {0};
	int result = -1;

	*w = (struct query){0};
	if (strlen(query) > QUERY_LONGEST)
		return err_set(e, ERR_INPUT, "the query is over %d bytes long",
		    QUERY_LONGEST);
	if (exact)
		return take_sets(w, s, query, true, e);
	if (people_find(s->corpus, query, &rest, &w->people, e) < 0)
		goto out;
	if (take_sets(w, s, buf_text(&rest), false, e) < 0)
		goto out;
	if (!w->count && take_sets(w, s, query, false, e) < 0)
		goto out;
	result = 0;
out:
	buf_release(&rest);
	return result;
}

void
query_release(struct query *w)
{
	forget_sets(w);
	ords_release(&w->people);
	*w = (struct query){0};
}
