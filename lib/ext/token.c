#include "ext/token.h"

#include <stdbool.h>
#include <string.h>

#include "core/buf.h"
#include "core/utf8.h"
#include "ext/stop.h"

void
token_add(struct tokens *k, const char *token, size_t len)
{
	size_t gap = k->to->len > 0;
	char *to;

	if (len > TOKEN_LONGEST)
		len = utf8_cut(token, len, TOKEN_LONGEST);
	if (!(to = buf_room(k->to, len + gap)))
		return;
	to[0] = ' ';
	memcpy(to + gap, token, len);
	buf_wrote(k->to, len + gap);
	k->count++;
}

static bool
is_stop(const struct tokens *k, const char *word, size_t len)
{
	return k->stop &&
	       (stop_langs(k->stop, word, len) &
		   (1U << k->lang | 1U << LANG_RU | 1U << STOP_OTHER));
}

/* The stemmer for a word by its letters; LANG_COUNT for none. */
static enum lang
stemmer_for(const struct tokens *k, const char *word, size_t len)
{
	size_t i;

	if ((unsigned char)word[0] == 0xd0 || (unsigned char)word[0] == 0xd1)
		return LANG_RU;
	for (i = 0; i < len; i++)
		if (word[i] < 'a' || word[i] > 'z')
			return LANG_COUNT;
	return len < 3 ? LANG_COUNT : k->lang;
}

void
token_word(struct tokens *k, const char *word, size_t len)
{
	enum lang lang;

	if (is_stop(k, word, len))
		return;
	lang = stemmer_for(k, word, len);
	if (lang != LANG_COUNT)
		word = stem_word(k->stem, lang, word, &len);
	token_add(k, word, len);
}
