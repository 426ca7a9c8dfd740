/* The texts of changes. */
#include <string.h>

#include "core/err.h"
#include "core/utf8.h"
#include "discord/breaks.h"
#include "ext/json.h"
#include "guild/change.h"

/* Discord takes the white space at both ends away; returns the characters. */
static size_t
trim(const char **text, size_t *len)
{
	size_t end = 0, count = 0, shown = 0, n;
	bool holds;
	uint32_t cp;

	*len = strlen(*text);
	for (; *len; *text += n, *len -= n) {
		n = utf8_next(*text, *len, &cp);
		if (!breaks_blank(cp, &holds))
			break;
	}
	for (size_t i = 0; i < *len; i += n) {
		n = utf8_next(*text + i, *len - i, &cp);
		count++;
		if (breaks_blank(cp, &holds))
			continue;
		shown = count;
		end = i + n;
	}
	*len = end;
	return shown;
}

size_t
change_count(const char *text)
{
	size_t len;

	return trim(&text, &len);
}

bool
change_alike(const char *a, const char *b)
{
	size_t a_len, b_len;

	(void)trim(&a, &a_len);
	(void)trim(&b, &b_len);
	return a_len == b_len && memcmp(a, b, a_len) == 0;
}

const char *
change_words(struct change *c, const char *key, size_t least, size_t most,
    struct err *e)
{
	const char *text = json_string(c->in, key);
	size_t count = text ? change_count(text) : 0;

	if (count < least) {
		err_set(e, ERR_INPUT, "%s is %s", key,
		    text ? "too short, or nothing but white space" : "missing");
		return NULL;
	}
	if (count > most) {
		err_set(e, ERR_INPUT,
		    "%s has %zu characters, and Discord takes %zu", key, count,
		    most);
		return NULL;
	}
	return text ? text : "";
}
