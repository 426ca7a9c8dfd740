#include "discord/span.h"

#include <stdbool.h>
#include <string.h>

enum { MENTION_MAX = 128, LABEL_MAX = 1024, TARGET_MAX = 4096 }; /* bytes */

static bool
begins(const char *text, size_t len, const char *with)
{
	size_t n = strlen(with);

	return len >= n && memcmp(text, with, n) == 0;
}

/* An address, up to what can't be in one. */
static size_t
address(const char *text, size_t len)
{
	size_t n = 0;

	if (begins(text, len, "https://"))
		n = 8;
	else if (begins(text, len, "http://"))
		n = 7;
	if (!n)
		return 0;
	while (n < len && (unsigned char)text[n] > ' ' && text[n] != '<' &&
	       text[n] != '>')
		n++;
	return n;
}

/* <@1> <@!1> <@&1> <#1> <:x:1> <a:x:1> <t:1:R> </x y:1> <id:guide> */
static size_t
mention(const char *text, size_t len)
{
	static const char *const starts[] = {"<@", "<#",
	    "<:", "<a:", "<t:", "</", "<id:"};
	size_t n = 0, i;

	for (i = 0; i < sizeof(starts) / sizeof(*starts) && !n; i++)
		if (begins(text, len, starts[i]))
			n = strlen(starts[i]);
	for (i = n; n && i < len && i < MENTION_MAX; i++) {
		if (text[i] == '>')
			return i > n ? i + 1 : 0;
		if (text[i] == '<' || text[i] == '\n')
			return 0;
	}
	return 0;
}

/* <https://...>, which shows no preview. */
static size_t
quiet(const char *text, size_t len)
{
	size_t n = begins(text, len, "<") ? address(text + 1, len - 1) : 0;

	return n && n + 1 < len && text[n + 1] == '>' ? n + 2 : 0;
}

/* [label](https://... "title") */
static size_t
masked(const char *text, size_t len)
{
	size_t i = 1;
	int depth = 0;

	if (!begins(text, len, "["))
		return 0;
	for (; i < len && text[i] != '\n' && i < LABEL_MAX; i++)
		if (text[i] == ']')
			break;
	if (!begins(text + i, len - i, "]("))
		return 0;
	i += 2;
	if (!begins(text + i, len - i, "http") &&
	    !begins(text + i, len - i, "<http"))
		return 0;
	if (len - i > TARGET_MAX)
		len = i + TARGET_MAX;
	for (; i < len && text[i] != '\n'; i++) {
		depth += text[i] == '(';
		if (text[i] == ')' && depth-- == 0)
			return i + 1;
	}
	return 0;
}

size_t
span_link(const char *text, size_t len)
{
	size_t n;

	if (!len || !strchr("<[h", *text) || !*text)
		return 0;
	if ((n = address(text, len)) || (n = mention(text, len)) ||
	    (n = quiet(text, len)))
		return n;
	return masked(text, len);
}

/* From a mark to the same mark in this line. */
static size_t
paired(const char *text, size_t len, const char *mark)
{
	size_t n = strlen(mark);

	if (!begins(text, len, mark))
		return 0;
	for (size_t i = n + 1; i + n <= len && text[i - 1] != '\n'; i++)
		if (begins(text + i, len - i, mark))
			return i + n;
	return 0;
}

/* One or two backquotes, up to as many. */
static size_t
code(const char *text, size_t len)
{
	size_t n = 0, run = 0;

	while (n < len && text[n] == '`')
		n++;
	if (n == 0 || n > 2)
		return 0;
	for (size_t i = n; i < len && text[i] != '\n'; i++) {
		run = text[i] == '`' ? run + 1 : 0;
		if (run == n && (i + 1 == len || text[i + 1] != '`'))
			return i + 1;
	}
	return 0;
}

size_t
span_styled(const char *text, size_t len)
{
	size_t n;

	if (!len || !strchr("`*|", *text) || !*text)
		return 0;
	if ((n = code(text, len)) || (n = paired(text, len, "**")))
		return n;
	return paired(text, len, "||");
}
