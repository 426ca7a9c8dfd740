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

const char *
err_word(enum err_kind kind)
{
	switch (kind) {
	case ERR_NONE: return "none";
	case ERR_INPUT: return "input";
	case ERR_REFUSED: return "refused";
	case ERR_INTERNAL: return "internal";
	case ERR_IO: return "io";
	case ERR_AGAIN: return "again";
	case ERR_UNKNOWN: return "unknown";
	case ERR_DENIED: return "denied";
	case ERR_CONFIG: return "config";
	case ERR_APPROVAL: return "approval";
	}
	return "internal";
}
