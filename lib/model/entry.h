#ifndef MODEL_ENTRY_H
#define MODEL_ENTRY_H
/*
 * entry - take a field out of a file that a person wrote.
 *
 * Memory   Texts are borrowed from the tree.
 * Errors   ERR_CONFIG that begins with the name of the field.
 */

#include <stdint.h>

struct err;
struct json;

/* A text that is not empty and has no control character; NULL if missing. */
int entry_text(const struct json *doc, const char *key, const char **text,
    struct err *e);
int entry_need(const struct json *doc, const char *key, const char **text,
    struct err *e); /* missing is an error */

/* A whole number; other if missing, which is an error if other < low. */
int entry_number(const struct json *doc, const char *key, int64_t low,
    int64_t high, int64_t other, int64_t *n, struct err *e);

/* Which of the words, ended by NULL, it is; the first one if missing. */
int entry_word(const struct json *doc, const char *key,
    const char *const *words, int *at, struct err *e);

#endif
