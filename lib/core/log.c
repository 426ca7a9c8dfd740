#include "core/log.h"

#include <stdarg.h>
#include <stdio.h>

#include "core/utf8.h"

static const char *own_name = "sophia";

void
log_name(const char *name)
{
	own_name = name;
}

/* One write a line, so that lines of several processes never mix. */
static void
say(const char *text)
{
	char line[1200];
	size_t n = (size_t)snprintf(line, 64, "%.60s: ", own_name);

	n += utf8_tame(line + n, sizeof(line) - n - 1, text);
	line[n++] = '\n';
	fwrite(line, 1, n, stderr);
}

void
log_complain(const struct err *e)
{
	say(e->text);
}

void
log_warn(const char *fmt, ...)
{
	char text[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	say(text);
}
