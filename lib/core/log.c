#include "core/log.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>

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
	size_t n;

	snprintf(line, sizeof(line) - 1, "%s: %s", own_name, text);
	for (n = 0; line[n]; n++)
		if (iscntrl((unsigned char)line[n]))
			line[n] = '?';
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
