#ifndef RETRIEVE_EXACT_H
#define RETRIEVE_EXACT_H
/*
 * exact - the messages that hold all words, any of them, or a phrase.
 *
 * Words are compared as the index has them: case, accents and endings of words
 * don't count. Which order the messages come in is not decided here.
 */

struct err;
struct wish;
struct scope;
struct query;

/* Narrow the scope to these messages. Stop words count: w is an exact one. */
int exact_find(struct scope *s, const struct query *w, const struct wish *r,
    struct err *e);

#endif
