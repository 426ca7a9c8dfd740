#ifndef RETRIEVE_QUERY_H
#define RETRIEVE_QUERY_H
/*
 * query - what a query asks for: its tokens, and the people it names.
 *
 * Best match  Stop words are left out, unless nothing else is there. A name of
 *             a member says who, not what: written with a capital or an @ it
 *             is taken out of the words, and in any case what that member
 *             wrote ranks higher. The first SCORE_WORDS tokens count.
 * Exact       Every word counts. A message was analysed in one language, so the
 *             tokens of each language of the channels asked are kept apart: all
 *             of one set must match.
 *
 * Memory   query_release() frees it; tokens are borrowed from it.
 * Errors   ERR_INPUT for a query over QUERY_LONGEST bytes, or an exact one
 *          with more than QUERY_WORDS tokens.
 */

#include <stdbool.h>
#include <stddef.h>

#include "core/buf.h"
#include "retrieve/scope.h"
#include "retrieve/score.h"

struct err;

enum { QUERY_LONGEST = 16384, QUERY_WORDS = 256, QUERY_LANGUAGES = 10 };

struct query_set {
	const char *token[QUERY_WORDS];
	size_t count;
	struct buf text;
};

struct query {
	const char *token[SCORE_WORDS]; /* best match: of all sets, each once */
	size_t count;
	struct query_set set[QUERY_LANGUAGES]; /* exact */
	size_t sets;
	struct ords people; /* authors named, sorted */
};

int query_open(struct query *w, struct scope *s, const char *query, bool exact,
    struct err *e);
void query_release(struct query *w);

#endif
