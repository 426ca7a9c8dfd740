#include "ext/compound.h"

#include <string.h>

#include "ext/scan.h"
#include "ext/token.h"

#define PARTS 16 /* of a compound; what follows begins the next */

struct part {
	size_t at, len;
	bool nt; /* "n't": the t belongs to the word */
};

static void
add_word(const struct scan *s, const struct part *p)
{
	char joined[TOKEN_LONGEST];
	size_t len = p->len;

	if (!p->nt || len >= TOKEN_LONGEST) {
		token_word(s->to, s->text + p->at, len);
		return;
	}
	memcpy(joined, s->text + p->at, len);
	joined[len] = 't';
	token_word(s->to, joined, len + 1);
}

/* Whether a part of a compound says something alone. */
static bool
is_worth(const struct scan *s, const struct part *p)
{
	const char *word = s->text + p->at;

	return p->len >= 3 || scan_is_high(word[0]) ||
	       (p->len == 2 && scan_is_letter(word[0]) &&
		   scan_is_letter(word[1]));
}

/* Take an English ending off the part that ends at; returns the new end. */
static size_t
apostrophe(const struct scan *s, struct part *p, size_t at)
{
	static const char *const endings[] = {"s", "ll", "re", "ve", "d", "m"};
	size_t i, len = scan_peek(s, at) == '\'' ? scan_word(s, at + 1) : 0;

	if (len == 1 && s->text[at + 1] == 't' && s->text[at - 1] == 'n') {
		p->nt = true;
		return at + 2;
	}
	for (i = 0; len && i < sizeof endings / sizeof *endings; i++)
		if (len == strlen(endings[i]) &&
		    !memcmp(s->text + at + 1, endings[i], len))
			return at + 1 + len;
	return at;
}

/* Where the next part begins if the sign at joins two, else 0. */
static size_t
joint(const struct scan *s, size_t at, bool url)
{
	char sign = scan_peek(s, at), before = s->text[at - 1];
	size_t next = at + 1;
	bool joins = false;

	if (sign == '_') {
		while (scan_peek(s, next) == '_')
			next++;
		joins = true;
	} else if (sign == '.') {
		joins = true;
	} else if (sign == '@' || sign == '&') {
		joins = !url;
	} else if (sign == '-') {
		joins = scan_is_digit(before) ||
			scan_is_digit(scan_peek(s, next));
	} else if (sign == ':') {
		joins = scan_is_digit(before) &&
			scan_is_digit(scan_peek(s, next));
	}
	return joins && scan_word(s, next) ? next : 0;
}

/* The parts of the compound that begins at; returns where it ends. */
static size_t
split(const struct scan *s, size_t at, bool url, struct part *parts,
    size_t *count)
{
	size_t end, next = at;

	*count = 0;
	do {
		struct part *p = &parts[(*count)++];

		*p = (struct part){.at = next, .len = scan_word(s, next)};
		end = next + p->len;
		next = apostrophe(s, p, end);
		if (next != end)
			return next;
		next = joint(s, end, url);
	} while (next && *count < PARTS);
	return end;
}

/* "c++" and "c#": append it; returns where it ends, at if it is none. */
static size_t
sign(const struct scan *s, const struct part *p, size_t at)
{
	size_t i, end;

	for (i = 0; i < p->len; i++)
		if (!scan_is_letter(s->text[p->at + i]))
			return at;
	if (scan_starts(s, at, "++"))
		end = at + 2;
	else if (scan_peek(s, at) == '#' && p->len <= 2)
		end = at + 1;
	else
		return at;
	if (scan_word(s, end) &&
	    !(end == at + 2 && scan_is_digit(s->text[end])))
		return at;
	scan_add(s, p->at, end - p->at);
	return end;
}

size_t
compound_find(const struct scan *s, size_t at, bool url)
{
	struct part parts[PARTS];
	size_t i, count, end, whole;

	if (scan_starts(s, at, "www.") && scan_word(s, at + 4))
		at += 4;
	end = split(s, at, url, parts, &count);
	if (count == 1) {
		whole = end;
		if (end == at + parts[0].len)
			whole = sign(s, parts, end);
		if (whole == end || is_worth(s, parts))
			add_word(s, parts);
		return whole;
	}
	scan_add(s, at, parts[count - 1].at + parts[count - 1].len - at);
	for (i = 0; i < count; i++)
		if (is_worth(s, &parts[i]))
			add_word(s, &parts[i]);
	return end;
}
