/* Any bytes: only legal tokens, no crash, and what is folded is valid UTF-8. */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/buf.h"
#include "ext/text.h"
#include "../unit/oracle.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
check(const struct buf *tokens, int count)
{
	const char *s = buf_text(tokens);
	size_t i, len;

	for (; *s; s += len + (s[len] == ' '), count--) {
		len = strcspn(s, " ");
		if (len < 1 || len > 64 || !oracle_utf8(s, len))
			abort();
		for (i = 0; i < len; i++)
			if ((unsigned char)s[i] < ' ' || s[i] == 0x7f ||
			    s[i] == '"' || s[i] == '\'' ||
			    (s[i] >= 'A' && s[i] <= 'Z'))
				abort();
	}
	if (count != 0 || strlen(buf_text(tokens)) != tokens->len)
		abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const langs[] = {"", "pt", "es", "fr", "de", "it",
	    "nl", "ja"};
	static struct text *t; /* one for all: what it keeps must do no harm */
	const char *text = (const char *)data + (size > 0), *lang;
	struct buf to = {0};
	struct text_size sizes;
	struct err e = {0};
	const char *guess;
	int count;

	if (!t)
		t = text_open();
	lang = size ? langs[data[0] % 8] : "";
	size -= size > 0;
	count = text_tokens(t, &to, text, size, lang, &e);
	check(&to, count);
	buf_clear(&to);
	count = text_query(t, &to, text, size, lang, &e);
	check(&to, count);
	buf_clear(&to);
	if (text_fold(t, &to, text, size, &e) < 0 ||
	    !oracle_utf8(buf_text(&to), to.len) ||
	    text_measure(t, &sizes, text, size, &e) < 0 ||
	    sizes.graphemes > sizes.points || sizes.points > sizes.bytes ||
	    text_language(t, text, size, &guess, &e) < 0)
		abort();
	buf_release(&to);
	return 0;
}
