#ifndef EXT_WORDS_H
#define EXT_WORDS_H
/*
 * words - find the index tokens in folded text.
 *
 * A word is a run of letters, marks and digits (ext/fold has put spaces where a
 * script writes none); this is what Unicode's word boundaries (UAX #29) give,
 * but for the signs inside words, which chat uses in its own way:
 *
 *	foo_bar foo.tar.gz a@b.org	the whole, then its parts
 *	gpt-4 12:30 2024-05-01		the whole if a digit is next to - or :
 *	well-known and/or std::vector	the parts alone
 *	v1.2 1.2.3.4 e.g.		of parts, only those worth a search: 2
 *					letters, or 3 letters and digits
 *	c++ c# #123			the sign stays; of #123 also the number
 *	we'll ada's don't l'eau		we, ada, dont, l eau
 *	<@1> <@!1> <@&1> <#1>		1: an id is the same however mentioned
 *	<:name:1> <a:name:1> :name:	name
 *	<t:1:R>				nothing
 *	</remind me:1>			remind me
 *	https://www.a.org/b/c-d?e=%20f	a.org org b c d e f
 *	an emoji			itself; a flag is one
 *
 * Of the tokens of a help channel, nicknames left out, 2 % are wholes and 4 %
 * parts; replies found the message they answer as often without either (.239 in
 * the first ten, .240 with both), so they stay for those who look for one name.
 * Parts not worth a search would add 1 % and find less (.238). Where nicknames
 * such as calm_wren7 are typed out, parts cost 12 % and mislead: .242 with
 * them, .258 without; where people are mentioned by id, there is nothing to
 * mislead. The address of a page is no token itself: its words in a row find
 * it, and 3 % more terms found nothing sooner.
 *
 * Memory   the caller's; text is borrowed for the call.
 */

#include <stddef.h>

struct tokens;

/* Append the tokens of folded, valid UTF-8 text. */
void words_find(const char *text, size_t len, struct tokens *to);

#endif
