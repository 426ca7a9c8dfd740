#include "core/err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Make e->text the formatted words, then ": " and why; cut what won't fit. */
FORMAT(3, 0)
static void
compose(struct err *e, const char *why, const char *fmt, va_list ap)
{
	size_t len;

	vsnprintf(e->text, sizeof(e->text), fmt, ap);
	len = strlen(e->text);
	if (why)
		snprintf(e->text + len, sizeof(e->text) - len, ": %s", why);
}

int
err_set(struct err *e, enum err_kind kind, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	compose(e, NULL, fmt, ap);
	va_end(ap);
	e->kind = kind;
	return -1;
}

int
err_sys(struct err *e, enum err_kind kind, const char *fmt, ...)
{
	const char *why = strerror(errno);
	va_list ap;

	va_start(ap, fmt);
	compose(e, why, fmt, ap);
	va_end(ap);
	e->kind = kind;
	return -1;
}

int
err_in(struct err *e, const char *fmt, ...)
{
	const struct err inner = *e;
	va_list ap;

	va_start(ap, fmt);
	compose(e, inner.text, fmt, ap);
	va_end(ap);
	return -1;
}

enum err_kind
err_kind_of_errno(enum err_kind other)
{
	switch (errno) {
	case ENOSPC:
	case EDQUOT:
	case EIO:
	case EROFS: return ERR_IO;
	default: return other;
	}
}

static const struct {
	enum err_kind kind;
	const char *word;
} words[] = {
    {ERR_NONE, "none"},
    {ERR_INPUT, "input"},
    {ERR_REFUSED, "refused"},
    {ERR_INTERNAL, "internal"},
    {ERR_IO, "io"},
    {ERR_AGAIN, "again"},
    {ERR_UNKNOWN, "unknown"},
    {ERR_DENIED, "denied"},
    {ERR_CONFIG, "config"},
    {ERR_APPROVAL, "approval"},
};

enum { WORDS = sizeof(words) / sizeof(words[0]) };

const char *
err_word(enum err_kind kind)
{
	for (size_t i = 0; i < WORDS; i++)
		if (words[i].kind == kind)
			return words[i].word;
	return "internal";
}

enum err_kind
err_of_word(const char *word)
{
	for (size_t i = 0; i < WORDS; i++)
		if (strcmp(words[i].word, word) == 0)
			return words[i].kind;
	return ERR_INTERNAL;
}
