#include "retrieve/people.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "core/buf.h"
#include "core/err.h"
#include "ext/text.h"
#include "retrieve/corpus.h"
#include "retrieve/targets.h"
#include "retrieve/scope.h"

enum {
	WORDS_LOOKED_AT = 64, /* of a query; names further on are just words */
	NAME_WORDS = 3,
	SAME_NAME = 16, /* authors with one name that are remembered */
};

/* A word as written, and the part of it that may be a name. */
struct spot {
	const char *text;
	size_t len;
	const char *name;
	size_t name_len;
	bool says_who; /* it has a capital, or an @ */
};

static bool
is_sign(char c)
{
	return strchr(".,;:!?\"'()[]{}<>*_~`", c) != NULL;
}

static void
trim(struct spot *p)
{
	const char *end = p->text + p->len;

	p->name = p->text;
	while (p->name < end && (is_sign(*p->name) || *p->name == '@')) {
		p->says_who |= *p->name == '@';
		p->name++;
	}
	while (end > p->name && is_sign(end[-1]))
		end--;
	if (end - p->name > 2 && end[-1] == 's' && end[-2] == '\'')
		end -= 2;
	p->name_len = (size_t)(end - p->name);
	/*
	 * Letters outside ASCII may have no case at all: they count as names.
	 */
	if (p->name_len)
		p->says_who |= isupper((unsigned char)*p->name) ||
			       (unsigned char)*p->name >= 0x80;
}

static size_t
split(struct spot *spots, const char *query)
{
	static const char space[] = " \t\n\r\v\f";
	size_t count = 0;

	query += strspn(query, space);
	while (*query && count < WORDS_LOOKED_AT) {
		struct spot *p = &spots[count++];

		*p = (struct spot){.text = query, .len = strcspn(query, space)};
		trim(p);
		query += p->len;
		query += strspn(query, space);
	}
	if (*query) { /* the rest, as one long word that is no name */
		spots[count++] = (struct spot){.text = query,
		    .len = strlen(query)};
	}
	return count;
}

/* Mentions carry an id: <@1>, <@!1>. How many authors it is: 0 or 1. */
static int
mentioned(struct corpus *c, const struct spot *p, uint32_t *ord, struct err *e)
{
	struct targets n = {0};
	char text[32] = "";
	int result;

	if (p->len < 4 || p->len >= sizeof(text) || p->text[0] != '<' ||
	    p->text[1] != '@')
		return 0;
	memcpy(text, p->text, p->len);
	text[strcspn(text, ">") + 1] = '\0';
	result = targets_find(c, TARGET_MEMBER, text, &n, e) < 0 ? -1 : 0;
	if (result == 0 && n.count && n.at[0].exact) {
		*ord = n.at[0].ord;
		result = 1;
	}
	targets_release(&n);
	return result;
}

/* The authors that `words` words from p on name, written one after another. */
static int
named(struct corpus *c, const struct spot *p, size_t words, uint32_t *ords,
    struct err *e)
{
	struct buf text = {0}, folded = {0};
	int count = 0;

	for (size_t i = 0; i < words; i++) {
		if (i)
			buf_char(&text, ' ');
		buf_add(&text, p[i].name, p[i].name_len);
	}
	if (text.len)
		count = text_fold(c->text, &folded, text.data, text.len, e);
	if (count >= 0 && folded.len && words == 1 &&
	    text_is_stop(c->text, folded.data, folded.len, ""))
		buf_clear(&folded);
	if (count >= 0)
		count = folded.len ? targets_authors(c, folded.data, ords,
					 SAME_NAME, e)
				   : 0;
	buf_release(&text);
	buf_release(&folded);
	return count;
}

/* The longest name at p; *words is how many words it takes, 0 for none. */
static int
longest(struct corpus *c, const struct spot *p, size_t left, size_t *words,
    struct ords *found, struct err *e)
{
	uint32_t ords[SAME_NAME] = {0};
	int count = mentioned(c, p, ords, e);

	*words = left < NAME_WORDS ? left : NAME_WORDS;
	if (count)
		*words = 1;
	while (!count && *words) {
		count = named(c, p, *words, ords, e);
		*words -= !count;
	}
	for (int i = 0; i < count; i++)
		ords_add(found, ords[i]);
	return count < 0 ? -1 : 0;
}

int
people_find(struct corpus *c, const char *query, struct buf *rest,
    struct ords *found, struct err *e)
{
	struct spot spots[WORDS_LOOKED_AT + 1];
	size_t count = split(spots, query), words;

	for (size_t i = 0; i < count; i += words ? words : 1) {
		size_t left = count - i;

		if (longest(c, &spots[i], left, &words, found, e) < 0)
			return -1;
		if (words && spots[i].says_who)
			continue;
		for (size_t k = i; k < i + (words ? words : 1); k++) {
			buf_char(rest, ' ');
			buf_add(rest, spots[k].text, spots[k].len);
		}
	}
	ords_sort(found);
	return 0;
}
