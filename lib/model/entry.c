#include "model/entry.h"

#include <stddef.h>
#include <string.h>

#include "core/err.h"
#include "ext/json.h"

int
entry_text(const struct json *doc, const char *key, const char **text,
    struct err *e)
{
	const struct json *v = json_get(doc, key);

	*text = json_kind(v) == JSON_STRING ? json_text(v) : NULL;
	if (v && (!*text || !**text))
		return err_set(e, ERR_CONFIG, "%s: must be a text", key);
	for (const char *c = *text; c && *c; c++)
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			return err_set(e, ERR_CONFIG,
			    "%s: has a control character", key);
	return 0;
}

int
entry_need(const struct json *doc, const char *key, const char **text,
    struct err *e)
{
	if (entry_text(doc, key, text, e) < 0)
		return -1;
	return *text ? 0 : err_set(e, ERR_CONFIG, "%s: is missing", key);
}

int
entry_number(const struct json *doc, const char *key, int64_t low, int64_t high,
    int64_t other, int64_t *n, struct err *e)
{
	const struct json *v = json_get(doc, key);

	*n = other;
	if (!v && other >= low)
		return 0;
	if (!v)
		return err_set(e, ERR_CONFIG, "%s: is missing", key);
	if (json_kind(v) == JSON_NUMBER && json_whole(v, n) == 0 && *n >= low &&
	    *n <= high)
		return 0;
	return err_set(e, ERR_CONFIG,
	    "%s: must be a whole number from %lld to %lld", key, (long long)low,
	    (long long)high);
}

int
entry_word(const struct json *doc, const char *key, const char *const *words,
    int *at, struct err *e)
{
	const char *text;

	*at = 0;
	if (entry_text(doc, key, &text, e) < 0)
		return -1;
	for (int i = 0; text && words[i]; i++)
		if (strcmp(words[i], text) == 0) {
			*at = i;
			return 0;
		}
	return text ? err_set(e, ERR_CONFIG, "%s: '%s' is not known", key, text)
		    : 0;
}
