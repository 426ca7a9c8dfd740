#include "tool/fault.h"

#include <stdarg.h>
#include <string.h>

/* A place is as deep as the document, so this recursion is bounded. */
static void /* NOLINTNEXTLINE(misc-no-recursion) */
write_place(struct buf *b, const struct fault_place *at)
{
	if (at->outer)
		write_place(b, at->outer);
	if (at->key)
		buf_fmt(b, at->outer ? ".%s" : "%s", at->key);
	else
		buf_fmt(b, "[%zu]", at->index);
}

void
fault_add(struct faults *f, const struct fault_place *at, const char *fmt, ...)
{
	va_list ap;

	if (f->count++ >= FAULT_MAX)
		return;
	if (f->lead)
		buf_fmt(&f->text, "%s: ", f->lead);
	if (at) {
		write_place(&f->text, at);
		buf_str(&f->text, ": ");
	}
	va_start(ap, fmt);
	buf_vfmt(&f->text, fmt, ap);
	va_end(ap);
	buf_char(&f->text, '\n');
}

int
fault_end(const struct faults *f, enum err_kind kind, struct err *e)
{
	size_t len = f->text.len;

	if (!f->count)
		return 0;
	if (len)
		len--; /* the last line break */
	err_set(e, kind, "%.*s", (int)len, buf_text(&f->text));
	for (char *p = e->text; (p = strchr(p, '\n')) != NULL;)
		*p = ';';
	return -1;
}

void
fault_release(struct faults *f)
{
	buf_release(&f->text);
	f->count = 0;
}
